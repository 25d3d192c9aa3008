import type { S3Client } from './client.ts'
import { refusalError, readRefusal } from './s3-error.ts'
import { elementsOf, textOf, topText } from './xml.ts'

export interface ListedObject {
  /** Key below the prefix of the storage. */
  readonly key: string
  readonly modifiedAt: Date
}

export interface UnfinishedUpload {
  readonly key: string
  readonly id: string
  readonly startedAt: Date
}

export interface ReceivedPart {
  readonly number: number
  readonly sizeBytes: number
  readonly etag: string
}

export interface ObjectHead {
  readonly sizeBytes: number
  readonly etag: string
  readonly modifiedAt: Date
  /** Time of the service. */
  readonly answeredAt: Date
}

const missing = ['NoSuchKey', 'NotFound']

/** The operations on objects that the storage needs. All throw StorageError. */
export interface S3Objects {
  put(key: string, body: Uint8Array, action: string): Promise<void>
  /** Stores the object unless there is one. Returns whether it was stored. Services without this condition replace the object. */
  putIfAbsent(key: string, body: Uint8Array, action: string): Promise<boolean>
  /** Returns null if the object does not exist. */
  get(key: string, action: string): Promise<Buffer | null>
  /** Returns null if the object does not exist. */
  open(key: string, range: { start: number; end: number } | null, action: string): Promise<OpenObject | null>
  /** Returns null if the object does not exist. */
  head(key: string, action: string): Promise<ObjectHead | null>
  delete(key: string, action: string): Promise<void>
  /** Copies within the bucket. Returns false if the source does not exist, or has another entity tag than `etag`. */
  copy(from: string, to: string, action: string, etag?: string): Promise<boolean>
  list(prefix: string): AsyncGenerator<ListedObject>
  beginParts(key: string, contentType: string | null): Promise<string>
  /** Returns the entity tag. Throws StorageError with the code NoSuchUpload if the upload is unknown. */
  putPart(key: string, uploadId: string, number: number, body: Uint8Array): Promise<string>
  /** Returns null if the upload is unknown. */
  listParts(key: string, uploadId: string): Promise<ReceivedPart[] | null>
  /** Returns false if the upload is unknown. */
  completeParts(key: string, uploadId: string, parts: readonly Pick<ReceivedPart, 'number' | 'etag'>[]): Promise<boolean>
  abortParts(key: string, uploadId: string): Promise<void>
  listUnfinished(prefix: string): AsyncGenerator<UnfinishedUpload>
}

export interface OpenObject {
  readonly sizeBytes: number
  readonly body: ReadableStream<Uint8Array>
}

