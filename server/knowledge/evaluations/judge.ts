import type { RagSettings, SearchBase, SearchHit, SearchReply } from '@groundwork/api'
import type { Context } from '../../context.ts'
import { notLogged } from '../retrievals/log.ts'
import { plainText } from '../../lib/plain-text.ts'

/** What is asked, and what answers it. */
export interface Expectation {
  readonly questionId: string
  readonly question: string
  /** Bare UUIDs; empty where any source may answer. */
  readonly expectedSourceIds: readonly string[]
  readonly expectedText: string | null
}

/** What a search is made with in an evaluation. */
export type SearchSettings = Pick<RagSettings, 'topK' | 'similarityThreshold' | 'hybridSearch' | 'rerank'>

/** How the passages are found: `searchBase`, or something of its form that looks into another index. */
export type Search = (ctx: Context, baseId: string, input: SearchBase) => Promise<Pick<SearchReply, 'data' | 'degraded'>>

export interface Judged extends Expectation {
  /** Place of the first right passage, from 1; null where none is among the first topK. */
  readonly rank: number | null
  /** 0 to 1: of the expected sources, the share of which a right passage came back; without any, whether one came back. */
  readonly recall: number
  /** Of the first passage, right or not; null where none came back. */
  readonly bestScore: number | null
  /** Whether the search was not complete. */
  readonly degraded: boolean
}

/** Asks the question as a caller would, but that it is not written down as asked. Throws as the search does. */
export async function judge(
  ctx: Context,
  baseId: string,
  expectation: Expectation,
  { search, settings }: { search: Search; settings: SearchSettings },
): Promise<Judged> {
  const unlogged = { ...ctx, retrievals: notLogged }
  const { data, degraded } = await search(unlogged, baseId, { query: expectation.question, ...settings })
  const right = data.map((hit) => answers(hit, expectation))
  const first = right.indexOf(true)
  const answering = new Set(data.filter((_hit, index) => right[index]).map(({ sourceId }) => sourceId))
  return {
    ...expectation,
    rank: first === -1 ? null : first + 1,
    recall: expectation.expectedSourceIds.length === 0 ? Number(first !== -1) : answering.size / expectation.expectedSourceIds.length,
    bestScore: data[0]?.score ?? null,
    degraded: degraded.length > 0,
  }
}

/** Whether it is a passage of an expected source, where any are named, and has the expected text, where there is one. */
function answers({ sourceId, text }: SearchHit, { expectedSourceIds, expectedText }: Expectation): boolean {
  if (expectedSourceIds.length > 0 && !expectedSourceIds.includes(sourceId.slice(-36))) return false
  return expectedText === null || plainText(text).includes(plainText(expectedText))
}
