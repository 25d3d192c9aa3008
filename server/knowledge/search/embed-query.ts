import type { KnowledgeContext } from '../context.ts'
import { withinTime, late } from './latency-budget.ts'

/**
 * Returns the vector of the query; null, with a log entry, if it cannot be embedded; `late` after `waitMs` milliseconds,
 * which also removes it from the embedder's queue.
 */
export async function embedQuery(
  ctx: Pick<KnowledgeContext, 'embedder' | 'log'>,
  query: string,
  waitMs: number,
): Promise<Float32Array | null | typeof late> {
  const known = ctx.embedder.recall?.(query)
  if (known !== undefined) return known
  // Does not start an embedding that would be late: it would delay others as well.
  if ((ctx.embedder.expectedMs?.() ?? 0) > waitMs) return late
  return withinTime(waitMs, (signal) => embedded(ctx, query, signal))
}

async function embedded(
  { embedder, log }: Pick<KnowledgeContext, 'embedder' | 'log'>,
  query: string,
  signal: AbortSignal,
): Promise<Float32Array | null> {
  try {
    const [vector] = await embedder.embed([query], 'query', signal)
    return vector ?? null
  } catch (error) {
    if (!signal.aborted) log.error({ err: error }, 'a query could not be embedded')
    return null
  }
}
