import { AwsV4Signer } from 'aws4fetch'
import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Fetch } from '../../outbound/trusted.ts'
import type { SignedUrl } from '../incoming.ts'
import { StorageError } from '../storage-error.ts'
import { connectionError, isTransient, readRefusal, refusalError, type Refusal } from './s3-error.ts'
import { bucketOrigin, type S3Settings } from './settings.ts'

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Key below the prefix; null for the bucket itself. */
  readonly key: string | null
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** For messages, such as `reading a file`. */
  readonly action: string
  /** Codes of refusals that are returned instead of thrown. */
  readonly accept?: readonly string[]
}

export interface S3Reply {
  readonly status: number
  readonly headers: Headers
  /** Set for an accepted refusal. */
  readonly refusal: Refusal | null
}

/** Signs and sends requests to one bucket. */
export interface S3Client {
  readonly settings: S3Settings
  /**
   * Returns the answer with its whole body.
   * @throws StorageError
   */
  call(request: S3Request): Promise<S3Reply & { readonly body: Buffer }>
  /**
   * Returns the answer as soon as its headers have arrived. The caller reads or cancels the body.
   * @throws StorageError
   */
  open(request: S3Request): Promise<S3Reply & { readonly body: ReadableStream<Uint8Array> | null }>
  /** Returns the URL of a PUT request for a client without keys. The request must have exactly these headers and this length. */
  presign(request: {
    key: string
    query?: Readonly<Record<string, string>>
    headers: Readonly<Record<string, string>>
    contentLength: number
    expiresInSeconds: number
  }): Promise<SignedUrl>
  /** Returns the full key of an object, with the prefix. */
  readonly fullKey: (key: string) => string
}

export interface S3ClientOptions {
  readonly fetch: Fetch
  readonly now?: () => Date
  /** Timeout of an attempt until the headers of its answer; 20 seconds by default, and one more for each 256 KiB that are sent. */
  readonly timeoutMs?: number
  /** Pauses before repetitions of a request after an error of the connection, or an answer such as 503. */
  readonly retryPausesMs?: readonly number[]
}

const sendBytesPerMs = 256
const emptySha256 = createHash('sha256').digest('hex')

export function createS3Client(
  settings: S3Settings,
  { fetch, now = () => new Date(), timeoutMs = 20_000, retryPausesMs = [200, 1000] }: S3ClientOptions,
): S3Client {
  const { prefix, bucket, pathStyle, region, credentials } = settings
  const fullKey = (key: string): string => (prefix === '' ? key : `${prefix}/${key}`)

  const urlOf = (endpoint: string, key: string | null, query: Readonly<Record<string, string>>): URL => {
    const url = new URL(bucketOrigin(settings, endpoint))
    const object = key === null ? '' : fullKey(key)
    url.pathname = pathStyle ? `/${bucket}/${object}` : `/${object}`
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    return url
  }

  const signed = (init: { method: string; url: URL; headers: Record<string, string>; signQuery?: boolean; allHeaders?: boolean }) =>
    new AwsV4Signer({
      ...init,
      url: init.url.href,
      service: 's3',
      region,
      accessKeyId: credentials.accessKeyId,
      secretAccessKey: credentials.secretAccessKey,
      ...(credentials.sessionToken !== undefined && { sessionToken: credentials.sessionToken }),
      datetime: now()
        .toISOString()
        .replace(/[:-]|\.\d{3}/g, ''),
    }).sign()

  /** Sends the request once. */
  async function attempt({ method, key, query = {}, headers = {}, body, action }: S3Request, timeout: AbortSignal): Promise<Response> {
    const sha256 = body === undefined ? emptySha256 : createHash('sha256').update(body).digest('hex')
    const request = await signed({
      method,
      url: urlOf(settings.endpoint, key, query),
      headers: { ...headers, 'x-amz-content-sha256': sha256 },
    })
    try {
      return await fetch(request.url, {
        method,
        headers: request.headers,
        signal: timeout,
        redirect: 'manual',
        ...(body !== undefined && { body: bytesOf(body) }),
      })
    } catch (error) {
      throw connectionError(error, settings, action)
    }
  }

  /** Sends the request until it is answered with success or a lasting refusal. `read` reads the body of a success. */
  async function exchange<T>(
    request: S3Request,
    read: (response: Response) => Promise<T>,
  ): Promise<S3Reply & { body: T | null; refused: Buffer | null }> {
    for (let attempts = 0; ; attempts += 1) {
      const pause = retryPausesMs[attempts]
      const timeout = new AbortController()
      const timer = globalThis.setTimeout(
        () => timeout.abort(new DOMException('timeout', 'TimeoutError')),
        timeoutMs + (request.body?.length ?? 0) / sendBytesPerMs,
      )
      try {
        const response = await attempt(request, timeout.signal)
        const { status, headers } = response
        if (response.ok) return { status, headers, refusal: null, body: await reading(read(response), request), refused: null }
        const text = await reading(response.text(), request)
        const refusal = readRefusal(status, headers, text)
        if (request.accept?.includes(refusal.code) === true) return { status, headers, refusal, body: null, refused: Buffer.from(text) }
        if (pause === undefined || !isTransient(refusal)) throw refusalError(refusal, settings, request.action, now())
      } catch (error) {
        if (pause === undefined || !(error instanceof StorageError) || error.failure !== 'unreachable') throw error
      } finally {
        clearTimeout(timer)
      }
      await setTimeout(pause)
    }
  }

  const reading = <T>(body: Promise<T>, { action }: S3Request): Promise<T> =>
    body.catch((error: unknown) => {
      throw connectionError(error, settings, action)
    })

  return {
    settings,
    fullKey,
    async call(request) {
      const { body, refused, ...reply } = await exchange(request, async (response) => Buffer.from(await response.arrayBuffer()))
      return { ...reply, body: body ?? refused ?? Buffer.alloc(0) }
    },
    async open(request) {
      const { body, status, headers, refusal } = await exchange(request, async (response) => response.body)
      return { status, headers, refusal, body }
    },
    async presign({ key, query = {}, headers, contentLength, expiresInSeconds }) {
      const url = urlOf(settings.publicEndpoint, key, { ...query, 'X-Amz-Expires': String(expiresInSeconds) })
      const request = await signed({
        method: 'PUT',
        url,
        headers: { ...headers, 'content-length': String(contentLength) },
        signQuery: true,
        // Signs Content-Length and Content-Type as well: the service refuses other bytes than announced.
        allHeaders: true,
      })
      return { url: request.url.href, headers }
    },
  }
}

/** Safe cast: TypeScript distinguishes the buffers below a Uint8Array, fetch does not. */
const bytesOf = (body: Uint8Array): Uint8Array<ArrayBuffer> => body as Uint8Array<ArrayBuffer>
