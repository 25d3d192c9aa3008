import { defaultRagSettings, type SearchBase, type SearchBases, type SearchReply } from '@groundwork/api'
import { outsideRequestTransaction } from '../../context.ts'
import { AppError } from '../../lib/errors.ts'
import type { Measurements } from '../../lib/measurements.ts'
import type { KnowledgeContext } from '../context.ts'
import { noBase, requireAll } from '../rows/bases.ts'
import { storedSettings } from '../rows/settings.ts'
import { assembleReply } from './assemble-reply.ts'
import { conversationQuery, searchedText } from './conversation.ts'
import { budgetOf, late, withinTime } from './latency-budget.ts'
import { orderBySentences } from './order-by-sentences.ts'
import { rerankHits } from './rerank-hits.ts'
import { retrieve, type SettingsOf } from './retrieve.ts'
import { resolveScope, type BaseScope } from '../index/search-scope.ts'

/**
 * Returns the passages of one knowledge base that answer the query, best first. The settings of the knowledge base apply
 * where the input has none. When the query cannot be embedded by the model of a source, its passages are found
 * by their terms alone; passages that cannot be reranked keep the score of the search. `degraded` names what was left out.
 * @throws AppError `not_found` for the knowledge base; `unavailable` when a vector search has no embedding; for a re-index
 * `validation_error` if it does not exist and `conflict` if it has ended
 */
export function searchBase(ctx: KnowledgeContext, baseId: string, input: SearchBase): Promise<SearchReply> {
  return search(ctx, [baseId], input, ([base]) => {
    if (base === undefined) throw noBase()
    if (input.reindexId !== undefined) requireSearchableReindex(base)
    return storedSettings(base.ragSettings)
  })
}

/** @throws AppError `validation_error` for a re-index that does not exist, `conflict` for one that has ended */
function requireSearchableReindex({ reindexStatus = null }: BaseScope): void {
  if (reindexStatus === null)
    throw new AppError('validation_error', 'reindexId names a re-index that this knowledge base does not have', { field: 'reindexId' })
  if (reindexStatus !== 'building' && reindexStatus !== 'ready')
    throw new AppError('conflict', `Only a re-index that is building or ready can be searched. This one is ${reindexStatus}.`, {
      field: 'reindexId',
    })
}

/**
 * Returns the passages of several knowledge bases on one scale, best first. The default settings apply where the input has
 * none; the settings of the knowledge bases are ignored.
 * @throws AppError `validation_error` for a knowledge base that does not exist, `unavailable` as in `searchBase`
 */
export function searchBases(ctx: KnowledgeContext, { baseIds, ...input }: SearchBases): Promise<SearchReply> {
  return search(ctx, baseIds, input, (bases) => {
    requireAll(baseIds, bases)
    return defaultRagSettings
  })
}

/** Resolves the scope, retrieves passages, compares their sentences, reranks them, assembles the reply and records the search. */
async function search(ctx: KnowledgeContext, baseIds: readonly string[], input: SearchBase, settingsOf: SettingsOf): Promise<SearchReply> {
  const startedAt = performance.now()
  const budget = budgetOf(ctx, input.latencyBudgetMs)
  const conversation = input.messages === undefined ? { text: input.query ?? '', earlier: '' } : conversationQuery(input.messages)
  const query = searchedText(conversation)
  // Outside the request transaction: none may be open while the reranker works.
  const searching = outsideRequestTransaction(ctx)
  const scope = resolveScope(searching, baseIds, input)
  const retrieved = await retrieve(searching, { scope, baseIds, input, conversation, query, settingsOf, budget })
  const ordered = orderBySentences(retrieved, budget)
  const { hits } = ordered
  const reranked =
    hits === late || !retrieved.extras.rerank ? null : await withinTime(budget.leftMs(), (signal) => rerankHits(ctx, query, hits, signal))
  const reply = assembleReply({ query, input, startedAt, budget, retrieved, ordered, reranked })
  // Searches of a re-index and of unfinished queries are not questions that a user asked.
  if (input.reindexId === undefined && input.partial !== true) ctx.retrievals.record(ctx, baseIds, reply)
  measure(ctx.measurements, reply)
  if (input.latencyBudgetMs !== undefined) ctx.searchLatencies.deadlineOvershoot.record(Math.max(0, -budget.leftMs()))
  return reply
}

/** Records the steps that the reply has timings of; the search itself records the others. */
function measure(measurements: Measurements, { timings, degraded }: SearchReply): void {
  const { rerankMs = 0 } = timings
  measurements.search(timings.totalMs / 1000, degraded)
  measurements.searchStep('embed', timings.embedMs / 1000)
  if (rerankMs > 0) measurements.searchStep('rerank', rerankMs / 1000)
  measurements.searchStep('assemble', timings.assembleMs / 1000)
}
