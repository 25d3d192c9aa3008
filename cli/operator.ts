import { parseArgs } from 'node:util'

const text = { type: 'string' } as const

/** Whether this is a command of the program's own command line, which works on the database. */
export function isForOperator(words: string[]): boolean {
  const options = { organization: text, name: text, scopes: text, expires: text }
  const { positionals } = parseArgs({ args: words, options, allowPositionals: true, strict: false })
  const [first, second] = positionals
  return first === 'doctor' || (first === 'token' && (second === undefined || second === 'create'))
}

/** The only way from here into the program: it reads the same words, and is not loaded for anything else. */
export async function runForOperator(): Promise<void> {
  await import('@groundwork/server/cli')
}
