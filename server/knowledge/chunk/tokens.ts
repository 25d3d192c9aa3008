import { createRequire } from 'node:module'

type Encoding = typeof import('gpt-tokenizer/encoding/cl100k_base')

/**
 * Byte-pair encoding is quadratic in the length of a piece. Longer pieces, such as binary data or lines without spaces, are
 * counted in parts.
 */
const MAX_PIECE = 64

/**
 * The pattern by which cl100k_base splits a text before it merges bytes: words with the space before them, up to three digits,
 * punctuation, white space.
 */
const PIECE =
  /'(?:[sSdDmMtT]|[lL]{2}|[vV][eE]|[rR][eE])|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s+$|\s*[\r\n]|\s+(?!\S)|\s/uy

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

const REMEMBERED_PIECES = 100_000

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/**
 * Returns the number of cl100k_base tokens of a text. The count is exact except for unbroken runs of letters or punctuation
 * longer than 64 characters, whose parts are counted separately. Time is linear for any text. Markers such as `<|endoftext|>`
 * count as plain text.
 */
export function countTokens(text: string): number {
  return countWith(pieceCounter(), text)
}

/** A token index of one text: each count is a binary search. */
export interface TokenIndex {
  /** Counts like `countTokens`, with the same cache. */
  count(text: string): number
  /** Returns the number of tokens before `offset`, without white space just before it, which belongs to the next word. */
  before(offset: number): number
  /**
   * Returns the last position to cut between `start` and `end` with at most `budget` tokens before it: between words or, inside a
   * word of more than `budget` tokens, between graphemes. Always greater than `start`.
   */
  cut(start: number, end: number, budget: number): number
  /** Returns the first start of a word at or after `start` with at most `budget` tokens left until `end`; `end` if there is none. */
  tail(start: number, end: number, budget: number): number
}

export function indexTokens(text: string): TokenIndex {
  const count = pieceCounter()
  let pieces = 0
  // Typed arrays: a text of 64 million characters has 30 million pieces.
  let starts = new Uint32Array(1_024)
  let sums = new Uint32Array(1_024)
  let total = 0
  eachPiece(text, (start, end) => {
    if (pieces + 1 === starts.length) [starts, sums] = [doubled(starts), doubled(sums)]
    starts[pieces] = start
    total += count(text.slice(start, end))
    sums[++pieces] = total
  })
  starts[pieces] = text.length

  /** Returns the last piece for which `list` does not exceed `limit`. */
  const last = (list: ArrayLike<number>, limit: number) => {
    let low = 0
    let high = pieces
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
    const furthest = last(sums, room)
    const half = Math.max(start, at(starts, (last(starts, start) + furthest) >> 1))
    for (let piece = furthest; at(starts, piece) > start; piece--) {
      const boundary = at(starts, piece)
      if (boundary >= end || !betweenWords(boundary)) continue
      if (boundary > half || wordFits(boundary, end, budget)) return boundary
      break
    }
    return graphemeCut(text, start, Math.min(at(starts, furthest), end), end, (stop) => before(stop) <= room)
  }

  /** Returns whether the word after `boundary` has at most `budget` tokens. A run of a script without spaces is not a word. */
  const wordFits = (boundary: number, end: number, budget: number) => {
    let word = boundary
    while (isBlank(text, word)) word++
    if (UNSPACED.test(text.slice(word, word + MAX_PIECE))) return false
    const reach = last(sums, before(word) + budget)
    for (let piece = last(starts, word) + 1; piece <= reach; piece++) if (betweenWords(at(starts, piece))) return true
    return at(starts, reach) >= end
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

/**
 * Returns the last grapheme boundary that fits, searching from `near`, which fits; a grapheme that is too long is cut between
 * code points.
 */
function graphemeCut(text: string, start: number, near: number, end: number, fits: (stop: number) => boolean): number {
  const from = near > start ? graphemeFloor(text, near, start) : start
  const reach = text.slice(from, Math.min(end, from + MAX_PIECE * 3))
  const graphemeEnds = [...graphemes.segment(reach)].map(({ index, segment }) => from + index + segment.length)
  const best = lastFitting(graphemeEnds, fits) ?? from
  if (best > start) return best
  let stop = from
  const characterEnds = Array.from(reach, (character) => (stop += character.length))
  return lastFitting(characterEnds, fits) ?? characterEnds[0] ?? end
}

/** Returns the last of the ascending positions that fits; undefined if none does. */
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

/** Returns the grapheme boundary at or before `offset`, but not before `floor`, from the 64 characters around it. */
export function graphemeFloor(text: string, offset: number, floor = 0): number {
  if (offset <= floor || offset >= text.length) return Math.min(Math.max(offset, floor), text.length)
  const from = Math.max(floor, offset - MAX_PIECE)
  const around = graphemes.segment(text.slice(from, offset + MAX_PIECE)).containing(offset - from)
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
  // Every character belongs to a piece. `test` avoids a match object for each of the millions of pieces of a long document.
  while (PIECE.test(text)) {
    const end = PIECE.lastIndex
    while (end - start > MAX_PIECE) {
      const stop = isLowSurrogate(text, start + MAX_PIECE) ? start + MAX_PIECE - 1 : start + MAX_PIECE
      visit(start, stop)
      start = stop
    }
    visit(start, end)
    start = end
  }
}

/** Token counts of pieces, for all texts: words repeat. */
const known = new Map<string, number>()

function pieceCounter(): (piece: string) => number {
  const { countTokens: count, setMergeCacheSize } = encoding()
  // The library's own cache re-inserts an entry at every hit, which took 40 µs per piece once it was full.
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

/** Loads the merge table, which takes a tenth of a second and 20 MB. The first count does so otherwise. */
export function loadTokenizer(): void {
  encoding()
}

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

function at(list: ArrayLike<number>, index: number): number {
  return list[index] ?? 0
}

function doubled(list: Uint32Array): Uint32Array<ArrayBuffer> {
  const longer = new Uint32Array(list.length * 2)
  longer.set(list)
  return longer
}
