import { createRequire } from 'node:module'

type Encoding = typeof import('gpt-tokenizer/encoding/cl100k_base')

/** Byte-pair encoding is quadratic in the length of a piece, so that a longer one (a blob, a line without blanks) is counted in parts. */
const LONGEST_PIECE = 64

/** How cl100k_base divides a text before it merges bytes: words with the blank before them, three digits, punctuation, white space. */
const PIECE =
  /'(?:[sSdDmMtT]|[lL]{2}|[vV][eE]|[rR][eE])|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s+$|\s*[\r\n]|\s+(?!\S)|\s/uy

const REMEMBERED_PIECES = 100_000

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/**
 * Number of cl100k_base tokens of a text. Exact but for unbroken runs of letters or of punctuation longer than 64
 * characters, whose parts are counted on their own; time is linear whatever the text. Markers such as `<|endoftext|>`
 * count as the plain text they are.
 */
export function countTokens(text: string): number {
  return countWith(pieceCounter(), text)
}

/** The tokens of one text, laid out once: a count costs a binary search. */
export interface TokenIndex {
  /** As `countTokens`, sharing what it remembers. */
  count(text: string): number
  /** Tokens before `offset`; white space just before it, which belongs to the next word, is not counted. */
  before(offset: number): number
  /**
   * The furthest place to cut the stretch from `start` to `end` so that it holds at most `budget` tokens: between words
   * or, where the second half has no blank, between graphemes. Always beyond `start`.
   */
  cut(start: number, end: number, budget: number): number
  /** The first start of a word, not before `start`, from which at most `budget` tokens are left to `end`; `end` where there is none. */
  tail(start: number, end: number, budget: number): number
}

export function indexTokens(text: string): TokenIndex {
  const count = pieceCounter()
  const starts: number[] = []
  const sums: number[] = [0]
  let total = 0
  eachPiece(text, (start, end) => {
    starts.push(start)
    total += count(text.slice(start, end))
    sums.push(total)
  })
  starts.push(text.length)

  /** The last piece for which `list` does not exceed `limit`. */
  const last = (list: readonly number[], limit: number) => {
    let low = 0
    let high = list.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (at(list, middle) <= limit) low = middle
      else high = middle - 1
    }
    return low
  }

  const before = (offset: number) => {
    const piece = last(starts, offset)
    const part = text.slice(at(starts, piece), offset)
    return at(sums, piece) + (part.trim() === '' ? 0 : count(part))
  }

  const betweenWords = (offset: number) => isBlank(text, offset) || isBlank(text, offset - 1)

  const cut = (start: number, end: number, budget: number) => {
    const room = before(start) + budget
    if (before(end) <= room) return end
    const first = last(starts, start)
    const furthest = last(sums, room)
    const half = Math.max(start, at(starts, first + ((furthest - first) >> 1)))
    for (let piece = furthest; at(starts, piece) > half; piece--) {
      const boundary = at(starts, piece)
      if (boundary < end && betweenWords(boundary)) return boundary
    }
    return graphemeCut(text, start, Math.min(at(starts, furthest), end), end, (stop) => before(stop) <= room)
  }

  const tail = (start: number, end: number, budget: number) => {
    const need = before(end) - budget
    for (let piece = last(sums, need - 1) + 1; at(starts, piece) < end; piece++) {
      const boundary = at(starts, piece)
      if (boundary >= start && betweenWords(boundary)) return boundary
    }
    return end
  }

  return { count: (other) => countWith(count, other), before, cut, tail }
}

/** The last grapheme boundary that fits, looked for from `near`, which does; a grapheme too long by itself is cut between code points. */
function graphemeCut(text: string, start: number, near: number, end: number, fits: (stop: number) => boolean): number {
  const from = near > start ? graphemeFloor(text, near, start) : start
  const reach = text.slice(from, Math.min(end, from + LONGEST_PIECE * 3))
  const graphemeEnds = [...graphemes.segment(reach)].map(({ index, segment }) => from + index + segment.length)
  const best = lastFitting(graphemeEnds, fits) ?? from
  if (best > start) return best
  let stop = from
  const characterEnds = Array.from(reach, (character) => (stop += character.length))
  return lastFitting(characterEnds, fits) ?? characterEnds[0] ?? end
}

/** The last of ascending places that fits, or undefined where none does. */
function lastFitting(places: readonly number[], fits: (place: number) => boolean): number | undefined {
  let low = -1
  let high = places.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (fits(at(places, middle))) low = middle
    else high = middle - 1
  }
  return places[low]
}

/** The grapheme boundary at or before `offset`, but not before `floor`, judged from the 64 characters around it. */
export function graphemeFloor(text: string, offset: number, floor = 0): number {
  if (offset <= floor || offset >= text.length) return Math.min(Math.max(offset, floor), text.length)
  const from = Math.max(floor, offset - LONGEST_PIECE)
  const around = graphemes.segment(text.slice(from, offset + LONGEST_PIECE)).containing(offset - from)
  const boundary = from + (around?.index ?? offset - from)
  if (boundary > from) return boundary
  return isLowSurrogate(text, offset) && offset - 1 > floor ? offset - 1 : offset
}

function countWith(count: (piece: string) => number, text: string): number {
  let tokens = 0
  eachPiece(text, (start, end) => {
    tokens += count(text.slice(start, end))
  })
  return tokens
}

function eachPiece(text: string, visit: (start: number, end: number) => void): void {
  PIECE.lastIndex = 0
  let start = 0
  // Every character belongs to a piece. No match is made an object of: there are millions in a long document.
  while (PIECE.test(text)) {
    const end = PIECE.lastIndex
    while (end - start > LONGEST_PIECE) {
      const stop = isLowSurrogate(text, start + LONGEST_PIECE) ? start + LONGEST_PIECE - 1 : start + LONGEST_PIECE
      visit(start, stop)
      start = stop
    }
    visit(start, end)
    start = end
  }
}

/** Tokens of the pieces counted before, in whatever text: words come again. */
const known = new Map<string, number>()

function pieceCounter(): (piece: string) => number {
  const { countTokens: count, setMergeCacheSize } = encoding()
  // The library's own cache re-inserts an entry at every hit, which took 40 µs a piece once it was full.
  setMergeCacheSize(0)
  return (piece) => {
    let tokens = known.get(piece)
    if (tokens === undefined) {
      if (known.size >= REMEMBERED_PIECES) known.clear()
      tokens = count(piece)
      known.set(piece, tokens)
    }
    return tokens
  }
}

/** The merge table takes a tenth of a second and 20 MB: it is loaded by the first document, not by the program's start. */
function encoding(): Encoding {
  return createRequire(import.meta.url)('gpt-tokenizer/encoding/cl100k_base') as Encoding
}

function isLowSurrogate(text: string, offset: number): boolean {
  const unit = text.charCodeAt(offset)
  return unit >= 0xdc00 && unit <= 0xdfff
}

function isBlank(text: string, offset: number): boolean {
  return /\s/.test(text.charAt(offset))
}

function at(list: readonly number[], index: number): number {
  return list[index] ?? 0
}
