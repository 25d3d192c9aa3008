import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ownerQuery } from '../db/owner-query.ts'
import { newId } from '../lib/ids.ts'
import { ensureOrganization } from '../organizations/organizations.ts'
import { testApp, type Caller } from '../testing/app.ts'
import { createFixtures, unitEmbedder } from '../testing/fixtures.ts'
import { addPassages } from '../testing/passages.ts'
import { person } from '../testing/people.ts'
import { sendProposalTo } from '../testing/proposal-page.ts'
import { newBase, upload } from '../testing/sources.ts'
import { deleteOrganization, type DeletionTools } from './delete-organization.ts'
import { organizationTables } from './organization-tables.ts'

const service = await testApp({ embedder: unitEmbedder })
const { app, organization, platform, database, mailFolder } = service
const { pool } = database
const query = ownerQuery(pool)
const tools: DeletionTools = { storage: platform.storage, mailFolder, now: () => new Date() }

/** Returns the tables of all schemas, with the number of rows that contain the text. */
async function rowsWith(text: string): Promise<Record<string, number>> {
  const tables = await query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace not in (
       select oid from pg_namespace where nspname like 'pg\\_%' or nspname = 'information_schema')`,
  )
  const counts: [string, number][] = []
  for (const { name } of tables) {
    const [row] = await query<{ n: number }>(`select count(*)::integer as n from ${name} t where t::text like '%' || $1 || '%'`, [text])
    counts.push([name, row?.n ?? 0])
  }
  return Object.fromEntries(counts.filter(([, n]) => n > 0))
}

/** Adds a row of the organization to a table that has none. Its foreign keys, checks and triggers ignore this row alone. */
async function addAnyRow(table: string, organizationId: string): Promise<void> {
  const columns = await query<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attnotnull and not atthasdef`,
    [table],
  )
  const values: Record<string, string> = {
    uuid: `'${newId()}'`,
    text: `'x'`,
    'text COLLATE "C"': `'x'`,
    bytea: `'x'`,
    'bigint[]': `'{1}'`,
    'text[]': `'{x}'`,
    'uuid[]': `'{}'`,
    jsonb: `'{}'`,
    vector: `'[1]'`,
    boolean: 'true',
    'timestamp with time zone': 'now()',
  }
  const constraints = await query<{ name: string; definition: string }>(
    `select quote_ident(conname) as name, replace(pg_get_constraintdef(oid), ' NOT VALID', '') as definition
     from pg_constraint where conrelid = $1::regclass and contype in ('c', 'f')`,
    [table],
  )
  // The owner of the tables may not switch off foreign keys. A constraint that is added as not valid ignores existing rows.
  // PostgreSQL runs the statements of one query in one transaction.
  await query(
    [
      `alter table ${table} disable trigger user`,
      ...constraints.map(({ name }) => `alter table ${table} drop constraint ${name}`),
      `insert into ${table} (${columns.map(({ name }) => name).join(', ')})
       values (${columns.map(({ name, type }) => (name === 'organization_id' ? `'${organizationId}'` : (values[type] ?? '1'))).join(', ')})`,
      ...constraints.map(({ name, definition }) => `alter table ${table} add constraint ${name} ${definition} not valid`),
      `alter table ${table} enable trigger user`,
    ].join('; '),
  )
}

async function rowCounts(organizationId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { name } of await organizationTables(query)) {
    const [row] = await query<{ n: number }>(`select count(*)::integer as n from ${name} where organization_id = $1`, [organizationId])
    counts[name] = row?.n ?? 0
  }
  return counts
}

/** Returns an organization with rows in all tables, files in the storage and a written message. */
async function fullOrganization(): Promise<Caller> {
  const caller = await organization()
  await createFixtures(caller)
  await upload(app, caller, Buffer.from('the spare key'))
  const { organizationId } = caller
  for (const [table, n] of Object.entries(await rowCounts(organizationId)))
    if (n === 0 && !/^chunk_embedding_\d+$/.test(table)) await addAnyRow(table, organizationId)
  const [mail] = await query<{ id: string }>('select id from mail where organization_id = $1', [organizationId])
  await mkdir(mailFolder, { recursive: true })
  await writeFile(join(mailFolder, `${mail?.id}.eml`), organizationId)
  return caller
}

/** Returns the keys of the files of an organization, and the names of its messages. */
const filesOf = async (organizationId: string): Promise<string[]> => {
  const keys: string[] = []
  for await (const { key } of platform.storage.files()) if (key.startsWith(organizationId)) keys.push(key)
  for (const name of await readdir(mailFolder))
    if ((await readFile(join(mailFolder, name), 'utf8')).includes(organizationId)) keys.push(name)
  return keys
}

