import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { letterEmbedder } from '../../../testing/letter-embedder.ts'
import type { Embedder } from '../embedder.ts'
import { createFormerModels } from './former-models.ts'

const log = { info: vi.fn<() => void>(), warn: vi.fn<() => void>() }
const options = { log, idleMs: 1000, retryMs: 100 }

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function openable() {
  const close = vi.fn<Embedder['close']>(async () => undefined)
  return { close, open: vi.fn<(model: string) => Promise<Embedder | null>>(async (model) => ({ ...letterEmbedder(), model, close })) }
}

test('a model is loaded once, and closed a while after its last use', async () => {
  const { open, close } = openable()
  const models = createFormerModels({ ...options, open })
  const [first, second] = await Promise.all([models.find('a'), models.find('a')])
  expect(first).toBe(second)
  expect(first?.model).toBe('a')
  for (let use = 0; use < 5; use += 1) {
    await vi.advanceTimersByTimeAsync(800)
    expect(await models.find('a')).toBe(first)
  }
  expect([open.mock.calls.length, close.mock.calls.length]).toEqual([1, 0])
  await vi.advanceTimersByTimeAsync(1000)
  expect(close).toHaveBeenCalledTimes(1)
  expect(await models.find('a')).not.toBe(first)
  expect(open).toHaveBeenCalledTimes(2)
})

test('an unavailable model is tried again after a while', async () => {
  const open = vi.fn<() => Promise<Embedder | null>>(async () => null)
  open.mockRejectedValueOnce(new Error('model.onnx is missing'))
  const models = createFormerModels({ ...options, open })
  expect([await models.find('a'), await models.find('a')]).toEqual([null, null])
  expect(open).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(100)
  expect(await models.find('a')).toBeNull()
  expect(open).toHaveBeenCalledTimes(2)
})

test('closing closes the loaded models', async () => {
  const { open, close } = openable()
  const models = createFormerModels({ ...options, open })
  await Promise.all([models.find('a'), models.find('b')])
  await models.close()
  expect(close).toHaveBeenCalledTimes(2)
})
