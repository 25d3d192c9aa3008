import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { Groundwork, SourceFailedError, type SearchHit, type Source } from '@groundwork/sdk'

export type SourceRecord = Source
export type Hit = SearchHit

/** The time and the address of a token's last use, which are recorded a while after the request. */
const lastUse = new Set(['lastUsedAt', 'lastUsedAddress'])

/** The SDK, steps that many tests share, and raw requests without the SDK. */
export class Client {
  readonly url: string
  readonly token: string
  readonly api: Groundwork

  constructor(url: string, token: string) {
    this.url = url
    this.token = token
    this.api = new Groundwork({ baseUrl: url, token })
  }

  /** Sends a request without the SDK. */
  async request(method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  }

  /**
   * Sends a request without the SDK and returns the parsed response.
   * @throws Error for an error response
   */
  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await this.request(method, path, body)
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as T
  }

  /**
   * Returns the parsed response of a GET request, with null for the last use of tokens: fit to compare with another time.
   * @throws Error for an error response
   */
  async comparable(path: string): Promise<unknown> {
    const response = await this.request('GET', path)
    const text = await response.text()
    if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${text}`)
    return JSON.parse(text, (field, value: unknown) => (lastUse.has(field) ? null : value)) as unknown
  }

  createBase(name: string, ragSettings?: Parameters<Groundwork['bases']['create']>[0]['ragSettings']): Promise<{ id: string }> {
    return this.api.bases.create({ name, ragSettings })
  }

  async addFile(baseId: string, name: string, contentType: string, bytes: Uint8Array): Promise<Source> {
    const { storageUrl } = await this.api.uploads.create(new Uint8Array(bytes), { name, type: contentType })
    return this.api.bases.sources.create(baseId, { name, type: 'file', storageUrl })
  }

  async addPath(baseId: string, path: string): Promise<Source> {
    return this.addFile(baseId, basename(path), 'application/octet-stream', await readFile(path))
  }

  source(baseId: string, sourceId: string): Promise<Source> {
    return this.api.bases.sources.get(baseId, sourceId)
  }

  /** Waits until the source is completed or failed, and returns it. */
  settled(baseId: string, sourceId: string, timeoutMs = 400_000): Promise<Source> {
    return this.api.bases.sources.waitUntilProcessed(baseId, sourceId, { timeoutMs }).catch((error: unknown) => {
      if (error instanceof SourceFailedError) return error.source
      throw error
    })
  }

  async search(
    baseId: string,
    query: string,
    options: Omit<Parameters<Groundwork['bases']['search']>[1], 'query'> = {},
  ): Promise<SearchHit[]> {
    const { data } = await this.api.bases.search(baseId, { query, ...options })
    return data
  }
}
