import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { Client } from './client.ts'
import { movesWith } from './moves.ts'
import { createToken, freePort, program, root, shell, type Program } from './program.ts'
import { openReceiver } from './receiver.ts'
import { allEmails, writers } from './writers.ts'

const documents = ['faq.md', 'rental-terms.txt', 'price-list.csv', 'opening-hours.html', 'warranty.docx']
const questions = ['Do I need to book?', 'What is the deposit?', 'When are you open on Sunday?', 'How long is the warranty?', 'note 17']

async function groundwork({ env }: Pick<Program, 'env'>, ...words: string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, ['cli/dist/main.js', ...words, '--json'], { cwd: root, env })
  return JSON.parse(stdout)
}

/** Everything that a caller sees: records with their ids, and complete search answers without the last use of tokens. */
async function seen(client: Client, baseId: string): Promise<Record<string, unknown>> {
  const paths = ['/v1/bases', `/v1/bases/${baseId}/sources?limit=100`, '/v1/proposals', '/v1/webhooks', '/v1/tokens', '/v1/organization']
  const records = await Promise.all(paths.map(async (path) => [path, await client.comparable(path)] as const))
  const searches = await Promise.all(questions.map(async (query) => [query, await client.search(baseId, query, { topK: 20 })] as const))
  return Object.fromEntries([...records, ...searches])
}

/** Returns the SHA-256 of each file of the storage, by its path. */
async function fileSums({ env }: Pick<Program, 'env'>): Promise<Record<string, string>> {
  const folder = join(env['DATA_DIR'] ?? '', 'files')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const sums = paths.toSorted().map(async (path) => {
    const sum = createHash('sha256').update(await readFile(path))
    return [relative(folder, path), sum.digest('hex')] as const
  })
  return Object.fromEntries(await Promise.all(sums))
}

test.each(movesWith('to PostgreSQL'))(
  'an installation moves from $from to $to by two commands, while it is used',
  async (move) => {
    const receiver = await openReceiver(onTestFinished)
    // One port, because links contain the address.
    const settings = { FETCH_ALLOW_HOSTS: receiver.host, PORT: String(await freePort()) }
    const source = await program(onTestFinished, { ...settings, ...move.source })
    const target = await program(onTestFinished, { ...settings, ...move.target }, 'none')
    await source.start()
    const { token } = await createToken(source)
    const client = new Client(source.url, token)
    const base = await client.createBase('Rental')
    const added = await Promise.all(documents.map((name) => client.addPath(base.id, join(root, 'examples', name))))
    const notes = await Promise.all(
      Array.from({ length: 45 }, (_, n) =>
        client.addFile(
          base.id,
          `note-${n}.txt`,
          'text/plain',
          Buffer.from(`This is note ${n}. Boat ${n} has ${n % 7} seats and costs ${n * 3} euros.`),
        ),
      ),
    )
    for (const { id } of [...added, ...notes]) expect(await client.settled(base.id, id)).toMatchObject({ status: 'completed' })
    const endpoint = await client.call<{ secret: string }>('POST', '/v1/webhooks', {
      url: receiver.url,
      eventTypes: ['contact.created'],
    })
    receiver.secret = endpoint.secret
    const contact = await client.call<{ id: string }>('POST', '/v1/contacts', { email: 'first@example.com' })
    await client.call('POST', '/v1/proposals', { title: 'Two boats', contactId: contact.id, totalAmount: '120' })
    await expect.poll(() => receiver.accepted.size, { timeout: 60_000 }).toBe(1)
    // The delivery of the proposal is part of its record.
    const delivery = async (): Promise<unknown> => (await client.call<{ data: [object] }>('GET', '/v1/proposals')).data[0]
    await expect.poll(delivery, { timeout: 60_000 }).toMatchObject({ delivery: { state: 'withheld' } })
    const expected = await seen(client, base.id)

    const callers = writers(client, 2)
    await callers.any(4)
    const before = await allEmails(client)
    const [key, path] = [join(source.env['DATA_DIR'] ?? '', 'backup.key'), join(source.env['DATA_DIR'] ?? '', 'backup.tar')]
    await writeFile(key, Buffer.alloc(32, 5))
    const written = await groundwork(source, 'backup', path, '--key-file', key)
    await callers.any(1)
    const acknowledged = await callers.stop()
    expect([...callers.refusals]).toEqual([])
    expect(await source.stop()).toBe(0)

    const { rows, files } = written as { rows: number; files: number }
    expect(await groundwork({ env: shell() }, 'backup', 'verify', path)).toMatchObject({ rows, files, migrated: [] })
    expect(await groundwork(target, 'restore', path, '--key-file', key)).toMatchObject({ rows, files })
    expect(await fileSums(target)).toEqual(await fileSums(source))
    await target.start()
    const moved = new Client(target.url, token)
    expect(await seen(moved, base.id)).toEqual(expected)
    const emails = await allEmails(moved)
    for (const email of before) expect(emails).toContain(email)
    for (const email of emails) expect(['first@example.com', ...acknowledged]).toContain(email)
    const delivered = receiver.accepted.size
    await moved.call('POST', '/v1/contacts', { email: 'after@example.com' })
    await expect.poll(() => receiver.accepted.size, { timeout: 60_000 }).toBeGreaterThan(delivered)
    expect(await groundwork(target, 'doctor', '--grace', '0')).toMatchObject({ findings: [] })
    expect(await target.stop()).toBe(0)
  },
  900_000,
)
