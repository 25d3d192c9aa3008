import type { Context } from '../context.ts'
import type { Measurements } from '../lib/measurements.ts'
import type { SecretKeys } from '../lib/secrets.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { Storage } from '../storage/storage.ts'
import type { Embedder } from './embed/embedder.ts'
import type { FormerModels } from './embed/former/former-models.ts'
import type { Previewer } from './preview/previewer.ts'
import type { SourceSubscriber } from './rows/source-subscriber.ts'
import type { Reranker } from './rerank/reranker.ts'
import type { RetrievalLog } from './retrievals/log.ts'
import type { SearchLatencies } from './search/latency-budget.ts'
import type { SearchEngine } from './engine/search-engine.ts'
import type { SearchIndexes } from './index/search-indexes.ts'

/** The services of knowledge bases. */
export interface KnowledgeServices {
  readonly storage: Storage
  /** Embeds new content, and the queries of content that it has embedded. */
  readonly embedder: Embedder
  /** Embed the queries of content that has vectors of another model. */
  readonly formerModels: FormerModels
  readonly indexes: SearchIndexes
  /** Null if no search engine is configured. */
  readonly searchEngine: SearchEngine | null
  readonly sourceSubscribers: readonly SourceSubscriber[]
  readonly searchLatencies: SearchLatencies
  readonly measurements: Measurements
  /** Null if no reranker is configured. */
  readonly reranker: Reranker | null
  /** Checks whether outbound requests to a URL are allowed. Code that sends requests receives `Outbound` itself. */
  readonly outbound: Pick<Outbound, 'check'>
  /** Extracts and chunks documents without storing them. */
  readonly previewer: Previewer
  /** Logs searches after the response is sent. */
  readonly retrievals: RetrievalLog
  /** The URL of the video service: YouTube, or a replacement that the operator set. */
  readonly youtubeUrl: string
  /** Signs upload URLs. */
  readonly secretKey: SecretKeys
}

export interface KnowledgeContext extends Context, KnowledgeServices {}
