import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { engineName, pause, program } from './program.ts'

const seconds = 60
const maxPercent = 1.5

/** Returns the processor time that a process and its descendants have used, in seconds. Source: proc(5), utime and stime. */
function processorSeconds(pid: number): number {
  const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK']))
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const own = (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
  return children.reduce((sum, child) => sum + processorSeconds(Number(child)), own)
}

test.skipIf(process.platform !== 'linux')(
  `an idle program on the ${engineName()} uses at most ${maxPercent} % of a core`,
  async () => {
    const groundwork = await program(onTestFinished)
    await groundwork.start()
    // The model, the parsers and the first maintenance of the database are started by then.
    await pause(30_000)
    const pid = groundwork.pid()
    const before = processorSeconds(pid)
    await pause(seconds * 1000)
    const percent = (100 * (processorSeconds(pid) - before)) / seconds
    console.log(`${percent.toFixed(2)} % of a core over ${seconds} s`)
    expect(percent).toBeLessThanOrEqual(maxPercent)
  },
  240_000,
)
