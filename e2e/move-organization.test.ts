import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { Client } from './client.ts'
import { movesWith } from './moves.ts'
import { inBucket, openObjectStorage } from './object-storage.ts'
import { createToken, program, root, type Program } from './program.ts'
import { openReceiver } from './receiver.ts'

const documents = ['faq.md', 'price-list.csv', 'opening-hours.html']
const questions = ['Do I need to book?', 'What is the deposit?', 'When are you open on Sunday?']

async function groundwork<Result>({ env }: Pick<Program, 'env'>, ...words: string[]): Promise<Result> {
  const { stdout } = await promisify(execFile)(process.execPath, ['cli/dist/main.js', ...words, '--json'], { cwd: root, env })
  return JSON.parse(stdout) as Result
}

/** Records with their ids, and complete search answers. */
async function seen(client: Client, baseId: string): Promise<unknown[]> {
  const paths = ['/v1/bases', `/v1/bases/${baseId}/sources`, '/v1/contacts', '/v1/webhooks']
  const records = await Promise.all(paths.map((path) => client.call('GET', path)))
  const searches = await Promise.all(questions.map((query) => client.search(baseId, query, { topK: 20 })))
  return [...records, ...searches]
}

async function addDocuments(client: Client, baseId: string): Promise<void> {
  const added = await Promise.all(documents.map((name) => client.addPath(baseId, join(root, 'examples', name))))
  for (const { id } of added) expect(await client.settled(baseId, id)).toMatchObject({ status: 'completed' })
}

test.each(movesWith('from PostgreSQL'))(
  'an organization moves from $from to $to by two commands, beside running programs with other organizations',
  async (move) => {
    const receiver = await openReceiver(onTestFinished)
    const bucket = await openObjectStorage(onTestFinished)
    const { STORAGE_URL: bucketUrl = '', ...bucketKeys } = bucket.settings
    const settings = { FETCH_ALLOW_HOSTS: receiver.host, ...bucketKeys }
    const source = await program(onTestFinished, { ...settings, ...move.source })
    const target = await program(onTestFinished, { ...settings, ...move.target })
    await Promise.all([source.start(), target.start()])
    const others = await Promise.all(
      [source, target].map(async (each) => {
        const client = new Client(each.url, (await createToken(each, '--organization', 'Others')).token)
        const base = await client.createBase('Others')
        await addDocuments(client, base.id)
        return { client, base, expected: await seen(client, base.id) }
      }),
    )
    const { token } = await createToken(source, '--organization', 'Example Ltd')
    const client = new Client(source.url, token)
    const base = await client.createBase('Rental')
    await addDocuments(client, base.id)
    const endpoint = await client.call<{ secret: string }>('POST', '/v1/webhooks', { url: receiver.url, eventTypes: ['contact.created'] })
    receiver.secret = endpoint.secret
    await client.call('POST', '/v1/contacts', { email: 'first@example.com' })
    await expect.poll(() => receiver.accepted.size).toBe(1)
    const expected = await seen(client, base.id)
    const moved = new Client(target.url, token)
    // The running program remembers that it does not know the token.
    expect((await moved.request('GET', '/v1/bases')).status).toBe(401)

    const [key, path] = [join(source.env['DATA_DIR'] ?? '', 'move.key'), join(source.env['DATA_DIR'] ?? '', 'example.tar')]
    await writeFile(key, Buffer.alloc(32, 5))
    const bucketFile = inBucket(bucketUrl, 'exports/example.tar')
    const exportTo = (to: string) =>
      groundwork<{ rows: number; files: number }>(source, 'organizations', 'export', 'Example Ltd', to, '--key-file', key)
    const toFile = await exportTo(path)
    const { rows, files } = await exportTo(bucketFile)
    // The audit log has an entry for the first export.
    expect({ rows, files }).toEqual({ rows: toFile.rows + 1, files: toFile.files })
    expect((await bucket.list()).objects).toEqual([expect.stringMatching(/exports\/example\.tar$/)])
    expect(await groundwork(target, 'organizations', 'import', bucketFile, '--key-file', key)).toMatchObject({
      rows,
      files,
      slug: 'example-ltd',
    })
    await groundwork(source, 'organizations', 'delete', 'Example Ltd', '--yes', 'Example Ltd')

    await expect.poll(async () => (await moved.request('GET', '/v1/bases')).status).toBe(200)
    expect(await seen(moved, base.id)).toEqual(expected)
    for (const other of others) expect(await seen(other.client, other.base.id)).toEqual(other.expected)
    await moved.call('POST', '/v1/contacts', { email: 'after@example.com' })
    await expect.poll(() => receiver.accepted.size).toBe(2)
    await addDocuments(moved, base.id)
    for (const each of [source, target]) expect(await groundwork(each, 'doctor', '--grace', '0')).toMatchObject({ findings: [] })
    await expect(groundwork(target, 'organizations', 'import', path, '--key-file', key)).rejects.toThrow(
      'already exists in this installation',
    )
    await expect(groundwork(target, 'restore', path)).rejects.toThrow('This file is the export of one organization')
    for (const each of [source, target]) expect(await each.stop()).toBe(0)
  },
  900_000,
)
