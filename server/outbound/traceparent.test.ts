import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, expect, it } from 'vitest'
import { useTracer, type SpanStart } from '../lib/tracing.ts'
import { createOutbound } from './outbound.ts'

const received: (string | undefined)[] = []
const server = createServer((request, response) => {
  received.push(request.headers['traceparent'] as string | undefined)
  response.end()
}).listen(0, '127.0.0.1')
await new Promise((listening) => server.once('listening', listening))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-path`
const [pages, webhooks] = [false, true].map((sendsTraceparent) =>
  createOutbound({ allowHosts: ['127.0.0.1'], userAgent: 'test', sendsTraceparent }),
)
const limits = { maxBytes: 1000, timeoutMs: 60_000 }

afterEach(() => useTracer(null))
afterAll(async () => {
  await pages?.close()
  await webhooks?.close()
  server.close()
})

async function headersOfAll(): Promise<(string | undefined)[]> {
  received.length = 0
  await pages?.fetch(url, limits)
  await webhooks?.fetch(url, limits)
  await pages?.trustedFetch(url)(url)
  return received
}

it('traceparent is sent to webhooks and to endpoints of the settings, not to pages; no span names a URL of a user', async () => {
  const starts: SpanStart[] = []
  const failures: string[] = []
  useTracer({
    begin(start) {
      starts.push(start)
      const fail = (): void => void failures.push(start.name)
      return { traceparent: 'the span', set: () => undefined, rename: () => undefined, fail, within: (fn) => fn(), end: () => undefined }
    },
    isInSpan: () => true,
  })
  expect(await headersOfAll()).toEqual([undefined, 'the span', 'the span'])
  expect(starts.map(({ attributes }) => attributes?.['server.address'])).toEqual([undefined, undefined, new URL(url).host])
  expect(JSON.stringify(starts)).not.toContain('secret-path')
  await expect(pages?.fetch('http://10.0.0.1/', limits)).rejects.toThrow('public internet')
  expect(failures).toEqual(['GET'])
})

it('without a tracer, no request has traceparent', async () => {
  expect(await headersOfAll()).toEqual([undefined, undefined, undefined])
})
