import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clientAnswered, json, refused } from './testing.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const processing = (done: number): Response => json({ id: 'src_1', status: 'processing', progress: { done, total: 2, unit: 'chunks' } })
const completed = (): Response => json({ id: 'src_1', status: 'completed', chunksCount: 2 })

async function outcome(call: Promise<unknown>): Promise<unknown> {
  const ended = call.catch((error: unknown) => error)
  await vi.runAllTimersAsync()
  return ended
}

test('it asks less and less often until the source is completed, and tells every new state once', async () => {
  const { client, requests } = clientAnswered([processing(0), processing(0), processing(1), completed()])
  const seen: string[] = []
  const source = await outcome(
    client.bases.sources.waitUntilProcessed('kb_1', 'src_1', {
      onProgress: ({ status, progress }) => seen.push(`${status} ${progress?.done}`),
    }),
  )
  expect(source).toMatchObject({ status: 'completed', chunksCount: 2 })
  expect(seen).toEqual(['processing 0', 'processing 1', 'completed undefined'])
  expect(requests[0]?.url).toBe('http://groundwork.test/v1/bases/kb_1/sources/src_1')
})

test('a source that failed is an error with its code and the source', async () => {
  const { client } = clientAnswered([json({ id: 'src_1', status: 'failed', error: 'the file is empty', errorCode: 'empty_content' })])
  expect(await outcome(client.bases.sources.waitUntilProcessed('kb_1', 'src_1'))).toMatchObject({
    name: 'SourceFailedError',
    code: 'empty_content',
    message: 'the file is empty',
    source: { id: 'src_1' },
  })
})

test('a service that is away for a while is waited for; a source that is gone is not', async () => {
  const away = Array.from({ length: 10 }, () => new TypeError('fetch failed'))
  const back = clientAnswered([processing(0), ...away, refused(503, 'unavailable', { 'retry-after': '1' }), completed()])
  expect(await outcome(back.client.bases.sources.waitUntilProcessed('kb_1', 'src_1'))).toMatchObject({ status: 'completed' })
  const gone = clientAnswered([processing(0), refused(404, 'not_found')])
  expect(await outcome(gone.client.bases.sources.waitUntilProcessed('kb_1', 'src_1'))).toMatchObject({ code: 'not_found' })
})

test('it gives up after timeoutMs and can be aborted', async () => {
  const many = (): Response[] => Array.from({ length: 100 }, () => processing(0))
  const slow = clientAnswered(many())
  vi.setSystemTime(0)
  expect(await outcome(slow.client.bases.sources.waitUntilProcessed('kb_1', 'src_1', { timeoutMs: 60_000 }))).toMatchObject({
    name: 'TimeoutError',
  })
  expect(Date.now()).toBe(60_000)
  const { client } = clientAnswered(many())
  const abort = new AbortController()
  const call = client.bases.sources.waitUntilProcessed('kb_1', 'src_1', { signal: abort.signal }).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(1_000)
  abort.abort(new Error('enough'))
  expect(await call).toEqual(new Error('enough'))
})
