import { sql } from 'kysely'
import { selectSql, type Context } from '../../context.ts'
import { termsBeginningWith, type QueryTerm } from './analyze.ts'
import type { Term } from './base-index.ts'
import type { WeightedTerms } from './query-terms.ts'

/** The last word of a query that is not finished yet. */
export interface Beginning {
  /** As it is written, in lower case. */
  readonly word: string
  /** The word as the query has it anyway, in the languages where it is one. */
  readonly own: readonly QueryTerm[]
  /** It, and what terms of the bases begin so; each once. */
  readonly terms: readonly Term[]
}

const fewestLetters = 3
/** Terms that a beginning stands for at most, the most frequent ones. */
const mostTerms = 24
/** Rows of the index that are looked at to find them. */
const mostRows = 5000

/**
 * What the end of the text may be the beginning of; null where it ends behind a word, or in one that is too short, that no
 * language of the bases has, or of a script without spaces.
 * @param terms of the text
 */
export async function readBeginning(
  ctx: Context,
  baseIds: readonly string[],
  text: string,
  terms: readonly QueryTerm[],
): Promise<Beginning | null> {
  const word = /[\p{L}\p{M}\p{N}]+$/u.exec(text.normalize('NFKC').toLowerCase())?.[0] ?? ''
  if ([...word].length < fewestLetters) return null
  const group = terms.findLast((term) => term.word.endsWith(word))?.group
  const own = terms.filter((term) => term.group === group)
  if (own.length === 0) return null
  const languages = own.map(({ language }) => language)
  const { prefix, shorter } = termsBeginningWith(word, languages)
  const rows = await selectSql(
    ctx,
    sql<Term>`
    select term, language from (
      select term, language, cardinality(entries) as chunks from posting
      where organization_id = (select app_organization()) and base_id = any(${baseIds}::uuid[])
        and term >= ${prefix} collate "C" and term < ${`${prefix}\u{10ffff}`} collate "C" and language = any(${languages}::text[])
      limit ${mostRows}::integer
    ) as p
    group by term, language order by sum(chunks) desc, term, language limit ${mostTerms}::integer`,
  )
  const all = [...own, ...rows, ...shorter].map(({ term, language }) => [`${language} ${term}`, { term, language }] as const)
  return { word, own, terms: [...new Map(all).values()] }
}

/**
 * The terms with the beginning as one word more, which a chunk has as often as all of its terms together. The word itself, if
 * it stands anywhere, and what begins with it weigh half each: so a whole match weighs no more than it would without, and a
 * beginning, which is never rarer, no more than a whole match.
 */
export function withBeginning({ terms, weights }: WeightedTerms, beginning: Beginning, stands: boolean): WeightedTerms {
  const [first] = beginning.own
  if (first === undefined) return { terms, weights }
  const share = stands ? 0.5 : 1
  const anyOf = { group: weights.length, word: `${beginning.word}…`, term: '', language: first.language, anyOf: beginning.terms }
  return {
    terms: [...terms, anyOf],
    weights: [...weights.map((weight, group) => (group === first.group ? weight * share : weight)), share],
  }
}
