import { createHash } from 'node:crypto'
import { SourceError } from '../../lib/errors.ts'
import { cachedQueries } from './cached-queries.ts'
import type { Embedder, EmbeddingPurpose } from './embedder.ts'
import type { Fetch } from '../../outbound/json-endpoint.ts'
import { postJson } from './remote-request.ts'
import { vectorsOf } from './remote-reply.ts'
import { textWindows } from './text-windows.ts'
import { windowMean } from './vectors.ts'

export interface RemoteEmbedderOptions {
  /** The base URL as OpenAI clients take it, such as http://127.0.0.1:1234/v1; see `embeddingsAddress`. */
  readonly url: string
  readonly apiKey?: string
  readonly model: string
  /** Length of the model's vectors: checked in every reply, never sent. */
  readonly dimensions: number
  readonly fetch: Fetch
  /** Prepended to each text, for models that were trained with prefixes (`query: `, `passage: `). */
  readonly queryPrefix?: string | undefined
  readonly passagePrefix?: string | undefined
  /** Maximum texts of one request. */
  readonly batchSize?: number
  /** Timeout of one request; at most 10 s for a query. */
  readonly timeoutMs?: number
  /** Retries after a temporary failure; at most one for a query. */
  readonly retries?: number
  /** Delay of the first retry, doubled for each further one. `Retry-After` has precedence. */
  readonly retryDelayMs?: number
  /** Longer texts are embedded in windows of at most this many characters, without the prefix. By default texts are sent whole. */
  readonly maxInputChars?: number
}

const rememberedQueries = 500
const queryTimeoutMs = 10_000

/**
 * Opens a model behind an OpenAI-compatible `POST …/embeddings`. Each call makes its own requests, one batch after another, so
 * a query never waits for passages here. A blank text is sent as a full stop, since endpoints refuse empty ones.
 */
export function openRemoteEmbedder(options: RemoteEmbedderOptions): Embedder {
  const { model, dimensions, fetch, apiKey, batchSize = 64, timeoutMs = 30_000, retries = 4, retryDelayMs = 500 } = options
  // The error of fetch for an invalid header would contain the key.
  if (apiKey && !/^[\x21-\x7e]+$/.test(apiKey))
    throw new Error('The API key of the embedding endpoint has characters that no header can carry')
  const address = embeddingsAddress(options.url)
  const closing = new AbortController()

  async function embed(texts: readonly string[], purpose: EmbeddingPurpose, signal?: AbortSignal): Promise<Float32Array[]> {
    const patience =
      purpose === 'query' ? { timeoutMs: Math.min(timeoutMs, queryTimeoutMs), retries: Math.min(retries, 1) } : { timeoutMs, retries }
    const stop = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal
    const windows = texts.map((text) => inputs(text, purpose, options))
    const flat = windows.flat()
    const vectors: Float32Array[] = []
    for (let at = 0; at < flat.length; at += batchSize) {
      const input = flat.slice(at, at + batchSize)
      const reply = await postJson({ fetch, address, apiKey, body: { model, input }, ...patience, retryDelayMs, signal: stop })
      vectors.push(...vectorsOf(reply, input.length, dimensions))
    }
    let next = 0
    return windows.map(({ length }) => windowMean(vectors.slice(next, (next += length))))
  }

  const embedder: Embedder = {
    model: `${model}@remote-${dimensions}${prefixVersion(options)}/float32`,
    dimensions,
    embed,
    competence: () => 1,
    async close() {
      closing.abort(new SourceError('embedding_failed', 'The embedder is closed', { retryable: true }))
    },
  }
  return cachedQueries(embedder, rememberedQueries)
}

/**
 * Returns the URL of the endpoint: `…/embeddings` is kept, an origin stands for its `/v1`, and `/embeddings` is appended to any
 * other path.
 */
export function embeddingsAddress(base: string): string {
  const url = new URL(base)
  const path = url.pathname.replace(/\/+$/, '')
  if (!path.endsWith('/embeddings')) url.pathname = `${path || '/v1'}/embeddings`
  return url.href
}

/** Vectors of texts with other prefixes are not comparable. */
function prefixVersion({ queryPrefix = '', passagePrefix = '' }: RemoteEmbedderOptions): string {
  if (queryPrefix === '' && passagePrefix === '') return ''
  return `-${createHash('sha256')
    .update(JSON.stringify([queryPrefix, passagePrefix]))
    .digest('hex')
    .slice(0, 8)}`
}

function inputs(text: string, purpose: EmbeddingPurpose, options: RemoteEmbedderOptions): string[] {
  const prefix = (purpose === 'query' ? options.queryPrefix : options.passagePrefix) ?? ''
  const windows = textWindows(withoutLoneSurrogates(text).trim() || '.', options.maxInputChars ?? Infinity)
  return windows.map((window) => prefix + window)
}

/** Lone surrogates have no UTF-8 encoding, and many servers cannot read the JSON escape. */
function withoutLoneSurrogates(text: string): string {
  return Buffer.from(text).toString()
}
