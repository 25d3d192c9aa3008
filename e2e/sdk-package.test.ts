import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
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

test('npm pack builds anew; a TypeScript project compiles and runs with the packed SDK alone', { timeout: 600_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'groundwork-sdk-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const copy = await copyOfSdk(folder)
  await writeFile(join(copy, 'dist/removed.js'), 'of an earlier build')
  const archives = join(folder, 'archives')
  await mkdir(archives)
  await run('npm', ['pack', '--pack-destination', archives], { cwd: copy, env: shell() })
  const [archive = ''] = await readdir(archives)
  const target = join(folder, 'node_modules/@groundwork/sdk')
  await mkdir(target, { recursive: true })
  await run('tar', ['-xzf', join(archives, archive), '-C', target, '--strip-components=1'])
  expect(await readdir(join(target, 'dist'))).toEqual(expect.not.arrayContaining(['removed.js']))
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

/** Returns the SDK in a copy of the repository: programs of other tests use the output that `npm pack` deletes. */
async function copyOfSdk(folder: string): Promise<string> {
  const copy = join(folder, 'repository')
  await mkdir(copy)
  const parts = ['package.json', 'tsconfig.base.json', 'api', 'sdk']
  await run('bash', ['-c', `tar -c --exclude=node_modules ${parts.join(' ')} | tar -x -C ${copy}`], { cwd: root })
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  return join(copy, 'sdk')
}
