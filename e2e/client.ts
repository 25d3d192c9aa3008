import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { pause } from './program.ts'

/** A source's record, as far as the tests look at it. */
export interface SourceRecord {
  id: string
  name: string
  status: 'processing' | 'completed' | 'failed'
  stage: string
  progress: { done: number; total: number; unit: string }
  chunksCount: number
  error: string | null
  errorCode: string | null
}

export interface Hit {
  chunkId: string
  sourceId: string
  url: string | null
  text: string
  score: number
  citation: { startSecond: number | null; page: number | null; pageEnd: number | null; headingPath: string[]; start: number; end: number }
}

/** What a developer would write against the API in an afternoon. */
export class Client {
  readonly url: string
  readonly token: string

  constructor(url: string, token: string) {
    this.url = url
    this.token = token
  }

  async request(method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  }

  /** The parsed answer of a call that must succeed. */
  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await this.request(method, path, body)
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as T
  }

  createBase(name: string, ragSettings?: object): Promise<{ id: string }> {
    return this.call('POST', '/v1/bases', { name, ...(ragSettings && { ragSettings }) })
  }

  /** Uploads the bytes and adds them as a source. */
  async addFile(baseId: string, fileName: string, contentType: string, bytes: Uint8Array): Promise<SourceRecord> {
    const upload = await this.call<{ uploadUrl: string; storageUrl: string; headers: Record<string, string> }>('POST', '/v1/uploads', {
      fileName,
      contentType,
      sizeBytes: bytes.length,
    })
    const sent = await fetch(upload.uploadUrl, { method: 'PUT', headers: upload.headers, body: bytes as Uint8Array<ArrayBuffer> })
    if (sent.status !== 204) throw new Error(`upload: ${sent.status} ${await sent.text()}`)
    return this.call('POST', `/v1/bases/${baseId}/sources`, { name: fileName, type: 'file', storageUrl: upload.storageUrl })
  }

  async addPath(baseId: string, path: string): Promise<SourceRecord> {
    return this.addFile(baseId, basename(path), 'application/octet-stream', await readFile(path))
  }

  source(baseId: string, sourceId: string): Promise<SourceRecord> {
    return this.call('GET', `/v1/bases/${baseId}/sources/${sourceId}`)
  }

  /** Polls until the source is no longer processed; a connection that fails meanwhile is tried again. */
  async settled(baseId: string, sourceId: string, timeoutMs = 120_000): Promise<SourceRecord> {
    const end = Date.now() + timeoutMs
    for (;;) {
      const source = await this.source(baseId, sourceId).catch(() => undefined)
      if (source !== undefined && source.status !== 'processing') return source
      if (Date.now() > end) throw new Error(`not settled: ${JSON.stringify(source)}`)
      await pause(100)
    }
  }

  async search(baseId: string, query: string, options: object = {}): Promise<Hit[]> {
    const { data } = await this.call<{ data: Hit[] }>('POST', `/v1/bases/${baseId}/search`, { query, ...options })
    return data
  }
}