describe('the deletion of an organization', () => {
  it('leaves no row with its id in any table, no file, and nothing less of others', async () => {
    await query('create table future_record (organization_id uuid not null references organization, id uuid not null)')
    const [deleted, kept] = [await fullOrganization(), await fullOrganization()]
    const [before, files] = [await rowsWith(kept.organizationId), await filesOf(kept.organizationId)]
    const counts = await rowCounts(deleted.organizationId)
    for (const [table, n] of Object.entries(counts)) if (!/^chunk_embedding_\d+$/.test(table)) expect([table, n > 0]).toEqual([table, true])
    expect(counts).toHaveProperty('future_record', 1)
    expect(await filesOf(deleted.organizationId)).not.toEqual([])

    const result = await deleteOrganization(pool, deleted.organizationId, tools)
    expect(result.rows).toBeGreaterThan(Object.keys(counts).length - 16)
    expect(await rowsWith(deleted.organizationId)).toEqual({})
    expect(await filesOf(deleted.organizationId)).toEqual([])
    expect(await rowsWith(kept.organizationId)).toEqual(before)
    expect(await filesOf(kept.organizationId)).toEqual(files)
    await query('drop table future_record')
  })

  it('deletes at most 500 rows in a transaction', async () => {
    const { organizationId } = await organization()
    await query(
      `insert into contact (organization_id, id, created_at, updated_at) select $1, gen_random_uuid(), now(), now() from generate_series(1, 1201)`,
      [organizationId],
    )
    const progress = [0]
    await deleteOrganization(pool, organizationId, { ...tools, onProgress: (rows) => progress.push(rows) })
    const batches = progress.slice(1).map((rows, at) => rows - (progress[at] ?? 0))
    expect(batches).toEqual(expect.arrayContaining([500, 201]))
    expect(Math.max(...batches)).toBe(500)
    expect(await query('select from contact where organization_id = $1', [organizationId])).toEqual([])
  })

  it('deletes users without another organization, and their sessions', async () => {
    const [deleted, kept] = [await organization(), await organization()]
    const only = await person(service, { [deleted.organizationId]: 'owner' })
    const both = await person(service, { [deleted.organizationId]: 'admin', [kept.organizationId]: 'member' })
    expect((await only.of(deleted.organizationId)('GET', '/v1/bases')).status).toBe(200)
    const { users } = await deleteOrganization(pool, deleted.organizationId, tools)
    expect(users).toBe(1)
    await expect.poll(async () => (await only.of(deleted.organizationId)('GET', '/v1/bases')).status).toBe(401)
    await expect.poll(async () => (await both.of(deleted.organizationId)('GET', '/v1/bases')).status).toBe(404)
    expect((await both.of(kept.organizationId)('GET', '/v1/bases')).status).toBe(200)
    expect(await rowsWith(only.userId)).toEqual({})
  })

  it('makes the organization unreachable at once and continues after an interruption', async () => {
    const caller = await organization()
    const base = await newBase(caller)
    await addPassages(caller, base, ['the spare key lies under the third stone'])
    const search = async (): Promise<number> => (await caller.call('POST', `/v1/bases/${base}/search`, { query: 'key' })).status
    const { body } = await caller.call('POST', '/v1/uploads', { fileName: 'a.txt', sizeBytes: 3 })
    const put = async (): Promise<number> =>
      (await app.inject({ method: 'PUT', url: new URL(body.uploadUrl).pathname, headers: body.headers, payload: 'abc' })).statusCode
    const { url: link } = await sendProposalTo(caller)
    const page = async (): Promise<number> => (await app.inject({ url: new URL(link).pathname })).statusCode
    const events = await person(service, { [caller.organizationId]: 'owner' })
    expect([await search(), await put(), await page()]).toEqual([200, 204, 200])

    const killed = deleteOrganization(pool, caller.organizationId, {
      ...tools,
      onProgress: () => {
        throw new Error('killed')
      },
    })
    await expect(killed).rejects.toThrow('killed')
    expect(await query('select from chunk where organization_id = $1', [caller.organizationId])).toHaveLength(1)
    await expect.poll(search).toBe(401)
    expect([await put(), await page()]).toEqual([404, 404])
    expect((await events.of(caller.organizationId)('GET', '/v1/organization')).status).toBe(401)
    // A new organization of the same name is another one.
    const name = `Test ${caller.organizationId}`
    expect(await ensureOrganization(pool, name, new Date())).toMatchObject({ created: true })

    await deleteOrganization(pool, caller.organizationId, tools)
    // The name of the other organization contains the id.
    expect(await rowsWith(caller.organizationId)).toEqual({ organization: 1 })
  })
})
