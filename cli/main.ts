import type { Groundwork } from '@groundwork/sdk'
import { commands } from './commands.ts'
import { exitCodes, exitCodeOf, failureText } from './failure.ts'
import { commandHelp, overview } from './help.ts'
import { interpret, lookupOf } from './interpret.ts'
import { isForOperator, runForOperator } from './operator.ts'
import { createOutput } from './output.ts'
import { clientOf } from './settings.ts'

const words = process.argv.slice(2)
if (isForOperator(words)) await runForOperator()
else await run()

async function run(): Promise<void> {
  const output = createOutput({ ...process, json: words.includes('--json') })
  const interruption = new AbortController()
  // A second Ctrl-C ends the process at once.
  process.once('SIGINT', () => interruption.abort())
  const { signal } = interruption
  try {
    const interpretation = interpret(words, commands)
    if (interpretation.kind === 'overview') return await output.text(overview(commands))
    if (interpretation.kind === 'help') return await output.text(commandHelp(interpretation.command))
    const { values } = interpretation
    let client: Groundwork | undefined
    const failed = await interpretation.command.run(
      {
        // Commands that use no client run without a token.
        get client() {
          return (client ??= clientOf(values, process.env))
        },
        output,
        signal,
        interactive: process.stdin.isTTY,
      },
      interpretation.positionals,
      values,
    )
    if (failed) process.exitCode = exitCodes.failed
  } catch (error) {
    process.exitCode = signal.aborted ? exitCodes.interrupted : exitCodeOf(error)
    if (!signal.aborted) output.failure(failureText(error, lookupOf(words, commands)), error)
  } finally {
    if (signal.aborted) process.exitCode = exitCodes.interrupted
    output.close()
  }
}
