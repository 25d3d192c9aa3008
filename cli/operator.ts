import { parseArgs } from 'node:util'

const text = { type: 'string' } as const

/** Returns whether this is an operator command, which works on the database. */
export function isForOperator(words: string[]): boolean {
  const options = {
    organization: text,
    name: text,
    scopes: text,
    expires: text,
    'key-file': text,
    yes: text,
    state: text,
    storage: text,
    chunks: text,
    sources: text,
    rehearse: text,
    to: text,
  }
  const { positionals } = parseArgs({ args: words, options, allowPositionals: true, strict: false })
  const [first, second] = positionals
  return (
    first === 'backup' ||
    first === 'doctor' ||
    first === 'index' ||
    first === 'jobs' ||
    first === 'key' ||
    first === 'model' ||
    first === 'organizations' ||
    first === 'restore' ||
    first === 'secret-key' ||
    first === 'signing-key' ||
    first === 'storage' ||
    first === 'upgrade' ||
    first === 'users' ||
    (first === 'token' && (second === undefined || second === 'create'))
  )
}

/** Runs an operator command. This is the only import of the server, and only operator commands load it. */
export async function runForOperator(): Promise<void> {
  await import('@groundwork/server/cli')
}
