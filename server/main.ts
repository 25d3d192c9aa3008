import { setFlagsFromString } from 'node:v8'
import { createProgram } from './program.ts'
import { readConfig } from './config.ts'
import { startUndisturbedDeadline } from './lib/undisturbed-deadline.ts'

/** Maximum time for a clean shutdown after the drain. Then the process exits, and the next start recovers unfinished work. */
const shutdownMs = 10_000
/** npm forwards the SIGINT of a terminal, which this process also receives itself. Within this time, two signals count as one. */
const sameSignalMs = 3_000
/**
 * Percent that the heap can grow between two full garbage collections. By default V8 lets a heap of this size grow to four times its size:
 * an import then took 400 MB more and 3 % less processor time.
 */
const heapGrowthPercent = 30

const [, script, word] = process.argv
// The packages start the server with a script of their own, whose arguments are its own too.
if (script === import.meta.filename && word !== undefined) {
  process.stderr
    .write(`Unknown argument: ${word}. This program is the server and takes no arguments: it reads its settings from the environment.
To see the commands for the operator: npm run --silent groundwork -- --help
`)
  process.exit(1)
}

setFlagsFromString(`--heap-growing-percent=${heapGrowthPercent}`)
try {
  const config = readConfig()
  const starting = createProgram(config)
  let stoppedAt: number | undefined
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stoppedAt !== undefined) {
        if (performance.now() - stoppedAt > sameSignalMs) process.exit(1)
        return
      }
      stoppedAt = performance.now()
      startUndisturbedDeadline(process.pid, config.DRAIN_SECONDS * 1000 + shutdownMs, () => {
        process.stderr.write('Groundwork did not stop in time. Unfinished work continues at the next start.\n')
        process.exit(1)
      })
      void starting.then((program) => program.stop()).then(() => process.exit(0))
    })
  }
  await starting
} catch (error) {
  process.stderr.write(`Groundwork does not start.\n${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
