import { expect, onTestFinished, test, vi } from 'vitest'
import { clientAnswered, json, never, refused } from './testing.ts'

const upload = {
  id: 'upl_1',
  uploadUrl: 'http://files.test/v1/uploads/ticket',
  method: 'PUT',
  headers: { 'Content-Type': 'text/plain' },
  storageUrl: 'groundwork://uploads/upl_1',
  expiresAt: '2026-01-01T00:00:00.000Z',
}
const bytes = new Uint8Array(200_000).map((_, index) => index % 251)
const received = async (request: Request | undefined): Promise<Uint8Array> => new Uint8Array((await request?.arrayBuffer()) ?? [])
const isWhole = (body: Uint8Array): boolean => Buffer.compare(body, bytes) === 0

/** Reads the request body, as a server does. */
function receiving(into: Uint8Array[]) {
  return async (request: Request): Promise<Response> => {
    into.push(await received(request))
    return new Response(null, { status: 204 })
  }
}

test.each([
  ['a Blob', new Blob([bytes], { type: 'text/plain' }), { name: 'a.txt' }, { fileName: 'a.txt', contentType: 'text/plain' }],
  ['a File', new File([bytes], 'b.csv', { type: 'text/csv' }), {}, { fileName: 'b.csv', contentType: 'text/csv' }],
  ['bytes', bytes, { type: 'application/pdf' }, { fileName: 'file', contentType: 'application/pdf' }],
  ['a part of a buffer', new Uint8Array(bytes.buffer, 0, 200_000), {}, { fileName: 'file', contentType: 'application/octet-stream' }],
  ['an ArrayBuffer', bytes.buffer, { name: 'c.bin' }, { fileName: 'c.bin', contentType: 'application/octet-stream' }],
])('%s is uploaded with and without progress', async (_name, file, options, announced) => {
  const bodies: Uint8Array[] = []
  const { client, requests } = clientAnswered([json(upload, 201), receiving(bodies), json(upload, 201), receiving(bodies)])
  const progress: number[] = []
  const made = await client.uploads.create(file, { ...options, onProgress: ({ sentBytes }) => progress.push(sentBytes) })
  expect(made.storageUrl).toBe(upload.storageUrl)
  await client.uploads.create(file, options)
  expect(bodies.map(isWhole)).toEqual([true, true])
  expect(progress).toEqual([0, 65_536, 131_072, 196_608, 200_000])
  const [announce, put] = requests
  expect(await announce?.json()).toEqual({ ...announced, sizeBytes: 200_000 })
  expect([put?.method, put?.url, put?.headers.get('content-type')]).toEqual(['PUT', upload.uploadUrl, 'text/plain'])
  expect(put?.headers.has('authorization')).toBe(false)
})

test('a runtime without request streams sends the file in one piece', async () => {
  const bodies: Uint8Array[] = []
  const { client } = clientAnswered([json(upload, 201), async (request) => receiving(bodies)(request)])
  // A runtime without request streams ignores `duplex`.
  const real = Request
  vi.stubGlobal(
    'Request',
    class extends real {
      constructor(input: string | URL | Request, init: RequestInit = {}) {
        super(input, init.body instanceof ReadableStream ? { method: 'POST', body: '[object ReadableStream]' } : init)
      }
    },
  )
  onTestFinished(() => void vi.unstubAllGlobals())
  const progress: number[] = []
  await client.uploads.create(bytes, { onProgress: ({ sentBytes }) => progress.push(sentBytes) })
  expect(bodies.map(isWhole)).toEqual([true])
  expect(progress).toEqual([0, 200_000])
})

