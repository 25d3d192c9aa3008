import type { CreateUpload, Upload } from './contract.ts'
import { withRetries } from './retry.ts'
import type { RequestOptions, Transport } from './transport.ts'

export type FileContent = Blob | Uint8Array<ArrayBuffer> | ArrayBuffer

export interface UploadOptions extends RequestOptions {
  /** File name; by default that of a `File`. */
  name?: string
  /** Media type; by default that of a `Blob`. The service detects the type from the content. */
  type?: string
  onProgress?: (progress: { sentBytes: number; totalBytes: number }) => void
}

type Announce = (body: CreateUpload, options?: RequestOptions) => Promise<Upload>

const sendTimeoutMs = 300_000
const chunkBytes = 65_536

/** @param announce creates the upload */
export function uploadFile(transport: Transport, announce: Announce) {
  /**
   * Uploads a file of up to 200 MB. Pass its `storageUrl` to create a source of type `file`. Progress counts the bytes that the
   * connection has accepted. On a retry, or if the runtime cannot stream requests, it goes from zero to the total in one step.
   */
  return async (file: FileContent, options: UploadOptions = {}): Promise<Upload> => {
    const { name, type, onProgress, timeoutMs = sendTimeoutMs, maxRetries = transport.maxRetries, signal } = options
    const totalBytes = file instanceof Blob ? file.size : file.byteLength
    const ownType = file instanceof Blob && file.type !== '' ? file.type : 'application/octet-stream'
    const upload = await announce(
      { fileName: name ?? ownName(file) ?? 'file', contentType: type ?? ownType, sizeBytes: totalBytes },
      options,
    )
    onProgress?.({ sentBytes: 0, totalBytes })
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
        const streamed = onProgress !== undefined && retry === 0 && canStream()
        const body = streamed ? { body: streamOf(file, totalBytes, report), duplex: 'half' as const } : { body: file }
        return transport.exchange(upload.uploadUrl, { method: upload.method, headers: upload.headers, ...body }, { timeoutMs, signal })
      },
      { maxRetries, signal },
    )
    report(totalBytes)
    return upload
  }
}

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
