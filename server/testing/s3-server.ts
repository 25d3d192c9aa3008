import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A request as a test sees it before it is answered. */
export interface S3TestRequest {
  readonly method: string
  /** Key of the object; empty for the bucket. */
  readonly key: string
  readonly query: URLSearchParams
}

export type S3Fault = { readonly status: number; readonly code: string } | 'disconnect' | null

/** An S3 service on loopback, in memory. It checks signatures, hashes and signed headers as the real one does. */
export interface S3TestServer {
  readonly endpoint: string
  readonly bucket: string
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
  readonly objects: Map<string, { body: Buffer; modifiedAt: Date; contentType: string }>
  readonly unfinished: Map<string, { key: string; parts: Map<number, Buffer>; startedAt: Date }>
  /** All requests so far. */
  readonly requests: S3TestRequest[]
  /** Decides before a request whether it fails. */
  fault: (request: S3TestRequest) => S3Fault
  /** Most bytes in the bucket. */
  quotaBytes: number
  /** Time of the service. */
  now: () => Date
  /** Most entries of a list. */
  pageSize: number
  url(prefix?: string): string
  close(): Promise<void>
}

class Refused extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string) {
    super(code)
    this.status = status
    this.code = code
  }
}

export async function startS3Server(): Promise<S3TestServer> {
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const credentials = { accessKeyId: 'test-access-key', secretAccessKey: 'test secret access key' }
  const s3: S3TestServer = {
    endpoint,
    bucket: 'test-bucket',
    credentials,
    objects: new Map(),
    unfinished: new Map(),
    requests: [],
    fault: () => null,
    quotaBytes: Number.POSITIVE_INFINITY,
    now: () => new Date(),
    pageSize: 1000,
    url: (prefix = 'files') => `s3://test-bucket/${prefix}?endpoint=${endpoint}&region=eu-central-1`,
    close: () => closeServer(server),
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', endpoint)
    const [, bucket = '', ...path] = decodeURIComponent(url.pathname).split('/')
    const seen = { method: request.method ?? '', key: path.join('/'), query: url.searchParams }
    response.setHeader('Date', s3.now().toUTCString())
    s3.requests.push(seen)
    // A client that is killed leaves an incomplete request.
    const body = await buffer(request).catch(() => null)
    if (body === null) return
    try {
      const fault = s3.fault(seen)
      if (fault === 'disconnect') return void request.socket.destroy()
      if (fault !== null) throw new Refused(fault.status, fault.code)
      checkSignature(request, url, body, s3)
      if (bucket !== s3.bucket) throw new Refused(404, 'NoSuchBucket')
      handle(request, response, seen, body)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      response.statusCode = error.status
      response.setHeader('Content-Type', 'application/xml')
      response.end(
        request.method === 'HEAD' ? undefined : `<?xml version="1.0"?><Error><Code>${error.code}</Code><Message>Refused</Message></Error>`,
      )
    }
  }

  function handle(request: IncomingMessage, response: ServerResponse, { method, key, query }: S3TestRequest, body: Buffer): void {
    const uploadId = query.get('uploadId')
    const xml = (text: string): void => void response.setHeader('Content-Type', 'application/xml').end(text)
    if (key === '') return xml(query.has('uploads') ? listUnfinished(query) : listObjects(query))
    if (method === 'POST' && query.has('uploads')) {
      const id = randomUUID()
      s3.unfinished.set(id, { key, parts: new Map(), startedAt: s3.now() })
      return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
    }
    if (uploadId !== null) return handlePart(response, method, query, body, uploadId)
    if (method === 'DELETE') {
      s3.objects.delete(key)
      return void response.writeHead(204).end()
    }
    if (method === 'PUT') return put(request, response, key, body)
    const found = s3.objects.get(key)
    if (found === undefined) throw new Refused(404, 'NoSuchKey')
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
    const content = range === null ? found.body : found.body.subarray(Number(range[1]), Number(range[2]) + 1)
    response
      .writeHead(range === null ? 200 : 206, {
        'Content-Length': content.length,
        'Content-Type': found.contentType,
        ETag: etagOf(found.body),
        'Last-Modified': found.modifiedAt.toUTCString(),
      })
      .end(method === 'HEAD' ? undefined : content)
  }

  function put(request: IncomingMessage, response: ServerResponse, key: string, sent: Buffer): void {
    let body = sent
    const source = request.headers['x-amz-copy-source']
    if (typeof source === 'string') {
      const from = s3.objects.get(decodeURIComponent(source).replace(/^\/?[^/]+\//, ''))
      if (from === undefined) throw new Refused(404, 'NoSuchKey')
      const expected = request.headers['x-amz-copy-source-if-match']
      if (expected !== undefined && expected !== etagOf(from.body)) throw new Refused(412, 'PreconditionFailed')
      body = from.body
    }
    if (request.headers['if-none-match'] === '*' && s3.objects.has(key)) throw new Refused(412, 'PreconditionFailed')
    store(key, body, request.headers['content-type'] ?? 'binary/octet-stream')
    response.setHeader('ETag', etagOf(body)).end(source === undefined ? undefined : '<CopyObjectResult></CopyObjectResult>')
  }

  function store(key: string, body: Buffer, contentType: string): void {
    requireSpace(body.length)
    s3.objects.set(key, { body, modifiedAt: s3.now(), contentType })
  }

  function requireSpace(more: number): void {
    let bytes = more
    for (const { body } of s3.objects.values()) bytes += body.length
    for (const { parts } of s3.unfinished.values()) for (const part of parts.values()) bytes += part.length
    if (bytes > s3.quotaBytes) throw new Refused(507, 'QuotaExceeded')
  }

  function handlePart(response: ServerResponse, method: string, query: URLSearchParams, body: Buffer, uploadId: string): void {
    const upload = s3.unfinished.get(uploadId)
    if (upload === undefined) throw new Refused(404, 'NoSuchUpload')
    if (method === 'DELETE') {
      s3.unfinished.delete(uploadId)
      return void response.writeHead(204).end()
    }
    if (method === 'PUT') {
      requireSpace(body.length)
      upload.parts.set(Number(query.get('partNumber')), body)
      return void response.setHeader('ETag', etagOf(body)).end()
    }
    if (method === 'GET') {
      const parts = [...upload.parts].toSorted(([a], [b]) => a - b)
      const page = parts.filter(([number]) => number > Number(query.get('part-number-marker') ?? 0)).slice(0, s3.pageSize)
      const list = page.map(
        ([number, part]) =>
          `<Part><PartNumber>${number}</PartNumber><Size>${part.length}</Size><ETag>${etagOf(part).replaceAll('"', '&quot;')}</ETag></Part>`,
      )
      const last = page.at(-1)?.[0] ?? 0
      const truncated = parts.some(([number]) => number > last)
      const next = truncated ? `<NextPartNumberMarker>${last}</NextPartNumberMarker>` : ''
      return void response.end(`<ListPartsResult>${list.join('')}<IsTruncated>${truncated}</IsTruncated>${next}</ListPartsResult>`)
    }
    const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]*)<\/ETag>/g)]
    const parts = named.map(([, number, etag]) => {
      const part = upload.parts.get(Number(number))
      if (part === undefined || etagOf(part) !== etag?.replaceAll('&quot;', '"')) throw new Refused(400, 'InvalidPart')
      return part
    })
    if (parts.slice(0, -1).some((part) => part.length < 5 * 2 ** 20)) throw new Refused(400, 'EntityTooSmall')
    s3.unfinished.delete(uploadId)
    s3.objects.set(upload.key, { body: Buffer.concat(parts), modifiedAt: s3.now(), contentType: 'binary/octet-stream' })
    response.end('<CompleteMultipartUploadResult></CompleteMultipartUploadResult>')
  }

  function listObjects(query: URLSearchParams): string {
    const after = query.get('continuation-token') ?? ''
    const keys = [...s3.objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after).toSorted()
    const page = keys.slice(0, s3.pageSize)
    const entries = page.map(
      (key) => `<Contents><Key>${key}</Key><LastModified>${s3.objects.get(key)?.modifiedAt.toISOString()}</LastModified></Contents>`,
    )
    const truncated = page.length < keys.length
    const next = truncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
    return `<ListBucketResult><IsTruncated>${truncated}</IsTruncated>${next}${entries.join('')}</ListBucketResult>`
  }

  function listUnfinished(query: URLSearchParams): string {
    const uploads = [...s3.unfinished].filter(([, { key }]) => key.startsWith(query.get('prefix') ?? ''))
    const entries = uploads.map(
      ([id, { key, startedAt }]) =>
        `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${startedAt.toISOString()}</Initiated></Upload>`,
    )
    return `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${entries.join('')}</ListMultipartUploadsResult>`
  }

  return s3
}

