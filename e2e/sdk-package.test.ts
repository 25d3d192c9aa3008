import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { root, shell } from './program.ts'

const run = promisify(execFile)

const code = `
import { ConflictError, Groundwork, verifyWebhook, type Contact, type CreateContact, type EventOf, type SearchHit } from '@groundwork/sdk'

const client = new Groundwork({ baseUrl: 'http://127.0.0.1:4000', token: 'gw_example' })

export async function use(body: CreateContact): Promise<SearchHit | undefined> {
  const contact: Contact = await client.contacts.create(body)
  const name: string | null = contact.firstName
  for await (const proposal of client.proposals.list({ contactId: contact.id, limit: 10 })) {
    const status: 'draft' | 'pending' | 'completed' | 'rejected' | 'expired' | 'voided' = proposal.status
    console.log(name, status)
  }
  // @ts-expect-error -- a contact has no such field
  console.log(contact.nickname)
  // @ts-expect-error -- the title is a string
  await client.proposals.create({ title: 1, contactId: contact.id })
  const { data } = await client.bases.search('kb_1', { query: 'deposit', filter: { key: 'kind', eq: 'terms' } })
  return data[0]
}

export const failed = (event: EventOf<'source.failed'>): string | null => event.data.error
export const verify = verifyWebhook
console.log(typeof client.contacts.create, ConflictError.name)
`

const compilerOptions = {
  module: 'nodenext',
  target: 'es2023',
  lib: ['es2023', 'dom'],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
}

test('a TypeScript project compiles and runs with the packed SDK alone', { timeout: 180_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'groundwork-sdk-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await run('npm', ['pack', '--workspace', 'sdk', '--ignore-scripts', '--pack-destination', folder], { cwd: root, env: shell() })
  const [archive = ''] = await readdir(folder)
  const target = join(folder, 'node_modules/@groundwork/sdk')
  await mkdir(target, { recursive: true })
  await run('tar', ['-xzf', join(folder, archive), '-C', target, '--strip-components=1'])
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module', private: true }))
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['index.ts'] }))
  await writeFile(join(folder, 'index.ts'), code)
  const compiled = await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '--project', folder], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  )
  expect(compiled.stdout).toBe('')
  const { stdout } = await run(process.execPath, ['index.js'], { cwd: folder, env: shell() })
  expect(stdout).toBe('function ConflictError\n')
})
