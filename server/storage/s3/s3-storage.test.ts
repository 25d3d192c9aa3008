import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../lib/ids.ts'
import { createOutbound } from '../../outbound/outbound.ts'
import { startS3Server, type S3Fault } from '../../testing/s3-server.ts'
import type { StorageFailure } from '../storage-error.ts'
import type { Storage } from '../storage.ts'
import { createS3Client } from './client.ts'
import { openS3Storage, s3Storage } from './s3-storage.ts'
import { bucketOrigin, parseS3Url, type S3Settings } from './settings.ts'
import { elementsOf, topText } from './xml.ts'

const server = await startS3Server()
const stopped = await startS3Server()
await stopped.close()
const outbound = createOutbound({ allowHosts: [], userAgent: 'test' })
afterAll(async () => {
  await outbound.close()
  await server.close()
})

const settingsOf = (changes: Partial<S3Settings> = {}): S3Settings => ({
  ...parseS3Url(server.url()),
  credentials: { ...server.credentials, sessionToken: undefined },
  ...changes,
})
const clientOf = (settings: S3Settings) =>
  createS3Client(settings, { fetch: outbound.trustedFetch(bucketOrigin(settings, settings.endpoint)), retryPausesMs: [1, 1] })
const opening = (changes: Partial<S3Settings> = {}): Promise<Storage> => openS3Storage(clientOf(settingsOf(changes)))
const key = `${newId()}/originals/a`

beforeEach(() => {
  server.objects.clear()
  server.unfinished.clear()
  server.fault = () => null
  server.now = () => new Date()
  server.quotaBytes = Number.POSITIVE_INFINITY
  server.pageSize = 1000
})

describe('the probe at the start', () => {
  it('leaves nothing behind', async () => {
    await opening()
    expect([...server.objects.keys(), ...server.unfinished.keys()]).toEqual([])
  })

  const denied =
    (method: string, query?: string) =>
    (request: { method: string; query: URLSearchParams }): S3Fault =>
      request.method === method && (query === undefined || request.query.has(query)) ? { status: 403, code: 'AccessDenied' } : null

  it.each<[string, Partial<S3Settings>, (() => void) | null, StorageFailure, RegExp]>([
    ['an unknown bucket', { bucket: 'other-bucket' }, null, 'misconfigured', /The bucket "other-bucket" does not exist at http/],
    [
      'an unknown access key',
      { credentials: { accessKeyId: 'other', secretAccessKey: 'x', sessionToken: undefined } },
      null,
      'denied',
      /does not know the access key "other". Check AWS_ACCESS_KEY_ID/,
    ],
    [
      'a wrong secret key',
      { credentials: { ...server.credentials, secretAccessKey: 'x', sessionToken: undefined } },
      null,
      'denied',
      /SignatureDoesNotMatch.*Check AWS_SECRET_ACCESS_KEY/,
    ],
    ['a wrong clock', {}, () => (server.now = () => new Date(Date.now() + 3_600_000)), 'denied', /RequestTimeTooSkewed.*Correct the clock/],
    [
      'no permission to delete',
      {},
      () => (server.fault = denied('DELETE')),
      'denied',
      /deleting the probe object failed with AccessDenied/,
    ],
    [
      'no permission to list',
      {},
      () => (server.fault = denied('GET', 'list-type')),
      'denied',
      /listing the files failed with AccessDenied/,
    ],
    ['no permission to read', {}, () => (server.fault = denied('GET')), 'denied', /reading the probe object failed/],
    ['no permission to upload parts', {}, () => (server.fault = denied('POST')), 'denied', /beginning an upload in parts failed/],
    ['a full bucket', {}, () => (server.quotaBytes = 10), 'full', /QuotaExceeded.*The bucket is full/],
    ['an unreachable service', { endpoint: stopped.endpoint }, null, 'unreachable', /127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)/],
  ])('names %s', async (_problem, changes, begin, failure, message) => {
    begin?.()
    await expect(opening(changes)).rejects.toMatchObject({ name: 'StorageError', failure, message: expect.stringMatching(message) })
  })
})

