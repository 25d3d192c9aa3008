import type { Context } from '../../context.ts'
import { inTime, late } from './budget.ts'

/**
 * The query's vector; null, and a line in the log, where it cannot be had. When it takes longer it is late, and taken out of
 * the embedder's queue.
 */
export async function embedQuery(
  ctx: Pick<Context, 'embedder' | 'log'>,
  query: string,
  waitMs: number,
): Promise<Float32Array | null | typeof late> {
  const known = ctx.embedder.recall?.(query)
  if (known !== undefined) return known
  // What would come too late is not waited for: it would keep others waiting besides.
  if ((ctx.embedder.expectedMs?.() ?? 0) > waitMs) return late
  return inTime(waitMs, (signal) => embedded(ctx, query, signal))
}

async function embedded(
  { embedder, log }: Pick<Context, 'embedder' | 'log'>,
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
