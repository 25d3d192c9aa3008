import type { Groundwork, Upload } from '@groundwork/sdk'

/** A file of 200 MB over a slow line. */
const patienceMs = 3_600_000

type Progress = (sentBytes: number) => void

/** Who wants to know how much of a file is sent. */
const listeners = new WeakMap<Blob, Progress>()

/** Uploads a file through the SDK; what is sent of it is told as it goes. */
export async function sendFile(
  client: Groundwork,
  file: File,
  { signal, onProgress }: { signal: AbortSignal; onProgress: Progress },
): Promise<Upload> {
  listeners.set(file, onProgress)
  try {
    return await client.uploads.create(file, {
      signal,
      timeoutMs: patienceMs,
      ...(file.type === '' && { type: 'application/octet-stream' }),
    })
  } finally {
    listeners.delete(file)
  }
}

/**
 * `fetch`, by which files tell how much of them is sent: browsers tell that of an XMLHttpRequest alone. The way goes to
 * this program by the address that the page has, under whatever other name the program knows itself.
 */
export function fetchWithProgress(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const { body } = init
  if (!(body instanceof Blob) || typeof input !== 'string') return fetch(input, init)
  const address = new URL(input, window.location.href)
  return send(address.pathname.startsWith('/v1/uploads/') ? address.pathname : input, body, init)
}

function send(url: string, body: Blob, { method = 'PUT', headers, signal }: RequestInit): Promise<Response> {
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest()
    request.open(method, url)
    new Headers(headers).forEach((value, name) => request.setRequestHeader(name, value))
    request.upload.addEventListener('progress', ({ loaded }) => listeners.get(body)?.(loaded))
    request.addEventListener('load', () => done(answerOf(request)))
    request.addEventListener('error', () => fail(new TypeError('the connection failed')))
    request.addEventListener('abort', () => fail(new DOMException('The upload was ended', 'AbortError')))
    signal?.addEventListener('abort', () => request.abort())
    if (signal?.aborted) return fail(new DOMException('The upload was ended', 'AbortError'))
    return request.send(body)
  })
}

function answerOf(request: XMLHttpRequest): Response {
  const { status, responseText } = request
  const headers = new Headers()
  for (const line of request.getAllResponseHeaders().trim().split('\r\n')) {
    const [name = '', ...value] = line.split(':')
    if (name !== '') headers.append(name, value.join(':').trim())
  }
  return new Response(status === 204 ? null : responseText, { status, headers })
}
