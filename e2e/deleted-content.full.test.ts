import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { Client } from './client.ts'
import { createToken, pause, program } from './program.ts'

/** Unique strings, each planted in another place. */
const planted = {
  contact: 'zqcontactzq',
  name: 'zqsourcenamezq',
  text: 'zqsourcetextzq',
  original: 'zqoriginalzq',
  base: 'zqbasezq',
  draft: 'zqdraftzq',
}

const folder = ({ env }: { env: Record<string, string> }): string => env['DATA_DIR'] ?? ''

/** Returns the files in the data folder that contain a planted string, with the names of those strings. */
async function filesWith(dataDir: string): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const bytes = await readFile(path)
    const strings = Object.entries(planted).flatMap(([what, string]) => (bytes.includes(string) ? [what] : []))
    if (strings.length > 0) found.set(relative(dataDir, path), strings)
  }
  return found
}

/** Vacuums the database and writes all pages. Returns the tables that still have a row with one of the strings. */
async function tablesWith(dataDir: string): Promise<string[]> {
  const client = new pg.Client({ host: join(dataDir, 'db'), user: 'postgres', database: 'postgres' })
  await client.connect()
  await client.query('vacuum')
  await client.query('checkpoint')
  const { rows: tables } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const { rowCount } = await client.query(`select from ${name} as each where each::text ~ $1 limit 1`, [Object.values(planted).join('|')])
    if (rowCount !== 0) found.push(name)
  }
  await client.end()
  return found.toSorted()
}

test.skipIf(process.env['TEST_DATABASE_URL'] !== undefined)(
  'deleted content only remains in the database files that docs/security.md names',
  async () => {
    const groundwork = await program(onTestFinished)
    await groundwork.start()
    const { token } = await createToken(groundwork)
    const client = new Client(groundwork.url, token)
    const { contact, name, text, original, base, draft } = planted
    const person = await client.api.contacts.create({
      firstName: contact,
      lastName: contact,
      email: `${contact}@example.com`,
      tags: [contact],
    })
    const knowledge = await client.call<{ id: string }>('POST', '/v1/bases', { name: base, description: base })
    const bytes = Buffer.from(`# ${text}\n\nThe desk opens at nine, says ${text}.\n\n<!-- ${original} -->\n`)
    const { storageUrl } = await client.api.uploads.create(new Uint8Array(bytes), { name: `${name}.md`, type: 'text/markdown' })
    const added = { name, type: 'file', storageUrl, externalId: name, metadata: { note: name } }
    const source = await client.call<{ id: string }>('POST', `/v1/bases/${knowledge.id}/sources`, added)
    await client.settled(knowledge.id, source.id)
    expect(await client.search(knowledge.id, text)).not.toEqual([])
    const customer = await client.api.contacts.create({ firstName: 'Grace', email: 'grace@example.com' })
    const unsent = await client.api.proposals.create({
      draft: true,
      title: draft,
      message: draft,
      contactId: customer.id,
      totalAmount: '1',
      sections: [{ type: 'terms', text: draft }],
    })
    const before = await filesWith(folder(groundwork))
    expect(new Set([...before.values()].flat())).toEqual(new Set(Object.keys(planted)))
    expect([...before.keys()].filter((path) => !path.startsWith('db/'))).not.toEqual([])

    await client.call('DELETE', `/v1/contacts/${person.id}`)
    await client.call('DELETE', `/v1/bases/${knowledge.id}/sources/${source.id}`)
    await client.call('DELETE', `/v1/bases/${knowledge.id}`)
    await client.api.proposals.delete(unsent.id)
    const outside = async (): Promise<string[]> =>
      [...(await filesWith(folder(groundwork))).keys()].filter((path) => !path.startsWith('db/'))
    const deadline = Date.now() + 60_000
    while ((await outside()).length > 0 && Date.now() < deadline) await pause(100)
    expect(await outside()).toEqual([])

    // The contact can be restored for 30 days with its history, and the log of events is kept for 90.
    expect(await tablesWith(folder(groundwork))).toEqual(['public.contact', 'public.contact_change', 'public.event'])
    expect(await groundwork.stop()).toBe(0)
    // The rest is free space in pages of tables and indexes, and the write-ahead log.
    for (const path of (await filesWith(folder(groundwork))).keys()) expect(path).toMatch(/^db\/pgdata\/(base|pg_wal)\//)
  },
  300_000,
)
