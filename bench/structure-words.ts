/** Words as the measures compare them: letters and digits in lower case; single characters in scripts without spaces. */
export function wordsOf(text: string): string[] {
  const joined = text.normalize('NFKC').replace(/(?<=\p{L})[-\u00AD\u2010]\n\s*(?=\p{Ll})/gu, '')
  return joined.toLowerCase().match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}]+/gu) ?? []
}

/** The letters and digits of a heading without its number: `2.1. Scope`, `Chapter 2 Scope` and `SCOPE` are the same. */
export function headingKey(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase().trim()
  const label =
    /^(?:chapter|part|appendix|annex|section|kapitel|teil|anhang|chapitre|partie|annexe|cap[ií]tulo|глава|часть|приложение)\s+(?:\d+|[ivxlc]+|[a-z])\b[\s.:–—-]*(?=\S)/u
  const number = /^(?:\d+|[a-z](?=\.\d)|[ivxlc]+(?=\.\s))(?:\.\d+)*[.)]?\s+(?=\S)/u
  return (
    plain
      .replace(label, '')
      .replace(number, '')
      .replace(/[^\p{L}\p{N}]/gu, '') || plain.replace(/[^\p{L}\p{N}]/gu, '')
  )
}

const maxWords = 30_000

/**
 * Returns how well the order of words agrees, 0 to 1: the longest common subsequence as a share of the words in common. Texts
 * are compared up to 30,000 words. (Hunt and Szymanski 1977)
 */
export function orderScore(expected: string, actual: string): number {
  const places = new Map<string, number[]>()
  wordsOf(actual)
    .slice(0, maxWords)
    .forEach((word, at) => {
      const known = places.get(word)
      if (known) known.push(at)
      else places.set(word, [at])
    })
  const used = new Map<string, number>()
  /** For each length, the earliest end of a common subsequence of that length. */
  const ends: number[] = []
  let common = 0
  for (const word of wordsOf(expected).slice(0, maxWords)) {
    const at = places.get(word)
    if (!at) continue
    const count = (used.get(word) ?? 0) + 1
    used.set(word, count)
    if (count <= at.length) common++
    // From the last place to the first, so that one word is not used twice.
    for (let place = at.length - 1; place >= 0; place--) {
      const end = at[place] ?? 0
      ends[firstAtLeast(ends, end)] = end
    }
  }
  return common === 0 ? 1 : Math.min(1, ends.length / common)
}

function firstAtLeast(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? Infinity) < value) low = middle + 1
    else high = middle
  }
  return low
}
