import type { Logger } from 'pino'
import type { Embedder } from '../embedder.ts'

/** Embedding models that the operator used before, while knowledge bases have vectors of them. */
export interface FormerModels {
  /** Returns the embedder with this `model`, or null if it is not available. The first call loads it. */
  find(model: string): Promise<Embedder | null>
  close(): Promise<void>
}

export interface FormerModelsOptions {
  /** Opens a model by its name. Returns null if it is not available. */
  readonly open: (model: string) => Promise<Embedder | null>
  readonly log: Pick<Logger, 'info' | 'warn'>
  /** Milliseconds after the last use until a model is closed. */
  readonly idleMs?: number
  /** Milliseconds until an unavailable model is tried again. */
  readonly retryMs?: number
}

interface OpenModel {
  readonly opening: Promise<Embedder | null>
  readonly timer: NodeJS.Timeout
}

/** Creates the former models. None is loaded before it is needed. */
export function createFormerModels({ open, log, idleMs = 600_000, retryMs = 60_000 }: FormerModelsOptions): FormerModels {
  const models = new Map<string, OpenModel>()

  async function load(model: string): Promise<Embedder | null> {
    try {
      const embedder = await open(model)
      if (embedder === null) log.warn({ model }, 'a former embedding model is not available: its passages are found by their terms only')
      else log.info({ model }, 'a former embedding model is loaded, because knowledge bases have vectors of it')
      return embedder
    } catch (err) {
      log.warn({ err, model }, 'a former embedding model cannot be loaded: its passages are found by their terms only')
      return null
    }
  }

  async function release(model: string): Promise<void> {
    const entry = models.get(model)
    models.delete(model)
    clearTimeout(entry?.timer)
    await (await entry?.opening)?.close()
  }

  function use(model: string, { opening }: Pick<OpenModel, 'opening'>, ms: number): void {
    clearTimeout(models.get(model)?.timer)
    const timer = setTimeout(() => {
      release(model).catch((err: unknown) => log.warn({ err, model }, 'a former embedding model could not be closed'))
    }, ms).unref()
    models.set(model, { opening, timer })
  }

  return {
    async find(model) {
      const known = models.get(model)
      const opening = known?.opening ?? load(model)
      if (known === undefined) use(model, { opening }, retryMs)
      const embedder = await opening
      if (embedder !== null && models.get(model)?.opening === opening) use(model, { opening }, idleMs)
      return embedder
    },
    async close() {
      await Promise.all(Array.from(models.keys(), release))
    },
  }
}
