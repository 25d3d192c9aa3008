import { sentenceBreaks } from './sentence-breaks.ts'
import { graphemeFloor } from './tokens.ts'

export interface Span {
  readonly start: number
  readonly end: number
}

/** Intl.Segmenter copies its input and ran out of memory on a string of 600 kB. It reads a text in windows of this size. */
const WINDOW = 4096

/** Lower case, without the final full stop. A sentence continues after these. */
const ABBREVIATIONS: Readonly<Record<string, string>> = {
  '': 'dr prof st eds rev al cf vs ca i.e e.g approx',
  en: 'mr mrs ms messrs jr sr gen col capt lt sgt cmdr hon gov sen rep pres dept univ assn mt ft resp incl u.s u.k a.k.a viz',
  de: 'z.b d.h u.a o.ä u.ä u.u i.d.r s.o s.u v.a z.t z.zt bzw ggf evtl bspw vgl inkl exkl zzgl hr hrn fr frl ing dipl mag geb gest gem sog v.chr n.chr max min',
  es: 'sr sra srta sres d dña ud uds dto ej p.ej aprox avda ee.uu a.c d.c',
  fr: 'mm mme mlle mlles mgr av p.ex c.-à-d éd bd ste',
  it: 'sig sigg sig.ra dott dott.ssa ing avv geom es p.es',
  pt: 'sr sra dra profa av ex p.ex exmo exma',
  nl: 'dhr mevr mw drs ir ing bijv bv d.w.z o.a i.v.m m.b.t t.a.v',
  pl: 'np tj tzn ul al inż mgr',
  ru: 'т.е т.к им ул см',
}

/** Abbreviations only before a number: `No. 5`, but "He said no. Then …". */
const BEFORE_NUMBERS = new Set(
  'no nr nos núm n vol vols fig figs eq ch sec p pp pg pág págs pag pagg s art arts abs kap bd cap chap str rz tel t op jan feb mar apr jun jul aug sep sept oct nov dec стр рис гл ст'.split(
    ' ',
  ),
)

/** Languages that write dates and ordinals with a full stop: `3. Oktober`, `19. Jahrhundert`. */
const ORDINAL_STOP = new Set(['de', 'da', 'no', 'nb', 'nn', 'fi', 'cs', 'sk', 'hu', 'pl', 'sl', 'hr', 'et', 'lv', 'is', 'tr'])

/** Returns the sentences of a span of a text. */
export type SentenceSplitter = (text: string, start: number, end: number) => Span[]

const splitters = new Map<string | null, SentenceSplitter>()

/**
 * Returns a function that splits texts of one language into sentences by Unicode's rules (UAX 29), joined after abbreviations,
 * initials and ordinals. A line break alone does not end a sentence. Spans are trimmed and cover all other characters.
 * @param language ISO 639-1 code or null
 */
export function sentenceSplitter(language: string | null): SentenceSplitter {
  const cached = splitters.get(language)
  if (cached !== undefined) return cached
  // Limits the cache to known languages. Creating a segmenter takes longer than splitting a passage with it.
  const known = language === null || isLanguage(language) ? language : 'und'
  let splitter = splitters.get(known)
  if (splitter === undefined) splitters.set(known, (splitter = createSplitter(known)))
  return splitter
}

function createSplitter(language: string | null): SentenceSplitter {
  const segmenter = new Intl.Segmenter(language ?? 'und', { granularity: 'sentence' })
  const known = new Set(`${ABBREVIATIONS['']} ${ABBREVIATIONS[language ?? 'en'] ?? ''}`.split(' '))
  const ordinals = ORDINAL_STOP.has(language ?? '')

  return (text, start, end) => {
    const sentences: Span[] = []
    let from = start
    let open: number | null = null
    while (from < end) {
      const reach = end - from <= WINDOW ? end : wordFloor(text, from, from + WINDOW)
      const ends = sentenceBreaks(text, from, reach) ?? segmentEnds(text, from, reach)
      // The last sentence of a window may continue: the next window begins with it.
      if (reach < end && ends.length > 1) ends.pop()
      for (const stop of ends) {
        open ??= from
        from = stop
        if (stop < end && goesOn(text.slice(Math.max(open, stop - 40), stop).trimEnd(), text.slice(stop, stop + 1))) continue
        const sentence = trimmed(text, open, stop)
        if (sentence) sentences.push(sentence)
        open = null
      }
      if (ends.length === 0) from = reach
    }
    const rest = open === null ? null : trimmed(text, open, end)
    if (rest) sentences.push(rest)
    return sentences
  }

  function segmentEnds(text: string, start: number, end: number): number[] {
    const segments = segmenter.segment(text.slice(start, end).replace(/[\r\n\u2028\u2029\u0085]/g, ' '))
    return Array.from(segments, ({ index, segment }) => start + index + segment.length)
  }

  function goesOn(tail: string, next: string): boolean {
    if (!tail.endsWith('.')) return /[!?…]["'”’»)\]]+$/.test(tail) && /\p{Ll}/u.test(next)
    const word = wordBeforeStop(tail)
    if (word === '') return false
    if (/^\p{Lu}$/u.test(word)) return /\p{L}/u.test(next)
    if (/^\d{1,2}$/.test(word)) return ordinals && /\p{L}/u.test(next)
    const abbreviation = word.toLowerCase()
    return known.has(abbreviation) || (BEFORE_NUMBERS.has(abbreviation) && /\p{N}/u.test(next))
  }
}

/** Returns the letters, numbers, full stops, hyphens and slashes before the final full stop, from the first letter or number on. */
function wordBeforeStop(tail: string): string {
  const end = tail.length - 1
  let start = end
  for (let at = end - 1; at >= 0; at--) {
    const unit = tail.charCodeAt(at)
    const isPart = unit < 128 ? asciiWord.test(tail.charAt(at)) : wordUnit.test(tail.charAt(at))
    if (isPart) start = at
    // 45, 46 and 47 are hyphen, full stop and slash. A character beyond the basic plane has two units.
    else if (unit >= 0xd800 && unit < 0xe000) return /[\p{L}\p{N}][\p{L}\p{N}.\-/]*(?=\.$)/u.exec(tail)?.[0] ?? ''
    else if (unit < 45 || unit > 47) break
  }
  return tail.slice(start, end)
}

const asciiWord = /[a-z\d]/i
const wordUnit = /[\p{L}\p{N}]/u

/** Returns the last end of a line, or else of a word, in the second half of a span; without one, the last grapheme boundary. */
function wordFloor(text: string, start: number, end: number): number {
  const half = start + ((end - start) >> 1)
  const line = text.lastIndexOf('\n', end - 1)
  if (line > half) return line + 1
  for (let at = end; at > half; at--) if (isSpace(text.charCodeAt(at - 1))) return at
  return graphemeFloor(text, end, start + 1)
}

/** Returns the trimmed span; null if it contains only white space. */
export function trimmed(text: string, start: number, end: number): Span | null {
  while (start < end && isSpace(text.charCodeAt(start))) start++
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--
  return start < end ? { start, end } : null
}

function isSpace(unit: number): boolean {
  return unit <= 32 ? unit === 32 || (unit >= 9 && unit <= 13) : unit >= 160 && /\s/.test(String.fromCharCode(unit))
}

function isLanguage(language: string): boolean {
  return /^[a-z]{2,3}$/.test(language) && Intl.Segmenter.supportedLocalesOf(language).length > 0
}
