import { setTimeout as sleep } from 'node:timers/promises'
import { relevancesOf } from './remote-reply.ts'
import type { Fetch } from '../../outbound/json-endpoint.ts'
import { postForm, RefusedError } from './remote-request.ts'
import { maxDocumentLength, RerankError, wellFormed, type Reranker } from './reranker.ts'

export interface RemoteRerankerOptions {
  /** Base URL or the URL of `/rerank` itself; see `rerankAddress`. */
  readonly url: string
  readonly apiKey?: string
  /** Optional for endpoints with a single model. */
  readonly model?: string
  readonly fetch: Fetch
  /** Timeout of all attempts together; 3 s by default. */
  readonly timeoutMs?: number
  readonly retryDelayMs?: number
}

/** Cohere, Jina, vLLM and others take `documents`; Text Embeddings Inference takes `texts`, at most 32 at once by default. */
type Form = 'documents' | 'texts'
const textsAtOnce = 32

/**
 * Opens a model behind `POST …/rerank`. Requests have the form of Cohere and Jina, or that of Text Embeddings Inference once
 * the endpoint has refused the former. Retries once at most.
 */
export function openRemoteReranker(options: RemoteRerankerOptions): Reranker {
  const { model, apiKey, fetch, timeoutMs = 3000, retryDelayMs = 100 } = options
  // The error of fetch for an invalid header would contain the key.
  if (apiKey && !/^[\x21-\x7e]+$/.test(apiKey))
    throw new Error('The API key of the reranking endpoint has characters that no header can carry')
  const address = rerankAddress(options.url)
  let known: Form | undefined

  async function ask(form: Form, query: string, documents: readonly string[], signal: AbortSignal): Promise<number[]> {
    const post = (body: object): Promise<unknown> => postForm({ fetch, address, apiKey, body, signal })
    if (form === 'documents') {
      const body = { ...(model !== undefined && { model }), query, documents, top_n: documents.length }
      return relevancesOf(await post(body), documents.length)
    }
    const batches = Array.from({ length: Math.ceil(documents.length / textsAtOnce) }, (_, at) =>
      documents.slice(at * textsAtOnce, (at + 1) * textsAtOnce),
    )
    const asked = batches.map(async (texts) => relevancesOf(await post({ query, texts, truncate: true }), texts.length))
    return (await Promise.all(asked)).flat()
  }

  async function attempts(query: string, documents: readonly string[], signal: AbortSignal): Promise<number[]> {
    const form = known ?? 'documents'
    try {
      const relevances = await ask(form, query, documents, signal)
      known = form
      return relevances
    } catch (error) {
      signal.throwIfAborted()
      if (known === undefined && error instanceof RefusedError) {
        const relevances = await ask('texts', query, documents, signal)
        known = 'texts'
        return relevances
      }
      if (!(error instanceof RerankError) || !error.retryable) throw error
      await sleep(retryDelayMs, undefined, { signal })
      return ask(form, query, documents, signal)
    }
  }

  return {
    model,
    async rerank(query, documents, signal) {
      if (documents.length === 0) return []
      const late = AbortSignal.timeout(timeoutMs)
      const texts = documents.map((document) => wellFormed(document.slice(0, maxDocumentLength)))
      try {
        return await attempts(wellFormed(query), texts, AbortSignal.any([signal, late]))
      } catch (error) {
        signal.throwIfAborted()
        if (late.aborted) throw new RerankError(`The reranking endpoint gave no answer in ${timeoutMs} ms`, { cause: error })
        throw error
      }
    },
  }
}

/** Returns the URL of the endpoint: `…/rerank` is kept, and `/rerank` is appended to any other path. */
export function rerankAddress(base: string): string {
  const url = new URL(base)
  const path = url.pathname.replace(/\/+$/, '')
  if (!path.endsWith('/rerank')) url.pathname = `${path}/rerank`
  return url.href
}
