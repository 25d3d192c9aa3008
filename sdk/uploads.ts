import type { CreateUpload, Upload, UploadPart, UploadParts, UploadStatus } from './contract.ts'
import { withRetries } from './retry.ts'
import type { RequestOptions, Transport } from './transport.ts'

export type FileContent = Blob | Uint8Array<ArrayBuffer> | ArrayBuffer

export interface UploadOptions extends RequestOptions {
  /** File name; by default that of a `File`. */
  name?: string
  /** Media type; by default that of a `Blob`. The service detects the type from the content. */
  type?: string
  onProgress?: (progress: { sentBytes: number; totalBytes: number }) => void
  /** Called before any byte is sent. `uploads.resume` continues an upload with `parts` by its id. */
  onCreated?: (upload: Upload) => void
}

interface UploadRoutes {
  create: (body: CreateUpload, options?: RequestOptions) => Promise<Upload>
  resume: (uploadId: string, options?: RequestOptions) => Promise<UploadParts>
  complete: (uploadId: string, options?: RequestOptions) => Promise<UploadStatus>
}

const sendTimeoutMs = 300_000
const chunkBytes = 65_536
/** Larger files are sent in parts, so that an interruption costs one part at most. */
const maxWholeBytes = 8 * 2 ** 20

export function uploadFile(transport: Transport, routes: UploadRoutes) {
  /**
   * Uploads a file of up to 200 MB. Pass its `storageUrl` to create a source of type `file`. A file of more than 8 MiB is sent in
   * parts of that size, and progress counts complete parts. For a smaller one, it counts the bytes that the connection has accepted.
   * On a retry, or if the runtime or the storage cannot stream requests, it goes from zero to the total in one step.
   */
  return async (file: FileContent, options: UploadOptions = {}): Promise<Upload> => {
    const { name, type, onProgress, timeoutMs = sendTimeoutMs, maxRetries = transport.maxRetries, signal } = options
    const ofRequests = requestOptions(options)
    const totalBytes = file instanceof Blob ? file.size : file.byteLength
    const ownType = file instanceof Blob && file.type !== '' ? file.type : 'application/octet-stream'
    const inParts = totalBytes > maxWholeBytes
    const upload = await routes.create(
      { fileName: name ?? ownName(file) ?? 'file', contentType: type ?? ownType, sizeBytes: totalBytes, ...(inParts && { parts: true }) },
      ofRequests,
    )
    options.onCreated?.(upload)
    onProgress?.({ sentBytes: 0, totalBytes })
    if (upload.parts != null) {
      await sendParts(transport, file, upload.parts, options)
      await routes.complete(upload.id, ofRequests)
      return upload
    }
    let reported = 0
    const report = (sentBytes: number): void => {
      if (sentBytes <= reported) return
      reported = sentBytes
      onProgress?.({ sentBytes, totalBytes })
    }
    await withRetries(
      (retry) => {
        // Browsers only stream over HTTP/2, and some storage services reject bodies of unknown length, so a retry does not
        // stream.
        const streamed = onProgress !== undefined && retry === 0 && isOfApi(upload.uploadUrl) && canStream()
        const body = streamed ? { body: streamOf(file, totalBytes, report), duplex: 'half' as const } : { body: file }
        return transport.exchange(upload.uploadUrl, { method: upload.method, headers: upload.headers, ...body }, { timeoutMs, signal })
      },
      { maxRetries, signal },
    )
    report(totalBytes)
    return upload
  }
}

export function resumeUpload(transport: Transport, routes: UploadRoutes) {
  /**
   * Continues an interrupted upload: sends the parts of the same file that were not received, and completes it. Throws
   * GroundworkError `not_found` for an expired upload.
   */
  return async (uploadId: string, file: FileContent, options: UploadOptions = {}): Promise<UploadStatus> => {
    const ofRequests = requestOptions(options)
    const { parts } = await routes.resume(uploadId, ofRequests)
    await sendParts(transport, file, parts, options)
    return routes.complete(uploadId, ofRequests)
  }
}

/** Returns the options that the requests to the API have too. */
const requestOptions = ({
  name: _name,
  type: _type,
  onProgress: _onProgress,
  onCreated: _onCreated,
  ...options
}: UploadOptions): RequestOptions => options

/** Sends parts one after the other, each with retries. */
async function sendParts(
  transport: Transport,
  file: FileContent,
  parts: readonly UploadPart[],
  { onProgress, timeoutMs = sendTimeoutMs, maxRetries = transport.maxRetries, signal }: UploadOptions,
): Promise<void> {
  const totalBytes = file instanceof Blob ? file.size : file.byteLength
  let sentBytes = totalBytes - parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  onProgress?.({ sentBytes, totalBytes })
  for (const { firstByte, sizeBytes, url } of parts) {
    const body = file.slice(firstByte, firstByte + sizeBytes)
    await withRetries(() => transport.exchange(url, { method: 'PUT', body }, { timeoutMs, signal }), { maxRetries, signal })
    sentBytes += sizeBytes
    onProgress?.({ sentBytes, totalBytes })
  }
}

/** Signed URLs of a storage service have a query. */
const isOfApi = (url: string): boolean => new URL(url).search === ''

const ownName = (file: FileContent): string | undefined => ('name' in file && typeof file.name === 'string' ? file.name : undefined)

function streamOf(file: FileContent, totalBytes: number, report: (sentBytes: number) => void): ReadableStream<Uint8Array> {
  let sentBytes = 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(stream) {
        const chunk = file.slice(sentBytes, sentBytes + chunkBytes)
        const bytes = new Uint8Array(chunk instanceof Blob ? await chunk.arrayBuffer() : chunk)
        sentBytes += bytes.length
        if (bytes.length > 0) stream.enqueue(bytes)
        report(sentBytes)
        if (sentBytes >= totalBytes) stream.close()
      },
    },
    { highWaterMark: 0 },
  )
}

/** Returns whether `fetch` can stream request bodies. A runtime without support ignores `duplex` and converts the stream to text. */
function canStream(): boolean {
  let known = false
  try {
    const request = new Request('http://localhost', {
      method: 'POST',
      body: new ReadableStream(),
      get duplex() {
        known = true
        return 'half' as const
      },
    })
    return known && !request.headers.has('content-type')
  } catch {
    return false
  }
}
