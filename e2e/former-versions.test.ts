import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { Client } from './client.ts'
import { createToken, freePort, program, root } from './program.ts'

/** A backup of each released version (docs/contributing/add-a-migration.md). */
const folder = join(import.meta.dirname, 'former-versions')
const extension = '.tar'
const recorded = (await readdir(folder)).flatMap((name) => (name.endsWith(extension) ? [name.slice(0, -extension.length)] : []))

const documents = ['faq.md', 'price-list.csv', 'opening-hours.html']
const questions = ['Do I need to book?', 'What is the deposit?', 'When are you open on Sunday?']

/** Answers of a version. */
interface Recording {
  readonly token: string
  readonly secretKey: string
  /** Port in the links of proposals. */
  readonly port: string
  readonly reads: Readonly<Record<string, unknown>>
  readonly searches: readonly { readonly path: string; readonly query: string; readonly found: readonly object[] }[]
}

async function groundwork(env: Record<string, string>, ...words: string[]): Promise<void> {
  await promisify(execFile)(process.execPath, ['cli/dist/main.js', ...words], { cwd: root, env })
}

/** Scores may change between versions, and passages have further fields. */
async function search(client: Client, path: string, query: string): Promise<object[]> {
  const { data } = await client.call<{ data: { chunkId: string; text: string; sourceId: string }[] }>('POST', path, { query })
  return data.map(({ chunkId, text, sourceId }) => ({ chunkId, text, sourceId })).toSorted((a, b) => a.chunkId.localeCompare(b.chunkId))
}

/** Fills an installation of this version, and writes its backup and its answers. */
async function record(path: string): Promise<void> {
  const secretKey = 'the secret key of recorded versions'
  const port = await freePort()
  const source = await program(onTestFinished, { DATABASE_URL: '', SECRET_KEY: secretKey, PORT: String(port) })
  await source.start()
  const { token } = await createToken(source)
  const client = new Client(source.url, token)
  const base = await client.createBase('Rental')
  for (const name of documents) {
    const { id } = await client.addPath(base.id, join(root, 'examples', name))
    expect(await client.settled(base.id, id)).toMatchObject({ status: 'completed' })
  }
  const contact = await client.call<{ id: string }>('POST', '/v1/contacts', { email: 'first@example.com', firstName: 'Ada' })
  await client.call('POST', '/v1/proposals', { title: 'Two boats', contactId: contact.id, totalAmount: '120', draft: true })
  await client.call('POST', '/v1/webhooks', { url: 'https://example.com/hook', eventTypes: ['contact.created'] })
  const paths = [
    '/v1/organization',
    '/v1/bases',
    `/v1/bases/${base.id}/sources`,
    '/v1/contacts',
    '/v1/proposals',
    '/v1/webhooks',
    '/v1/tokens',
  ]
  const reads: Record<string, unknown> = {}
  for (const each of paths) reads[each] = await client.comparable(each)
  const searches: { path: string; query: string; found: object[] }[] = []
  for (const query of questions) {
    const at = `/v1/bases/${base.id}/search`
    searches.push({ path: at, query, found: await search(client, at, query) })
  }
  await groundwork(source.env, 'backup', `${path}${extension}`)
  expect(await source.stop()).toBe(0)
  const recording: Recording = { token, secretKey, port: String(port), reads, searches }
  await writeFile(`${path}.json`, `${JSON.stringify(recording)}\n`)
}

/** Restores a recorded version into this one, and compares its answers. @returns the exit code of the program */
async function replay(path: string): Promise<number | null> {
  const { token, secretKey, port, reads, searches } = JSON.parse(await readFile(`${path}.json`, 'utf8')) as Recording
  const baseUrl = `http://127.0.0.1:${port}`
  const target = await program(onTestFinished, { SECRET_KEY: secretKey, BASE_URL: baseUrl }, 'none')
  await groundwork(target.env, 'upgrade', '--rehearse', `${path}${extension}`)
  await groundwork(target.env, 'restore', `${path}${extension}`)
  await target.start()
  const client = new Client(target.url, token)
  // Records may have further fields by now.
  for (const [each, answer] of Object.entries(reads)) expect([each, await client.comparable(each)]).toMatchObject([each, answer])
  for (const { path: at, query, found } of searches) expect([query, await search(client, at, query)]).toEqual([query, found])
  await client.call('POST', '/v1/contacts', { email: 'new@example.com' })
  await groundwork(target.env, 'doctor', '--grace', '0')
  return target.stop()
}

test('this version answers as it did when it was recorded', { timeout: 600_000 }, async () => {
  const temporary = await mkdtemp(join(tmpdir(), 'groundwork-recording-'))
  onTestFinished(() => rm(temporary, { recursive: true }))
  await record(join(temporary, 'present'))
  expect(await replay(join(temporary, 'present'))).toBe(0)
  if (process.env['RECORD_VERSION'] === undefined) return
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  await record(join(folder, version))
})

test.each(recorded)('version %s answers as it did when it was recorded', { timeout: 600_000 }, async (version) => {
  expect(await replay(join(folder, version))).toBe(0)
})
