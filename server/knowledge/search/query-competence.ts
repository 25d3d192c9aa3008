import type { Embedder } from '../embed/embedder.ts'

/** Scripts and the languages that are written in them. */
const scripts: readonly [letters: RegExp, languages: readonly string[]][] = [
  [/\p{Script=Han}/gu, ['zh', 'ja']],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, ['ja']],
  [/\p{Script=Hangul}/gu, ['ko']],
  [/\p{Script=Cyrillic}/gu, ['ru', 'uk', 'bg', 'sr', 'kk']],
  [/\p{Script=Greek}/gu, ['el']],
  [/\p{Script=Arabic}/gu, ['ar', 'fa', 'ur']],
  [/\p{Script=Hebrew}/gu, ['he', 'yi']],
  [/\p{Script=Devanagari}/gu, ['hi', 'mr', 'ne']],
  [/\p{Script=Bengali}/gu, ['bn', 'as']],
  [/\p{Script=Gurmukhi}/gu, ['pa']],
  [/\p{Script=Gujarati}/gu, ['gu']],
  [/\p{Script=Oriya}/gu, ['or']],
  [/\p{Script=Tamil}/gu, ['ta']],
  [/\p{Script=Telugu}/gu, ['te']],
  [/\p{Script=Kannada}/gu, ['kn']],
  [/\p{Script=Malayalam}/gu, ['ml']],
  [/\p{Script=Sinhala}/gu, ['si']],
  [/\p{Script=Thai}/gu, ['th']],
  [/\p{Script=Lao}/gu, ['lo']],
  [/\p{Script=Khmer}/gu, ['km']],
  [/\p{Script=Myanmar}/gu, ['my']],
  [/\p{Script=Tibetan}/gu, ['bo']],
  [/\p{Script=Armenian}/gu, ['hy']],
  [/\p{Script=Georgian}/gu, ['ka']],
  [/\p{Script=Ethiopic}/gu, ['am', 'ti']],
]

/** Texts whose letters are all Latin, or European signs. */
const latinOnly = /^(?:[^\u0370-\u{10ffff}]|[\u1e00-\u1eff\u2000-\u2bff])*$/u

/**
 * Returns how far the vector of a query means something to the embedder, 0 to 1: the mean of its competence over the letters,
 * each in the best known language of its script. Latin letters count 1: `comparedInLanguage` tells their language among those of
 * the chunks.
 */
export function queryCompetence(query: string, embedder: Pick<Embedder, 'competence'>): number {
  if (latinOnly.test(query)) return 1
  let [letters, competent] = [0, 0]
  for (const [pattern, languages] of [[/\p{Script=Latin}/gu, null] as const, ...scripts]) {
    const count = query.match(pattern)?.length ?? 0
    letters += count
    competent +=
      count === 0 ? 0 : count * (languages === null ? 1 : Math.max(...languages.map((language) => embedder.competence(language))))
  }
  return letters === 0 ? 1 : competent / letters
}
