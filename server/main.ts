import { createProgram } from './program.ts'
import { readConfig } from './config.ts'

/** Longest wait for a clean end; then the process goes, and the next start picks up what was left. */
const shutdownMs = 25_000

try {
  const program = await createProgram(readConfig())
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      setTimeout(() => process.exit(1), shutdownMs).unref()
      void program.stop().then(() => process.exit(0))
    })
  }
} catch (error) {
  process.stderr.write(`Groundwork does not start.\n${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