describe('a request', () => {
  it('is repeated after an interrupted connection and after answers that ask for it', async () => {
    const storage = await opening()
    const faults: S3Fault[] = ['disconnect', { status: 503, code: 'SlowDown' }]
    server.fault = () => faults.shift() ?? null
    await storage.write(key, Buffer.from('content'))
    expect((await storage.read(key)).toString()).toBe('content')
    server.fault = () => ({ status: 503, code: 'SlowDown' })
    await expect(storage.read(key)).rejects.toMatchObject({ failure: 'busy', code: 'SlowDown' })
    server.fault = () => 'disconnect'
    await expect(storage.read(key)).rejects.toMatchObject({ failure: 'unreachable' })
  })

  it('is not repeated if it cannot succeed', async () => {
    const storage = await opening()
    server.quotaBytes = 3
    const before = server.requests.length
    await expect(storage.write(key, Buffer.from('content'))).rejects.toMatchObject({ failure: 'full', code: 'QuotaExceeded' })
    expect(server.requests.length - before).toBe(1)
  })

  it('ends when the service does not answer in time', async () => {
    const settings = settingsOf()
    const silent: typeof fetch = (_url, init) =>
      new Promise((_done, fail) => {
        const abort = (): void => fail(init?.signal?.reason)
        if (init?.signal?.aborted === true) abort()
        else init?.signal?.addEventListener('abort', abort)
      })
    const client = createS3Client(settings, { fetch: (url, init) => silent(url, init), timeoutMs: 1, retryPausesMs: [] })
    await expect(s3Storage(client).read(key)).rejects.toMatchObject({ failure: 'unreachable', code: 'ETIMEDOUT' })
  })
})

describe('a bucket', () => {
  it('lists the files of organizations over many pages, and nothing else', async () => {
    server.pageSize = 3
    const storage = await opening()
    const keys = Array.from({ length: 10 }, (_, n) => `${newId()}/originals/${n}`).toSorted()
    for (const each of keys) await storage.write(each, Buffer.from('x'))
    await storage.createId('id')
    // Another program, or a backup, uses the same bucket.
    server.objects.set('files/backups/b.tar', { body: Buffer.from(''), modifiedAt: new Date(), contentType: '' })
    const listed: string[] = []
    for await (const file of storage.files()) listed.push(file.key)
    expect(listed).toEqual(keys)
  })

  it('has no trace of a write that fails in the middle', async () => {
    const storage = await opening()
    const chunks = (): Readable => Readable.from(Array.from({ length: 20 }, () => Buffer.alloc(2 ** 20, 1)))
    server.fault = ({ query }) => (query.get('partNumber') === '2' ? { status: 507, code: 'QuotaExceeded' } : null)
    await expect(storage.write(key, chunks())).rejects.toMatchObject({ failure: 'full' })
    expect([server.objects.size, server.unfinished.size]).toEqual([0, 0])
    // Completing is repeated: the first request was carried out, but its answer got lost.
    let lost = false
    server.fault = () => null
    const { objects } = server
    server.fault = ({ method, query }) => {
      if (method !== 'POST' || !query.has('uploadId') || lost) return null
      lost = true
      const [[id, upload] = ['', undefined]] = server.unfinished
      const body = Buffer.concat([...(upload?.parts ?? [])].map(([, part]) => part))
      server.unfinished.delete(id)
      objects.set(upload?.key ?? '', { body, modifiedAt: new Date(), contentType: '' })
      return 'disconnect'
    }
    expect(await storage.write(key, chunks())).toBe(20 * 2 ** 20)
    expect((await buffer(await storage.open(key, null))).length).toBe(20 * 2 ** 20)
  })

  it('is probed for writes twice a minute at most', async () => {
    const storage = await opening()
    await storage.probeWrite()
    const before = server.requests.length
    await storage.probeWrite()
    expect(server.requests.length).toBe(before)
  })

  it('is addressed by host name without pathStyle', () => {
    expect(bucketOrigin({ bucket: 'files', pathStyle: false }, 'https://s3.eu-central-1.amazonaws.com')).toBe(
      'https://files.s3.eu-central-1.amazonaws.com',
    )
    expect(bucketOrigin({ bucket: 'files', pathStyle: true }, 'http://localhost:9000')).toBe('http://localhost:9000')
  })
})

it('reads XML without the entities that a document defines', () => {
  const text =
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]><List><Key>a&amp;b&#65;</Key><Item><Key>1</Key></Item><Key>&a;</Key></List>'
  expect([topText(text, 'Key'), elementsOf(text, 'Key').map((element) => element.text)]).toEqual(['a&bA', ['a&bA', '&a;']])
  expect(topText('', 'Key')).toBe('')
})
