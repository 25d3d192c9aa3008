import type { Context } from '../../context.ts'
import { inTime, type late } from './budget.ts'

/**
 * The query's vector; null, and a line in the log, where it cannot be had. When it takes longer it is late, and taken out of
 * the embedder's queue.
 */
export async function embedQuery(
  ctx: Pick<Context, 'embedder' | 'log'>,
  query: string,
  waitMs: number,
): Promise<Float32Array | null | typeof late> {
  return ctx.embedder.recall?.(query) ?? inTime(waitMs, (signal) => embedded(ctx, query, signal))
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