const etagOf = (body: Buffer): string => `"${createHash('md5').update(body).digest('hex')}"`
const sha256 = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex')
const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** Checks an AWS signature of version 4, in the header or in the query. */
function checkSignature(request: IncomingMessage, url: URL, body: Buffer, { credentials, now }: S3TestServer): void {
  const fromQuery = url.searchParams.has('X-Amz-Signature')
  const field = (name: string): string =>
    fromQuery
      ? (url.searchParams.get(`X-Amz-${name === 'SignedHeaders' || name === 'Signature' ? name : 'Credential'}`) ?? '')
      : (new RegExp(`${name}=([^,]+)`).exec(request.headers.authorization ?? '')?.[1] ?? '')
  const [accessKeyId, day = '', region = '', service = ''] = field('Credential').split('/')
  if (accessKeyId !== credentials.accessKeyId) throw new Refused(403, 'InvalidAccessKeyId')
  const date = (fromQuery ? url.searchParams.get('X-Amz-Date') : String(request.headers['x-amz-date'])) ?? ''
  const signedAt = Date.parse(date.replace(/^(....)(..)(..T..)(..)(..)Z$/, '$1-$2-$3:$4:$5Z'))
  const age = now().getTime() - signedAt
  if (fromQuery && age > Number(url.searchParams.get('X-Amz-Expires')) * 1000) throw new Refused(403, 'AccessDenied')
  if (!fromQuery && Math.abs(age) > 15 * 60_000) throw new Refused(403, 'RequestTimeTooSkewed')
  const payload = fromQuery ? 'UNSIGNED-PAYLOAD' : String(request.headers['x-amz-content-sha256'])
  const query = [...url.searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .toSorted()
    .join('&')
  const names = field('SignedHeaders').split(';')
  const headers = names.map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`).join('')
  const path = decodeURIComponent(url.pathname).split('/').map(escaped).join('/')
  const canonical = [request.method, path, query, headers, names.join(';'), payload].join('\n')
  const text = ['AWS4-HMAC-SHA256', date, [day, region, service, 'aws4_request'].join('/'), sha256(canonical)].join('\n')
  const key = [day, region, service, 'aws4_request'].reduce<Buffer | string>(hmac, `AWS4${credentials.secretAccessKey}`)
  const [expected, given] = [hmac(key, text), Buffer.from(field('Signature'), 'hex')]
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) throw new Refused(403, 'SignatureDoesNotMatch')
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== sha256(body)) throw new Refused(400, 'XAmzContentSHA256Mismatch')
}

const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((closed) => server.close(() => closed()))
}
