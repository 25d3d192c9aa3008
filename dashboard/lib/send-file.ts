import { GroundworkError, type Groundwork, type Upload } from '@groundwork/sdk'

/** Allows for a file of 200 MB over a slow connection. */
const timeoutMs = 3_600_000

/** The SDK sends larger files in parts. */
const maxWholeBytes = 8 * 2 ** 20

type Progress = (sentBytes: number) => void

/** The progress callback of each file that is being sent. */
const listeners = new WeakMap<Blob, Progress>()

interface SendOptions {
  readonly signal: AbortSignal
  readonly onProgress: Progress
  /** An interrupted upload of this file in parts, which is continued. */
  readonly uploadId?: string | undefined
  /** Called with the id of an upload in parts, before its first part is sent. */
  readonly onParts?: (uploadId: string) => void
}

/** Uploads a file with the SDK and reports progress. */
export async function sendFile(
  client: Groundwork,
  file: File,
  { signal, onProgress, uploadId, onParts }: SendOptions,
): Promise<Pick<Upload, 'storageUrl'>> {
  // The SDK reports the parts of larger files. It would stream a smaller one, which browsers only do over HTTP/2.
  const ofParts = file.size > maxWholeBytes && { onProgress: ({ sentBytes }: { sentBytes: number }) => onProgress(sentBytes) }
  const options = { signal, timeoutMs, ...ofParts }
  if (uploadId !== undefined) {
    try {
      return await client.uploads.resume(uploadId, file, options)
    } catch (error) {
      // After a day, the upload has expired, and the file is sent again.
      if (!(error instanceof GroundworkError) || error.code !== 'not_found') throw error
    }
  }
  listeners.set(file, onProgress)
  try {
    return await client.uploads.create(file, {
      ...options,
      ...(file.type === '' && { type: 'application/octet-stream' }),
      onCreated: ({ id, parts }) => parts !== null && onParts?.(id),
    })
  } finally {
    listeners.delete(file)
  }
}

/**
 * A `fetch` that reports the upload progress of files. Uses XMLHttpRequest, because browsers report progress only there.
 * Sends uploads to the origin of the page, even if the server is configured with another BASE_URL.
 */
export function fetchWithProgress(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const { body } = init
  if (!(body instanceof Blob) || typeof input !== 'string') return fetch(input, init)
  const url = new URL(input, window.location.href)
  return send(url.pathname.startsWith('/v1/uploads/') ? url.pathname : input, body, init)
}

function send(url: string, body: Blob, { method = 'PUT', headers, signal }: RequestInit): Promise<Response> {
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest()
    request.open(method, url)
    new Headers(headers).forEach((value, name) => request.setRequestHeader(name, value))
    request.upload.addEventListener('progress', ({ loaded }) => listeners.get(body)?.(loaded))
    request.addEventListener('load', () => done(responseOf(request)))
    request.addEventListener('error', () => fail(new TypeError('The connection failed.')))
    request.addEventListener('abort', () => fail(new DOMException('The upload was cancelled.', 'AbortError')))
    signal?.addEventListener('abort', () => request.abort())
    if (signal?.aborted) return fail(new DOMException('The upload was cancelled.', 'AbortError'))
    return request.send(body)
  })
}

function responseOf(request: XMLHttpRequest): Response {
  const { status, responseText } = request
  const headers = new Headers()
  for (const line of request.getAllResponseHeaders().trim().split('\r\n')) {
    const [name = '', ...value] = line.split(':')
    if (name !== '') headers.append(name, value.join(':').trim())
  }
  return new Response(status === 204 ? null : responseText, { status, headers })
}
