import { createInterface } from 'node:readline/promises'
import type { Session } from './command.ts'
import { UsageError } from './failure.ts'

/** @throws UsageError unless the user confirms */
export async function confirm({ interactive, output, signal }: Session, question: string): Promise<void> {
  if (!interactive || output.json) throw new UsageError('this needs a confirmation: use --yes in non-interactive use')
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await lines.question(`${question} [y/N] `, { signal })
    if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError('nothing was changed')
  } finally {
    lines.close()
  }
}
