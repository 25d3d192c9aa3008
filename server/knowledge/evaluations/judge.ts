import type { RagSettings, SearchBase, SearchHit, SearchReply } from '@groundwork/api'
import { notLogged } from '../retrievals/log.ts'
import { normalizeText } from '../../lib/normalize-text.ts'
import type { KnowledgeContext } from '../context.ts'

/** A question and its expected answer. */
export interface Expectation {
  readonly questionId: string
  readonly question: string
  /** Bare UUIDs; empty if any source may answer. */
  readonly expectedSourceIds: readonly string[]
  readonly expectedText: string | null
}

/** The search settings of an evaluation. */
export type SearchSettings = Pick<RagSettings, 'topK' | 'similarityThreshold' | 'hybridSearch' | 'rerank'>

/** A search function: `searchBase`, or one that searches another index. */
export type Search = (ctx: KnowledgeContext, baseId: string, input: SearchBase) => Promise<Pick<SearchReply, 'data' | 'degraded'>>

export interface Judged extends Expectation {
  /** Rank of the first right passage, from 1; null if none is in the top k. */
  readonly rank: number | null
  /** 0 to 1: the share of expected sources with any passage; without expected sources, whether there is a right passage. */
  readonly recall: number
  /** Score of the first passage, right or not; null if there is none. */
  readonly bestScore: number | null
  /** Whether the search was degraded. */
  readonly degraded: boolean
}

/** Runs a question as a caller would, without recording the search. Throws the errors of the search. */
export async function judge(
  ctx: KnowledgeContext,
  baseId: string,
  expectation: Expectation,
  { search, settings }: { search: Search; settings: SearchSettings },
): Promise<Judged> {
  const unlogged = { ...ctx, retrievals: notLogged }
  const { data, degraded } = await search(unlogged, baseId, { query: expectation.question, ...settings })
  const right = data.map((hit) => answers(hit, expectation))
  const first = right.indexOf(true)
  const found = new Set(data.map(({ sourceId }) => sourceId.slice(-36)))
  return {
    ...expectation,
    rank: first === -1 ? null : first + 1,
    recall: shareOf(expectation.expectedSourceIds, found) ?? Number(first !== -1),
    bestScore: data[0]?.score ?? null,
    degraded: degraded.length > 0,
  }
}

/** Returns the share of the expected sources that have a passage, correct or not; undefined without expected sources. */
const shareOf = (expected: readonly string[], found: ReadonlySet<string>): number | undefined =>
  expected.length === 0 ? undefined : expected.filter((id) => found.has(id)).length / expected.length

/** Returns whether a passage comes from an expected source and contains the expected text, where given. */
function answers({ sourceId, text }: SearchHit, { expectedSourceIds, expectedText }: Expectation): boolean {
  if (expectedSourceIds.length > 0 && !expectedSourceIds.includes(sourceId.slice(-36))) return false
  return expectedText === null || normalizeText(text).includes(normalizeText(expectedText))
}
