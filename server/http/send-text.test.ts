import fastify from 'fastify'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { sendText } from './send-text.ts'

const long = JSON.stringify({ data: Array.from({ length: 200 }, (_, index) => ({ id: `ctc_${index}`, firstName: 'Ada' })) })

test('compresses long texts for browsers, which send no Authorization', async () => {
  const app = fastify()
  onTestFinished(() => app.close())
  app.get('/long', (request, reply) => sendText(request, reply.header('Vary', 'Origin'), long))
  app.get('/short', (request, reply) => sendText(request, reply, '{}'))
  const get = (url: string, headers: Record<string, string>) => app.inject({ url, headers })
  const compressed = await get('/long', { 'accept-encoding': 'gzip, deflate, br' })
  expect(compressed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Origin, Accept-Encoding' })
  expect(gunzipSync(compressed.rawPayload).toString()).toBe(long)
  expect(compressed.rawPayload.length).toBeLessThan(long.length / 4)
  for (const [url, headers, body] of [
    ['/long', {}, long],
    ['/long', { 'accept-encoding': 'gzip;q=0' }, long],
    ['/long', { 'accept-encoding': 'gzip', authorization: 'Bearer gw_1' }, long],
    ['/short', { 'accept-encoding': 'gzip' }, '{}'],
  ] as const) {
    const plain = await get(url, headers)
    expect([url, headers, plain.headers['content-encoding'], plain.body]).toEqual([url, headers, undefined, body])
  }
})
