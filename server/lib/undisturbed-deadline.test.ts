import { spawn } from 'node:child_process'
import { expect, it, onTestFinished } from 'vitest'
import { delaysOf, maxSlowdown, startUndisturbedDeadline } from './undisturbed-deadline.ts'

/** Starts a process that starts another one, which computes without end if `busy`. */
async function startTree(busy: boolean): Promise<number | undefined> {
  const loop = busy ? 'for (;;);' : 'setInterval(() => {}, 1000)'
  const code = `
    const child = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(loop)}])
    process.on('exit', () => child.kill('SIGKILL'))
    process.on('disconnect', () => process.exit())
    console.log(child.pid)`
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ipc', 'pipe', 'ignore'] })
  onTestFinished(() => child.disconnect())
  await new Promise((started) => child.stdout?.once('data', started))
  return child.pid
}

it('expires after its limit if the processes wait for something else', async () => {
  const pid = await startTree(false)
  const started = performance.now()
  await new Promise<void>((expired) => startUndisturbedDeadline(pid, 100, expired))
  expect(performance.now() - started).toBeGreaterThan(98)
})

it('does not expire after its end', async () => {
  let expired = false
  startUndisturbedDeadline(process.pid, 1, () => (expired = true))()
  await new Promise((done) => setTimeout(done, 50))
  expect(expired).toBe(false)
})

it.runIf(process.platform === 'linux')('knows the delays of a process and of its children', async () => {
  const pid = await startTree(true)
  const delays = delaysOf(pid)
  expect([...delays.keys()]).toContain(pid)
  expect(delays.size).toBe(2)
  expect(delaysOf(undefined).size).toBe(0)
})

it.runIf(process.platform === 'linux')('does not count the time of waiting for a processor', async () => {
  const limit = 500
  // More busy processes than processors: each waits for most of the time.
  const rivals = await Promise.all(Array.from({ length: 4 }, () => startTree(true)))
  const pid = rivals[0]
  const before = delaysOf(pid)
  const started = performance.now()
  await new Promise<void>((expired) => startUndisturbedDeadline(pid, limit, expired))
  // Time between the two readings must not count as waiting.
  const waited = [...delaysOf(pid)].reduce((sum, [each, delay]) => sum + delay - (before.get(each) ?? 0), 0)
  const elapsed = performance.now() - started
  // Beside very many other processes, the longest time ends the deadline.
  expect([elapsed - waited > limit * 0.9, elapsed >= maxSlowdown * limit]).toContain(true)
})
