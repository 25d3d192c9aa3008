import { sql } from 'kysely'
import { selectSql, type ReadContext } from '../../context.ts'
import { termsBeginningWith, type QueryTerm } from './analyze.ts'
import type { Term } from './base-index.ts'
import type { WeightedTerms } from './query-terms.ts'

/** The unfinished last word of a query. */
export interface UnfinishedWord {
  /** In lower case. */
  readonly word: string
  /** Its terms as a complete word, one for each language that has it. */
  readonly own: readonly QueryTerm[]
  /** The distinct index terms that begin with it, `own` included. */
  readonly terms: readonly Term[]
}

/** Shorter words are not expanded. */
const minLetters = 3
/** Terms of an expansion, the most frequent ones. */
const maxTerms = 24
/** Index rows that are read to find them. */
const maxRows = 5000

/**
 * Returns the index terms that begin with the last word of the text. Returns null if the text ends after a word, or if the
 * word is too short, is a stop word in every language of the knowledge bases, or is written in a script without spaces.
 * @param terms the analyzed terms of the text
 */
export async function readPrefixTerms(
  ctx: ReadContext,
  baseIds: readonly string[],
  text: string,
  terms: readonly QueryTerm[],
): Promise<UnfinishedWord | null> {
  const word = /[\p{L}\p{M}\p{N}]+$/u.exec(text.normalize('NFKC').toLowerCase())?.[0] ?? ''
  if ([...word].length < minLetters) return null
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
      limit ${maxRows}::integer
    ) as p
    group by term, language order by sum(chunks) desc, term, language limit ${maxTerms}::integer`,
  )
  const all = [...own, ...rows, ...shorter].map(({ term, language }) => [`${language} ${term}`, { term, language }] as const)
  return { word, own, terms: [...new Map(all).values()] }
}

/**
 * Returns the terms with the expansion as one additional word, whose frequency in a chunk is the sum over its terms. If the
 * word itself occurs in the index, it and the expansion count half each. So a whole match counts no more than without
 * expansion, and a prefix match, which is never rarer, no more than a whole match.
 */
export function withPrefixExpansion({ terms, weights }: WeightedTerms, unfinished: UnfinishedWord, occurs: boolean): WeightedTerms {
  const [first] = unfinished.own
  if (first === undefined) return { terms, weights }
  const share = occurs ? 0.5 : 1
  const anyOf = { group: weights.length, word: `${unfinished.word}…`, term: '', language: first.language, anyOf: unfinished.terms }
  return {
    terms: [...terms, anyOf],
    weights: [...weights.map((weight, group) => (group === first.group ? weight * share : weight)), share],
  }
}
