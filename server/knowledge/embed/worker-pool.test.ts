import { afterEach, expect, test } from 'vitest'
import { startProcess, startThread } from './pool-member.ts'
import { type WorkerPool, createWorkerPool } from './worker-pool.ts'

/** A thread that answers with its own number and the text's length, and dies over some texts. */
const entry = new URL(
  `data:text/javascript,${encodeURIComponent(`
  import { parentPort, threadId, workerData } from 'node:worker_threads'
  if (workerData.broken) throw new Error('no model here')
  const died = new Int32Array(workerData.died)
  parentPort.on('message', ({ id, text, close }) => {
    if (close) return parentPort.close()
    if (text === 'exit') process.exit(3)
    if (text === 'throw') throw new Error('the thread broke')
    if (text === 'die once' && Atomics.add(died, 0, 1) === 0) throw new Error('the thread broke')
    if (text === 'hang') return
    if (text === 'unreadable') return parentPort.postMessage({ id, error: 'bad text' })
    parentPort.postMessage({ id, vector: Float32Array.of(threadId, text.length) })
  })
  parentPort.postMessage({ ready: true })
`)}`,
)

let pool: WorkerPool
afterEach(() => pool.close())

function createPool(size: number, broken = false): WorkerPool {
  const workerData = { died: new SharedArrayBuffer(4), broken }
  pool = createWorkerPool({ start: () => startThread(entry, workerData), size })
  return pool
}

function lengths(vectors: readonly Float32Array[]): (number | undefined)[] {
  return vectors.map((vector) => vector[1])
}

test('vectors are in the order of the texts, from the allowed number of threads', async () => {
  const texts = Array.from({ length: 500 }, (_, at) => 'x'.repeat(at))
  const vectors = await createPool(3).embed(texts)
  expect(lengths(vectors)).toEqual(texts.map((text) => text.length))
  expect(new Set(vectors.map((vector) => vector[0])).size).toBeLessThanOrEqual(3)
})

test('a crashed thread is replaced, and its texts are retried once', async () => {
  expect(lengths(await createPool(1).embed(['a', 'die once', 'ccc']))).toEqual([1, 8, 3])
})

test.each(['throw', 'exit'])('a text that kills its thread twice (%s) fails alone', async (deadly) => {
  createPool(1)
  const innocent = pool.embed(['a', 'bb'])
  const guilty = pool.embed([deadly]).catch((error: unknown) => error)
  const others = pool.embed(['ccc', 'dddd'])
  expect(await guilty).toMatchObject({ code: 'embedding_failed', retryable: true })
  expect(lengths([...(await innocent), ...(await others)])).toEqual([1, 2, 3, 4])
})

test('an invalid text only fails its own call', async () => {
  createPool(2)
  await expect(pool.embed(['a', 'unreadable', 'b'])).rejects.toMatchObject({ code: 'embedding_failed', cause: { message: 'bad text' } })
  expect(lengths(await pool.embed(['a']))).toEqual([1])
})

test('threads that fail to start fail the waiting calls', async () => {
  createPool(2, true)
  await expect(pool.ready()).rejects.toThrow('no model here')
  await expect(pool.embed(['a', 'b', 'c'])).rejects.toMatchObject({ code: 'embedding_failed', cause: { message: 'no model here' } })
})

test('processes embed too, and one that ends is replaced', async () => {
  const code = `
    process.on('message', ({ id, text, close }) => {
      if (close) return process.disconnect()
      if (text === 'exit') process.exit(3)
      process.send({ id, vector: Float32Array.of(process.pid, text.length) })
    })
    process.send({ ready: true })`
  pool = createWorkerPool({ start: () => startProcess(['-e', code]), size: 2 })
  const guilty = pool.embed(['exit']).catch((error: unknown) => error)
  expect(lengths(await pool.embed(['a', 'bb', 'ccc']))).toEqual([1, 2, 3])
  expect(await guilty).toMatchObject({ code: 'embedding_failed', retryable: true })
  const [vector] = await pool.embed(['dddd'])
  expect(vector?.[0]).not.toBe(process.pid)
  expect(vector?.buffer.byteLength).toBe(8)
})

test('the duration of a text is estimated from earlier texts', async () => {
  const own = createPool(1)
  await own.embed(['a', 'b', 'c'])
  expect(own.expectedMs()).toBe(0)
  const hanging = [own.embed(['hang'])]
  const second = own.expectedMs()
  expect(second).toBeGreaterThan(0)
  hanging.push(own.embed(['b', 'c', 'd']))
  expect(own.expectedMs()).toBeCloseTo((5 / 2) * second)
  await Promise.all([...hanging.map((each) => expect(each).rejects.toThrow('closed')), own.close()])
})
