import type { KnowledgeContext } from '../context.ts'
import type { Embedder } from '../embed/embedder.ts'
import type { BaseScope } from '../index/search-scope.ts'
import { late, withinTime } from './latency-budget.ts'
import { queryCompetence } from './query-competence.ts'

/** A query as one embedding model compares it. */
export interface EmbeddedQuery {
  readonly embedder: Embedder
  /** Of unit length; null if the query was not embedded. */
  readonly vector: Float32Array | null
  /** How far the vector means something, 0 to 1, see `queryCompetence`. */
  readonly competence: number
  /** Whether the model failed. */
  readonly failed: boolean
}

/**
 * Returns the query embedded by each model whose vectors the scope has: the program's model first, unless it has none of its vectors;
 * only the program's model if no other is available. Without a scope, the program's model.
 */
export type QueryEmbedder = (scope: readonly BaseScope[] | undefined) => Promise<EmbeddedQuery[]>

/** Embeds a query with several models, at most once with each. @param waitMs returns the milliseconds that there are for it */
export function queryEmbedder(
  ctx: Pick<KnowledgeContext, 'embedder' | 'formerModels' | 'log'>,
  query: string,
  waitMs: () => number,
): QueryEmbedder {
  const embedded = new Map<Embedder, Promise<EmbeddedQuery>>()

  async function availableModels(scope: readonly BaseScope[]): Promise<Embedder[]> {
    const models = new Set(scope.flatMap((base) => base.models))
    const { embedder } = ctx
    const others = [...models].filter((model) => model !== embedder.model)
    if (others.length === 0) return [embedder]
    const opened = await Promise.all(others.map((model) => withinTime(waitMs(), () => ctx.formerModels.find(model))))
    const former = opened.filter((each) => each !== null && each !== late)
    return former.length === 0 || models.has(embedder.model) ? [embedder, ...former] : former
  }

  async function embedWith(embedder: Embedder): Promise<EmbeddedQuery> {
    const competence = queryCompetence(query, embedder)
    const vector = competence === 0 ? null : await embedQuery({ embedder, log: ctx.log }, query, waitMs())
    return { embedder, competence, vector: vector === late ? null : vector, failed: vector === null && competence > 0 }
  }

  return async (scope = []) =>
    Promise.all(
      (await availableModels(scope)).map((embedder) => {
        const result = embedded.get(embedder) ?? embedWith(embedder)
        embedded.set(embedder, result)
        return result
      }),
    )
}

/**
 * Returns the vector of the query; null, with a log entry, if it cannot be embedded; `late` after `waitMs` milliseconds,
 * which also removes it from the embedder's queue.
 */
async function embedQuery(
  ctx: Pick<KnowledgeContext, 'embedder' | 'log'>,
  query: string,
  waitMs: number,
): Promise<Float32Array | null | typeof late> {
  const known = ctx.embedder.recall?.(query)
  if (known !== undefined) return known
  // Does not start an embedding that would be late: it would delay others as well.
  if ((ctx.embedder.expectedMs?.() ?? 0) > waitMs) return late
  return withinTime(waitMs, (signal) => vectorOf(ctx, query, signal))
}

async function vectorOf(
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
