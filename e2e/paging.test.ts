import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Groundwork } from '@groundwork/sdk'
import { expect, onTestFinished, test } from 'vitest'
import { createToken, program, root } from './program.ts'

test('the shell loops in docs/paging.md read whole lists of both forms', async () => {
  const guide = await readFile(join(root, 'docs/paging.md'), 'utf8')
  const [contacts, sources] = [...guide.matchAll(/```sh\n([^]*?)```/g)].flatMap(([, code = '']) => (code.includes('while') ? [code] : []))
  const groundwork = await program(onTestFinished, { FETCH_ALLOW_HOSTS: '127.0.0.1:1' })
  await groundwork.start()
  const { token } = await createToken(groundwork)
  const client = new Groundwork({ baseUrl: groundwork.url, token })
  for (let count = 0; count < 5; count++) await client.contacts.create({ firstName: 'Number', lastName: String(count) })
  const base = await client.bases.create({ name: 'Paged' })
  const url = 'http://127.0.0.1:1/'
  for (let count = 0; count < 5; count++) await client.bases.sources.create(base.id, { name: String(count), type: 'url', url })

  const folder = await mkdtemp(join(tmpdir(), 'groundwork-paging-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const env = { ...groundwork.env, API: groundwork.url, TOKEN: token, BASE: base.id }
  const lines = async (script = ''): Promise<string[]> => {
    const shell = promisify(execFile)('bash', ['-c', `set -euo pipefail\n${script.replace('limit=100', 'limit=2')}`], { cwd: folder, env })
    return (await shell).stdout.trim().split('\n')
  }
  const read = (await lines(contacts)).map((line) => JSON.parse(line) as { lastName: string })
  expect(read.map(({ lastName }) => lastName)).toEqual(['4', '3', '2', '1', '0'])
  const pages = (await lines(sources)).map((line) => JSON.parse(line) as { data: { name: string }[] })
  expect(pages.map(({ data }) => data.map(({ name }) => name))).toEqual([['4', '3'], ['2', '1'], ['0']])
}, 600_000)
