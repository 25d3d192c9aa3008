/** Steps of a search, in order. `index` to `passages` run once more if a source changes during the search. */
export type SearchStep = 'embed' | 'index' | 'terms' | 'rank' | 'passages' | 'rerank' | 'assemble'

/** Steps of processing a source, in order. */
export type IngestionStep = 'fetch' | 'extract' | 'chunk' | 'index' | 'publish'

/** `unchanged`: the content is that of the last time. `retried`: a temporary failure. `interrupted`: the program stopped, or lost its lease. */
export type IngestionOutcome = 'completed' | 'unchanged' | 'failed' | 'retried' | 'superseded' | 'interrupted'

/** `rejected`: the receiver answered with another status than 2xx. `unreachable`: it did not answer. */
export type WebhookOutcome = 'succeeded' | 'rejected' | 'unreachable'

/** `cold`: the index was neither in memory nor in a file. `file`: it was in a file. `update`: sources changed since the last search. */
export type IndexLoad = 'cold' | 'file' | 'update'

/** Receives durations and counts of the program's work for its metrics. The calls are cheap: they only add to numbers in memory. */
export interface Measurements {
  search(seconds: number, leftOut: readonly string[]): void
  searchStep(step: SearchStep, seconds: number): void
  indexLoad(kind: IndexLoad, seconds: number): void
  ingestionStep(step: IngestionStep, seconds: number): void
  ingestion(outcome: IngestionOutcome): void
  /** One batch of chunks, and how many of them had a vector already. */
  embeddedChunks(batch: { readonly chunks: number; readonly reused: number; readonly seconds: number }): void
  webhookAttempt(outcome: WebhookOutcome, seconds: number): void
}

const ignore = (): void => undefined

/** Records nothing. */
export const noMeasurements: Measurements = {
  search: ignore,
  searchStep: ignore,
  indexLoad: ignore,
  ingestionStep: ignore,
  ingestion: ignore,
  embeddedChunks: ignore,
  webhookAttempt: ignore,
}

/** Runs the work and passes its duration in seconds to `record`, also if it fails. */
export async function measured<T>(record: (seconds: number) => void, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  try {
    return await work()
  } finally {
    record((performance.now() - startedAt) / 1000)
  }
}
