import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { DeferredLog, newProgress } from './deferred-log.ts'
import { LogFlusher } from './log-flusher.ts'

async function flusher() {
  const folder = await mkdtemp(join(tmpdir(), 'groundwork-log-'))
  const path = join(folder, '000000010000000000000001')
  await writeFile(path, 'log')
  const progress = newProgress()
  const [log, flushing] = [new DeferredLog(progress), new LogFlusher(progress)]
  onTestFinished(async () => {
    await flushing.close()
    await rm(folder, { recursive: true, force: true })
  })
  const request = (): void => {
    log.defer(path)
    flushing.note(log.unflushed())
  }
  return { log, flushing, request, path, folder }
}

it('does all requests that came together in one flush', async () => {
  const { log, flushing, request } = await flusher()
  expect(flushing.flushed()).toBeNull()
  request()
  const first = flushing.flushed()
  for (let more = 0; more < 5; more++) request()
  const others = [flushing.flushed(), flushing.flushed()]
  expect(first).toBeInstanceOf(Promise)
  await Promise.all([first, ...others])
  expect(flushing.flushes).toBeLessThanOrEqual(2)
  expect([flushing.flushed(), log.unflushed()]).toEqual([null, null])
})

it('has nothing left to do when the engine has flushed by itself', async () => {
  const { log, flushing, request, path } = await flusher()
  request()
  expect(log.settle()).toBe(1)
  await rm(path)
  expect([flushing.flushed(), log.settle(), flushing.flushes]).toEqual([null, 0, 0])
})

it('flushes the folder after segments were renamed', async () => {
  const { log, flushing, folder } = await flusher()
  log.deferFolder(folder)
  flushing.note(log.unflushed())
  await flushing.flushed()
  expect([flushing.flushes, log.unflushed()]).toEqual([1, null])
})

it('rejects what waits when the log cannot be flushed, and does not take it for done later', async () => {
  const { flushing, request, folder } = await flusher()
  request()
  await rm(folder, { recursive: true })
  const waiting = [flushing.flushed(), flushing.flushed()]
  for (const each of waiting) await expect(each).rejects.toThrow('ENOENT')
  await expect(flushing.flushed()).rejects.toThrow('ENOENT')
})