test('a failed transfer is retried in one piece; a refused one throws', async () => {
  const bodies: Uint8Array[] = []
  const again = clientAnswered([json(upload, 201), new TypeError('fetch failed'), receiving(bodies)])
  await again.client.uploads.create(bytes, { onProgress: () => undefined })
  expect(bodies.map(isWhole)).toEqual([true])
  const late = clientAnswered([json(upload, 201), refused(404, 'not_found')])
  await expect(late.client.uploads.create(bytes)).rejects.toMatchObject({ name: 'NotFoundError', requestId: 'req_1' })
})

test('an aborted upload rejects with the reason and is not retried', async () => {
  const abort = new AbortController()
  const { client, requests } = clientAnswered([json(upload, 201), never])
  const call = client.uploads.create(bytes, { signal: abort.signal }).catch((error: unknown) => error)
  await vi.waitFor(() => expect(requests).toHaveLength(2))
  abort.abort(new Error('enough'))
  expect(await call).toEqual(new Error('enough'))
  expect(requests[1]?.signal.aborted).toBe(true)
  const before = clientAnswered([])
  await expect(before.client.uploads.create(bytes, { signal: abort.signal })).rejects.toThrow('enough')
  expect(requests).toHaveLength(2)
})

test('progress never decreases, even when the transfer is retried', async () => {
  const half = async (request: Request): Promise<Response> => {
    await request.body?.getReader().read()
    throw new TypeError('fetch failed')
  }
  const bodies: Uint8Array[] = []
  const { client } = clientAnswered([json(upload, 201), half, receiving(bodies)])
  const progress: number[] = []
  await client.uploads.create(bytes, { onProgress: ({ sentBytes }) => progress.push(sentBytes) })
  expect(bodies.map(isWhole)).toEqual([true])
  expect(progress).toEqual([0, 65_536, 200_000])
})

test('a file of more than 8 MiB is sent in parts, of which an interrupted upload sends the missing ones', async () => {
  const file = new Uint8Array(9 * 2 ** 20).map((_, index) => index % 251)
  const parts = [
    { number: 1, firstByte: 0, sizeBytes: 8 * 2 ** 20, url: 'http://files.test/1?signature' },
    { number: 2, firstByte: 8 * 2 ** 20, sizeBytes: 2 ** 20, url: 'http://files.test/2?signature' },
  ]
  const bodies: Uint8Array[] = []
  const first = clientAnswered([json({ ...upload, parts }, 201), receiving(bodies), refused(403, 'forbidden')])
  const begun: string[] = []
  await expect(first.client.uploads.create(file, { onCreated: ({ id }) => begun.push(id) })).rejects.toMatchObject({ status: 403 })
  expect(await first.requests[0]?.json()).toMatchObject({ parts: true })
  const next = clientAnswered([json({ parts: parts.slice(1) }), receiving(bodies), json({ id: 'upl_1', storageUrl: upload.storageUrl })])
  const progress: number[] = []
  const done = await next.client.uploads.resume(begun[0] ?? '', file, { onProgress: ({ sentBytes }) => progress.push(sentBytes) })
  expect(done.storageUrl).toBe(upload.storageUrl)
  expect(next.requests.map(({ method, url }) => [method, new URL(url).pathname])).toEqual([
    ['POST', '/v1/uploads/upl_1/resume'],
    ['PUT', '/2'],
    ['POST', '/v1/uploads/upl_1/complete'],
  ])
  expect(Buffer.compare(Buffer.concat(bodies), file)).toBe(0)
  expect(progress).toEqual([8 * 2 ** 20, 9 * 2 ** 20])
})

test('a small file is not streamed to a storage service, which needs its length', async () => {
  const bodies: Uint8Array[] = []
  const { client, requests } = clientAnswered([
    json({ ...upload, uploadUrl: 'http://s3.test/a?X-Amz-Signature=1' }, 201),
    receiving(bodies),
  ])
  const progress: number[] = []
  await client.uploads.create(bytes, { onProgress: ({ sentBytes }) => progress.push(sentBytes) })
  expect([bodies.map(isWhole), progress, requests.length]).toEqual([[true], [0, 200_000], 2])
})