export function s3Objects(client: S3Client): S3Objects {
  const { settings, fullKey } = client
  const below = fullKey('').length
  const relative = (key: string): string => key.slice(below)

  return {
    async put(key, body, action) {
      await client.call({ method: 'PUT', key, body, action })
    },
    async putIfAbsent(key, body, action) {
      const reply = await client.call({
        method: 'PUT',
        key,
        body,
        action,
        headers: { 'if-none-match': '*' },
        accept: ['PreconditionFailed', 'ConditionalRequestConflict', 'NotImplemented'],
      })
      if (reply.refusal?.code !== 'NotImplemented') return reply.refusal === null
      await client.call({ method: 'PUT', key, body, action })
      return true
    },
    async get(key, action) {
      const { refusal, body } = await client.call({ method: 'GET', key, action, accept: missing })
      return refusal === null ? body : null
    },
    async open(key, range, action) {
      const { refusal, headers, body } = await client.open({
        method: 'GET',
        key,
        action,
        accept: missing,
        ...(range !== null && { headers: { range: `bytes=${range.start}-${range.end}` } }),
      })
      if (refusal !== null) return null
      return {
        sizeBytes: Number(headers.get('content-length') ?? 0),
        body: body ?? new ReadableStream({ start: (stream) => stream.close() }),
      }
    },
    async head(key, action) {
      const { refusal, headers } = await client.call({ method: 'HEAD', key, action, accept: missing })
      if (refusal !== null) return null
      return {
        sizeBytes: Number(headers.get('content-length') ?? 0),
        etag: headers.get('etag') ?? '',
        modifiedAt: new Date(headers.get('last-modified') ?? 0),
        answeredAt: new Date(headers.get('date') ?? Date.now()),
      }
    },
    async delete(key, action) {
      await client.call({ method: 'DELETE', key, action, accept: missing })
    },
    async copy(from, to, action, etag) {
      const { refusal } = await client.call({
        method: 'PUT',
        key: to,
        action,
        accept: [...missing, 'PreconditionFailed'],
        headers: {
          'x-amz-copy-source': `/${settings.bucket}/${fullKey(from)}`,
          ...(etag !== undefined && etag !== '' && { 'x-amz-copy-source-if-match': etag }),
        },
      })
      return refusal === null
    },
    async *list(prefix) {
      let token: string | null = null
      do {
        const query: Record<string, string> = {
          'list-type': '2',
          prefix: fullKey(prefix),
          ...(token !== null && { 'continuation-token': token }),
        }
        const { body } = await client.call({ method: 'GET', key: null, query, action: 'listing the files' })
        const text = body.toString()
        for (const element of elementsOf(text, 'Contents'))
          yield { key: relative(textOf(element, 'Key')), modifiedAt: new Date(textOf(element, 'LastModified')) }
        token = topText(text, 'IsTruncated') === 'true' ? topText(text, 'NextContinuationToken') : null
      } while (token !== null)
    },
    async beginParts(key, contentType) {
      const { body } = await client.call({
        method: 'POST',
        key,
        query: { uploads: '' },
        action: 'beginning an upload in parts',
        ...(contentType !== null && { headers: { 'content-type': contentType } }),
      })
      return topText(body.toString(), 'UploadId')
    },
    async putPart(key, uploadId, number, body) {
      const query = { partNumber: String(number), uploadId }
      const { headers } = await client.call({ method: 'PUT', key, query, body, action: 'storing a part of a file' })
      return headers.get('etag') ?? ''
    },
    async listParts(key, uploadId) {
      const parts: ReceivedPart[] = []
      let marker: string | null = null
      do {
        const query: Record<string, string> = { uploadId, ...(marker !== null && { 'part-number-marker': marker }) }
        const { refusal, body } = await client.call({
          method: 'GET',
          key,
          query,
          action: 'listing the parts of an upload',
          accept: ['NoSuchUpload', ...missing],
        })
        if (refusal !== null) return null
        const text = body.toString()
        for (const element of elementsOf(text, 'Part'))
          parts.push({
            number: Number(textOf(element, 'PartNumber')),
            sizeBytes: Number(textOf(element, 'Size')),
            etag: textOf(element, 'ETag'),
          })
        marker = topText(text, 'IsTruncated') === 'true' ? topText(text, 'NextPartNumberMarker') : null
      } while (marker !== null)
      return parts
    },
    async completeParts(key, uploadId, parts) {
      const list = parts.map(({ number, etag }) => `<Part><PartNumber>${number}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`)
      const action = 'completing an upload in parts'
      const { refusal, status, headers, body } = await client.call({
        method: 'POST',
        key,
        query: { uploadId },
        headers: { 'content-type': 'application/xml' },
        body: Buffer.from(`<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`),
        action,
        accept: ['NoSuchUpload'],
      })
      if (refusal !== null) return false
      // The service answers 200 before it has joined the parts, and reports a later failure in the body.
      const late = readRefusal(status, headers, body.toString())
      if (body.includes('<Error>')) throw refusalError({ ...late, status: 500 }, settings, action, new Date())
      return true
    },
    async abortParts(key, uploadId) {
      await client.call({
        method: 'DELETE',
        key,
        query: { uploadId },
        action: 'cancelling an upload in parts',
        accept: ['NoSuchUpload', ...missing],
      })
    },
    async *listUnfinished(prefix) {
      let marker: { key: string; id: string } | null = null
      do {
        const query: Record<string, string> = {
          uploads: '',
          prefix: fullKey(prefix),
          ...(marker !== null && { 'key-marker': marker.key, 'upload-id-marker': marker.id }),
        }
        const { body } = await client.call({ method: 'GET', key: null, query, action: 'listing unfinished uploads' })
        const text = body.toString()
        for (const element of elementsOf(text, 'Upload'))
          yield {
            key: relative(textOf(element, 'Key')),
            id: textOf(element, 'UploadId'),
            startedAt: new Date(textOf(element, 'Initiated')),
          }
        const truncated = topText(text, 'IsTruncated') === 'true'
        marker = truncated ? { key: topText(text, 'NextKeyMarker'), id: topText(text, 'NextUploadIdMarker') } : null
      } while (marker !== null)
    },
  }
}

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
