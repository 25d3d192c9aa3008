import { describe, expect, it, onTestFinished } from 'vitest'
import { startLimitedProcess, type LimitedProcess } from './limited-process.ts'
import { processorMs } from './processor-deadline.ts'

const limits = { memoryMb: 500, cpuSeconds: 60 }

/** Starts a process that calls `reply` some time after a request, as `answer` decides. */
function answering(answer: string): LimitedProcess<object, string> {
  const code = `
    const send = (message) => process.send(message)
    const used = ({ user, system }) => (user + system) / 1000
    const spin = (ms) => { for (const from = process.cpuUsage(); used(process.cpuUsage(from)) < ms;); }
    process.on('message', () => (${answer})((reply) => send({ type: 'reply', reply }), spin))
    process.on('disconnect', () => process.exit())
    send({ type: 'ready' })`
  const child = startLimitedProcess<object, string>(['-e', code], limits)
  onTestFinished(() => child.kill())
  return child
}

describe.runIf(process.platform === 'linux')('a request to a limited process', () => {
  it('ends after its processor time', async () => {
    const child = answering('() => { for (;;); }')
    await expect(child.exchange({}, 300)).rejects.toMatchObject({ failure: 'timeout' })
    expect(child.alive()).toBe(false)
  })

  it('ends if the process waits without using processor time', async () => {
    await expect(answering('() => {}').exchange({}, 500)).rejects.toMatchObject({ failure: 'timeout' })
  })

  it('may take longer than its limit if it uses less processor time, as on a busy machine', async () => {
    const turns =
      '(reply, spin) => { let left = 20; const turn = () => { spin(20); left-- ? setTimeout(turn, 160) : reply("done") }; turn() }'
    expect(await answering(turns).exchange({}, 3_000)).toBe('done')
  }, 120_000)
})

it.runIf(process.platform === 'linux')('the processor time of a process is that of Node', () => {
  const { user, system } = process.cpuUsage()
  expect(Math.abs((processorMs(process.pid) ?? 0) - (user + system) / 1000)).toBeLessThan(500)
  expect(processorMs(undefined)).toBeNull()
})
