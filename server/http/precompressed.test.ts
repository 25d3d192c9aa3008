import { describe, expect, it } from 'vitest'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { testApp } from '../testing/app.ts'
import { preferredEncoding } from './precompressed.ts'

const { app } = await testApp()
const ask = (headers: Record<string, string>) => app.inject({ url: '/v1/openapi.json', headers })

describe('the OpenAPI document', () => {
  it('is served in the preferred encoding, with an ETag per encoding', async () => {
    const [plain, zipped, brotli] = [
      await ask({}),
      await ask({ 'accept-encoding': 'gzip' }),
      await ask({ 'accept-encoding': 'gzip, deflate, br' }),
    ]
    expect([plain, zipped, brotli].map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'gzip', 'br'])
    expect(gunzipSync(zipped.rawPayload).toString()).toBe(plain.body)
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(plain.body)
    expect(brotli.rawPayload.length).toBeLessThan(plain.rawPayload.length / 5)
    expect(new Set([plain, zipped, brotli].map(({ headers }) => headers['etag'])).size).toBe(3)
    for (const { headers } of [plain, zipped, brotli])
      expect([headers['vary'], headers['cache-control'], headers['content-type']]).toEqual([
        'Accept-Encoding',
        'no-cache',
        'application/json; charset=utf-8',
      ])
  })

  it('is 304 if the client has the current version', async () => {
    for (const headers of [{}, { 'accept-encoding': 'gzip' }, { 'accept-encoding': 'br' }]) {
      const etag = String((await ask(headers)).headers['etag'])
      const again = await ask({ ...headers, 'if-none-match': `W/${etag}, "other"` })
      expect([again.statusCode, again.body, again.headers['etag']]).toEqual([304, '', etag])
    }
    expect((await ask({ 'if-none-match': '"other"' })).statusCode).toBe(200)
  })
})

describe('preferredEncoding', () => {
  it.each([
    ['', undefined],
    ['identity', undefined],
    ['gzip;q=0', undefined],
    ['*;q=0', undefined],
    ['br;q=0, gzip', 'gzip'],
    ['gzip, br', 'br'],
    ['gzip;q=0.9, br;q=0.1', 'gzip'],
    ['GZIP', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['zstd, deflate', undefined],
  ])('of %j is %s', (header, encoding) => expect(preferredEncoding(header)).toBe(encoding))
})
