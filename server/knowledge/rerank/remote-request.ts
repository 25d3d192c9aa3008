import { parseJson, jsonPost, endpointError, type Fetch } from '../../outbound/json-endpoint.ts'
import { RerankError } from './reranker.ts'

/** The endpoint does not accept this form of body. */
export class RefusedError extends RerankError {}

export interface FormRequest {
  readonly fetch: Fetch
  readonly address: string
  readonly apiKey: string | undefined
  readonly body: object
  readonly signal: AbortSignal
}

/** Enough for some dozens of relevances, even if the endpoint repeats the texts. */
const maxReplyBytes = 2_000_000

/**
 * Posts JSON and reads JSON of at most 2 MB, without retries.
 * @throws RefusedError for 400 and 422, RerankError, or the signal's reason
 */
export async function postForm({ fetch, address, apiKey, body, signal }: FormRequest): Promise<unknown> {
  const response = await fetch(address, {
    ...jsonPost(body, apiKey),
    signal,
  }).catch((cause: unknown) => unreachable(cause, signal))
  const text = await boundedText(response).catch((cause: unknown) => unreachable(cause, signal))
  if (response.ok) return parseJson(text)
  const { status } = response
  const cause = endpointError(status, text, apiKey)
  const message = `The reranking endpoint answered ${status}`
  if (status === 400 || status === 422) throw new RefusedError(message, { cause })
  throw new RerankError(message, { retryable: status === 408 || status >= 500, cause })
}

function unreachable(cause: unknown, signal: AbortSignal): never {
  signal.throwIfAborted()
  if (cause instanceof RerankError) throw cause
  throw new RerankError('The reranking endpoint cannot be reached', { retryable: true, cause })
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > maxReplyBytes) throw new RerankError(`The reranking endpoint answered more than ${maxReplyBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
