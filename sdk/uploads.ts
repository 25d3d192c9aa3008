import type { CreateUpload, Upload } from '@groundwork/api'
import { withRetries } from './retry.ts'
import type { RequestOptions, Transport } from './transport.ts'

export type FileContent = Blob | Uint8Array<ArrayBuffer> | ArrayBuffer

export interface UploadOptions extends RequestOptions {
  /** The name of the file; a `File` has its own. */
  name?: string
  /** Its media type; a `Blob` may have its own, and the service looks at the content anyway. */
  type?: string
  onProgress?: (progress: { sentBytes: number; totalBytes: number }) => void
}

type Announce = (body: CreateUpload, options?: RequestOptions) => Promise<Upload>

const sendTimeoutMs = 300_000
const pieceBytes = 65_536

/** @param announce begins an upload */
export function uploadFile(transport: Transport, announce: Announce) {
  /**
   * Uploads a file of up to 200 MB; its `storageUrl` is what a source of the type `file` is added with. Progress is what the
   * connection has taken; where the runtime cannot stream a request, and on a retry, it jumps from nothing to all.
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
    let told = 0
    const tell = (sentBytes: number): void => {
      if (sentBytes <= told) return
      told = sentBytes
      onProgress?.({ sentBytes, totalBytes })
    }
    await withRetries(
      (retry) => {
        // Browsers stream over HTTP/2 only, and some stores take no body of unknown length: a retry sends it whole.
        const streamed = onProgress !== undefined && retry === 0 && canStream()
        const body = streamed ? { body: pieces(file, totalBytes, tell), duplex: 'half' as const } : { body: file }
        return transport.exchange(upload.uploadUrl, { method: upload.method, headers: upload.headers, ...body }, { timeoutMs, signal })
      },
      { maxRetries, signal },
    )
    tell(totalBytes)
    return upload
  }
}

const ownName = (file: FileContent): string | undefined => ('name' in file && typeof file.name === 'string' ? file.name : undefined)

function pieces(file: FileContent, totalBytes: number, tell: (sentBytes: number) => void): ReadableStream<Uint8Array> {
  let sentBytes = 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(stream) {
        const piece = file.slice(sentBytes, sentBytes + pieceBytes)
        const bytes = new Uint8Array(piece instanceof Blob ? await piece.arrayBuffer() : piece)
        sentBytes += bytes.length
        if (bytes.length > 0) stream.enqueue(bytes)
        tell(sentBytes)
        if (sentBytes >= totalBytes) stream.close()
      },
    },
    { highWaterMark: 0 },
  )
}

/** Whether `fetch` sends a stream as one: a runtime that does not know `duplex` turns the stream into text. */
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
