import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { URI, type TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { deleteOrganization } from '../administration/delete-organization.ts'
import { listOrganizations } from '../administration/organizations.ts'
import { createPasswordLink } from '../administration/users.ts'
import { localBackupFile } from '../backup/backup-file.ts'
import { noProgress } from '../backup/progress.ts'
import { openBackup } from '../backup/restore-backup.ts'
import type { OpenSource } from '../backup/source.ts'
import { writeBackup } from '../backup/write-backup.ts'
import { openBulkSession } from '../db/bulk-session.ts'
import { ownerQuery } from '../db/owner-query.ts'
import type { Connection } from '../db/pool.ts'
import { diagnose } from '../doctor/doctor.ts'
import { newId } from '../lib/ids.ts'
import { localStorage, type Storage } from '../storage/storage.ts'
import { testApp, type Caller, type TestApp } from '../testing/app.ts'
import { acceptanceOf, isSigned, issueAlone, pendingProposal } from '../testing/certificates.ts'
import { createFixtures, newMember, unitEmbedder } from '../testing/fixtures.ts'
import { addPassages } from '../testing/passages.ts'
import { cookieOf, password, person } from '../testing/people.ts'
import { newBase } from '../testing/sources.ts'
import { copyOfTemplate } from '../testing/template.ts'
import { openSecret } from '../webhooks/secret.ts'
import { accessTables, excludedTables, fileColumns, generationColumns, userColumns } from './exported-columns.ts'
import { exportedTables } from './exported-tables.ts'
import { exportOrganization } from './export-organization.ts'
import { importOrganization, type ImportedOrganization, type ImportOptions } from './import-organization.ts'
import type { WrittenExport } from './write-export.ts'

interface Installation extends TestApp {
  readonly connection: Connection
  readonly storage: Storage
}

const folder = await mkdtemp(join(tmpdir(), 'groundwork-transfer-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

async function installation(secretKey: string): Promise<Installation> {
  const { database, connection, close } = await copyOfTemplate({
    serverUrl: inject('serverUrl'),
    embeddedTemplate: inject('embeddedTemplate'),
  })
  const storage = await localStorage(await mkdtemp(join(folder, 'files-')))
  const service = await testApp({
    embedder: unitEmbedder,
    store: { database, files: storage, secretKey: { current: secretKey, previous: null }, close },
  })
  return { ...service, connection, storage }
}

const source = await installation('the secret key of the former installation')
const target = await installation('the secret key of the new installation')
const version = '0.1.0'
const now = (): Date => new Date()
const keyFile = join(folder, 'key')
await writeFile(keyFile, Buffer.alloc(32, 7))

const queryOf = ({ database }: Pick<Installation, 'database'>) => ownerQuery(database.pool)

async function openState({ connection, storage }: Installation): Promise<OpenSource> {
  const files = await storage.holdDeletions()
  const session = await openBulkSession(connection)
  await session.query('begin isolation level repeatable read read only')
  return {
    session,
    engine: inject('serverUrl') === '' ? 'embedded' : 'postgresql',
    files,
    async close() {
      await session.close()
      await files.release()
    },
  }
}

let made = 0
async function exported(
  from: Installation,
  { organizationId }: Pick<Caller, 'organizationId'>,
  withKey = true,
): Promise<WrittenExport & { readonly path: string }> {
  made += 1
  const path = join(folder, `export-${made}.tar`)
  const written = await exportOrganization(from.database.pool, () => openState(from), localBackupFile(path), {
    organizationId,
    programVersion: version,
    now: now(),
    secrets: withKey ? { keys: from.platform.secretKey, keyFile } : null,
    progress: noProgress,
  })
  return { ...written, path }
}

async function imported(
  to: Installation,
  path: string,
  changes: Partial<ImportOptions> = {},
  { storage = to.storage, pool = to.database.pool }: { storage?: Pick<Storage, 'write' | 'deleteOrganization'>; pool?: Pool } = {},
): Promise<ImportedOrganization> {
  const session = await openBulkSession(to.connection)
  try {
    const { jobs, secretKey } = to.platform
    return await importOrganization(
      pool,
      localBackupFile(path),
      { session, storage, jobs, secretKey, mailFolder: to.mailFolder },
      { programVersion: version, keyFile, withoutSecrets: false, now, progress: noProgress, ...changes },
    )
  } finally {
    await session.close()
  }
}

/** A client with the token of another client, for another installation. */
const inInstallation = ({ app, platform }: Installation, caller: Caller): Caller => ({
  ...caller,
  ctx: { ...platform, organizationId: caller.organizationId },
  async call(method, path, body) {
    const response = await app.inject({
      method: method as 'GET',
      url: path,
      headers: { authorization: `Bearer ${caller.token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    })
    const isJson = String(response.headers['content-type']).startsWith('application/json')
    return { status: response.statusCode, body: isJson ? response.json() : response.body, headers: response.headers }
  },
})

/** Returns a digest of each table that is not about one organization, and the rows of others. */
async function stateWithout(of: Installation, organizationId: string): Promise<Record<string, string>> {
  const query = queryOf(of)
  const tables = await query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace in (
       'public'::regnamespace, 'identity'::regnamespace, 'installation'::regnamespace, 'pgboss'::regnamespace)
     -- The queues note there when they maintained themselves.
     and oid::regclass::text <> 'pgboss.version' order by 1`,
  )
  const digests: Record<string, string> = {}
  for (const { name } of tables) {
    const [row] = await query<{ digest: string }>(
      `select md5(coalesce(string_agg(t::text, chr(10) order by t::text), '')) as digest from ${name} t where t::text not like '%' || $1 || '%'`,
      [organizationId],
    )
    digests[name] = row?.digest ?? ''
  }
  return digests
}

/** Returns the rows of an organization in a table as text, without the values that an import may change. */
async function rowsIn(of: Installation, table: { shortName: string; name: string }, organizationId: string): Promise<unknown[]> {
  const changed = [
    ...(generationColumns[table.shortName] ?? []),
    ...(userColumns[table.shortName] ?? []),
    ...(fileColumns[table.shortName] ?? []),
    'position',
    'slug',
    'secret',
    'last_used_at',
    'last_used_address',
    ...(table.shortName === 'mail' ? ['state', 'error'] : []),
    ...(table.shortName === 'webhook_delivery' ? ['status', 'next_attempt_at'] : []),
  ]
  const owner = table.shortName === 'organization' ? 'id' : 'organization_id'
  const rows = await queryOf(of)<{ row: string }>(
    `select (to_jsonb(t) - $2::text[])::text as row from ${table.name} t where ${owner} = $1
       ${table.shortName === 'audit_entry' ? `and action not in ('organization.imported')` : ''}
       ${table.shortName === 'upload' ? 'and received_at is not null' : ''} order by 1`,
    [organizationId, changed],
  )
  return rows.map(({ row }) => row)
}

async function fileSums(storage: Storage, organizationId: string): Promise<string[]> {
  const sums: string[] = []
  for await (const { key } of storage.files())
    if (key.startsWith(organizationId))
      sums.push(
        createHash('sha256')
          .update(await storage.read(key))
          .digest('hex'),
      )
  return sums.toSorted()
}

async function hits(caller: Caller, base: string): Promise<unknown> {
  const { status, body } = await caller.call('POST', `/v1/bases/${base}/search`, { query: 'the spare key', topK: 10 })
  return [status, body.data]
}

describe('the schema', () => {
  it('has only tables of organizations that are exported, or left out for a reason', async () => {
    const session = await openBulkSession(source.connection)
    const tables = await exportedTables(session)
    await session.close()
    const owned = await queryOf(source)<{ name: string }>(
      `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
       where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace order by 1`,
    )
    const names = [...tables.map(({ shortName }) => shortName), ...Object.keys(excludedTables)]
    expect(names.toSorted()).toEqual([...owned.map(({ name }) => name), 'organization'].toSorted())
    for (const name of accessTables) expect(names).toContain(name)
    for (const lists of [generationColumns, userColumns, fileColumns])
      for (const [name, columns] of Object.entries(lists))
        expect(tables.find(({ shortName }) => shortName === name)?.columns).toEqual(expect.arrayContaining([...columns]))
    expect(tables[0]?.shortName).toBe('organization')
    // A reference to a later row of the same table is set at the end, by the id of its row.
    for (const table of tables) if (table.selfReferences.length > 0) expect(table.columns).toContain('id')
  })

  it('has no other number of an indexing attempt, id of a user, or key of a file', async () => {
    const columns = await queryOf(source)<{ table: string; column: string; type: string }>(
      `select c.relname as table, a.attname as column, a.atttypid::regtype::text as type
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
       where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace and c.relname <> all ($1)
       order by 1, 2`,
      [Object.keys(excludedTables)],
    )
    const isListed = (lists: Readonly<Record<string, readonly string[]>>, { table, column }: { table: string; column: string }): boolean =>
      lists[table]?.includes(column) === true
    // Sizes and counts, and the place of an event, which the target gives.
    const counts = ['bytes', 'page_bytes', 'size_bytes', 'terms', 'tokens', 'tokens_before', 'position']
    const numbers = columns.filter(({ type, column, table }) => type === 'bigint' && !(counts.includes(column) && table !== 'x'))
    expect(numbers.filter((each) => !isListed(generationColumns, each))).toEqual([])
    expect(columns.filter((each) => each.column.endsWith('_key') && each.type === 'text' && !isListed(fileColumns, each))).toEqual([])
    const ofUsers = columns.filter(({ column, type }) => type === 'uuid' && /user|sent_by|actor/.test(column))
    expect(ofUsers.filter((each) => !isListed(userColumns, each))).toEqual([])
  })
})

describe('an organization that moves to an installation with others', () => {
  let caller: Caller
  let moved: Caller
  let base: string
  let path: string
  let result: ImportedOrganization
  let before: Record<string, string>
  let webhookSecret: string
  let missingFiles: readonly string[]
  /** The lowest numbers of indexing attempts of both installations. */
  let firstNumbers: readonly unknown[]
  /** Of the token in the target before the import. */
  let statusBefore: number
  let known: string
  let usedSecondFactor: { email: string; uri: string }
  const sentTo = `${newId()}@example.com`

  beforeAll(async () => {
    const other = await target.organization()
    await createFixtures(other)
    const othersBase = await newBase(other)
    await addPassages(other, othersBase, ['the spare key of others'])
    caller = await source.organization()
    moved = inInstallation(target, caller)
    await createFixtures(caller)
    base = await newBase(caller)
    await addPassages(caller, base, ['the spare key lies under the third stone', 'the spare bicycle', 'opening hours'])
    await caller.call('POST', '/v1/contacts', { email: sentTo })
    const { body: endpoint } = await caller.call('POST', '/v1/webhooks', { url: 'https://example.com/hook' })
    webhookSecret = endpoint.secret
    const proposal = await pendingProposal(caller)
    await issueAlone(caller, acceptanceOf(proposal))
    // Each refers to the other, so neither row can be added first.
    const { body: revision } = await caller.call('POST', `/v1/proposals/prp_${await pendingProposal(caller)}/revise`)
    await caller.call('POST', `/v1/proposals/${revision.id}/send`, {})

    const member = await person(source, { [caller.organizationId]: 'admin' })
    known = await newMember({ ...target.platform, organizationId: other.organizationId })
    await queryOf(target)(`update identity."user" set email = $2 where id = $1`, [known.slice(-36), member.email])
    await queryOf(source)('update proposal set sent_by = $2 where organization_id = $1', [caller.organizationId, member.userId])
    const second = await person(source, { [caller.organizationId]: 'owner' })
    const begun = await second.call('POST', '/auth/two-factor/enable', { password })
    const code = (URI.parse(begun.body.totpURI) as TOTP).generate()
    await second.call('POST', '/auth/two-factor/verify-totp', { code })
    usedSecondFactor = { email: second.email, uri: begun.body.totpURI }

    const least = 'select min(generation)::text as g from source'
    firstNumbers = [await queryOf(source)(least), await queryOf(target)(least)]
    statusBefore = (await moved.call('GET', '/v1/bases')).status
    before = await stateWithout(target, caller.organizationId)
    const written = await exported(source, caller)
    ;({ path, missingFiles } = written)
    result = await imported(target, path)
  })

  it('keeps its rows, also those that nobody reads by HTTP', async () => {
    const session = await openBulkSession(source.connection)
    const tables = await exportedTables(session)
    await session.close()
    let rows = 0
    for (const table of tables) {
      const found = await rowsIn(target, table, caller.organizationId)
      expect([table.shortName, found]).toEqual([table.shortName, await rowsIn(source, table, caller.organizationId)])
      rows += found.length
    }
    expect([result.rows, rows > 50]).toEqual([rows, true])
    const versions = 'select superseded_by from proposal where organization_id = $1 and superseded_by is not null'
    expect(await queryOf(target)(versions, [caller.organizationId])).toHaveLength(1)
  })

  it('keeps its files, tokens, records and search results', async () => {
    expect(await fileSums(target.storage, caller.organizationId)).toEqual(await fileSums(source.storage, caller.organizationId))
    expect([missingFiles, statusBefore]).toEqual([[], 401])
    expect(await hits(moved, base)).toEqual(await hits(caller, base))
    const [, first] = (await hits(moved, base)) as [number, { text: string }[]]
    expect(first[0]?.text).toContain('third stone')
    for (const route of ['/v1/bases', '/v1/contacts', '/v1/proposals', '/v1/webhooks', '/v1/events', `/v1/bases/${base}/sources`]) {
      const [there, here] = [await caller.call('GET', route), await moved.call('GET', route)]
      // Links to proposals are signed with the secret key, and the former installation sends waiting messages.
      const kept = (body: unknown): unknown =>
        JSON.parse(JSON.stringify(body), (name, value: unknown) =>
          ['url', 'delivery'].includes(name) && route === '/v1/proposals' ? null : value,
        )
      expect([route, here.status, kept(here.body)]).toEqual([route, 200, kept(there.body)])
    }
  })

  it('gets numbers of indexing attempts that no other organization has, in rows and in keys of files', async () => {
    expect(firstNumbers[0]).toEqual(firstNumbers[1])
    const numbers = await queryOf(target)(
      `select generation from source where organization_id = $1 and generation in (select generation from source where organization_id <> $1)`,
      [caller.organizationId],
    )
    expect(numbers).toEqual([])
    const [{ last } = { last: '' }] = await queryOf(target)<{ last: string }>('select last_value::text as last from source_generation')
    const [{ most } = { most: '' }] = await queryOf(target)<{ most: string }>('select max(generation)::text as most from source')
    expect(BigInt(last)).toBeGreaterThanOrEqual(BigInt(most))
    const findings = async (of: Installation): Promise<string[]> => {
      const tools = { query: queryOf(of), database: of.database, jobs: of.platform.jobs, storage: of.storage }
      const all = (await diagnose(tools, { repair: false, graceSeconds: 0, now: now() })).findings
      return all.filter(({ organizationId }) => organizationId === caller.organizationId).map(({ check }) => check)
    }
    // The fixtures have rows that belong to no attempt.
    expect(await findings(target)).toEqual((await findings(source)).filter((check) => check !== 'orphan_file'))
  })

  it('keeps its secrets, encrypted under the key of the target', async () => {
    const rows = await queryOf(target)<{ id: string; secret: Buffer; enabled: boolean }>(
      'select id, secret, enabled from webhook_endpoint where organization_id = $1 order by id',
      [caller.organizationId],
    )
    const { organizationId } = caller
    const secrets = rows.map(({ id, secret }) =>
      openSecret(secret, { secretKey: target.platform.secretKey, organizationId, endpointId: id }),
    )
    expect(secrets).toContain(webhookSecret)
    expect(rows.every(({ enabled }) => enabled)).toBe(true)
    expect((await readFile(path)).includes(webhookSecret)).toBe(false)
    expect(result.withoutSecrets).toEqual({ webhooks: [], users: [] })
  })

  it('has its members: a known one with the user of the target, the others with password and second factor', async () => {
    const members = await queryOf(target)<{ user_id: string; role: string }>(
      'select user_id, role from membership where organization_id = $1',
      [caller.organizationId],
    )
    expect(members).toContainEqual({ user_id: known.slice(-36), role: 'admin' })
    expect([result.knownUsers, result.createdUsers]).toEqual([1, 2])
    expect(await queryOf(target)('select distinct sent_by from proposal where organization_id = $1', [caller.organizationId])).toEqual([
      { sent_by: known.slice(-36) },
    ])
    const origin = { origin: 'http://groundwork.test' }
    const { email, uri } = usedSecondFactor
    const signIn = { method: 'POST', url: '/auth/sign-in/email', headers: origin, payload: { email, password } } as const
    const cookie = cookieOf((await target.app.inject(signIn)).headers['set-cookie'])
    const code = (URI.parse(uri) as TOTP).generate()
    const verify = { method: 'POST', url: '/auth/two-factor/verify-totp', headers: { ...origin, cookie }, payload: { code } } as const
    expect((await target.app.inject(verify)).statusCode).toBe(200)
  })

  it('continues its jobs once, and sends nothing that the former installation sends', async () => {
    const jobs = (of: Installation) =>
      queryOf(of)<{ name: string; data: object }>(
        `select coalesce(data ->> 'handler', name) as name, data - array['generation', 'handler', 'keys'] as data from pgboss.job
         where data ->> 'organizationId' = $1 and state < 'completed'
           and coalesce(data ->> 'handler', name) not in ('send-mail', 'follow-embedding-model', 'purge-idempotency-answers')
         order by name, data::text`,
        [caller.organizationId],
      )
    const [there, here] = [await jobs(source), await jobs(target)]
    expect(here.length).toBeGreaterThan(3)
    // Sources of the tests have an attempt that is complete, whose job is left behind.
    expect(here).toEqual(there)
    const processing = await queryOf(target)<{ n: number }>(
      `select count(*)::integer as n from pgboss.job j join source s on s.id::text = j.data ->> 'sourceId'
         and s.generation = (j.data ->> 'generation')::bigint where s.organization_id = $1`,
      [caller.organizationId],
    )
    expect(processing[0]?.n).toBeGreaterThan(0)
    const pending = `select (select count(*) from webhook_delivery where organization_id = $1 and status = 'pending')
      + (select count(*) from mail where organization_id = $1 and state = 'queued') as n`
    expect(Number((await queryOf(source)<{ n: string }>(pending, [caller.organizationId]))[0]?.n)).toBeGreaterThan(0)
    expect(Number((await queryOf(target)<{ n: string }>(pending, [caller.organizationId]))[0]?.n)).toBe(0)
  })

  it('has certificates that the public keys of the target verify', async () => {
    const { body: proposals } = await moved.call('GET', '/v1/proposals')
    expect(proposals.data.length).toBeGreaterThan(0)
    const [row] = await queryOf(target)<{ json: string; key: string }>(
      'select json, key_id as key from certificate where organization_id = $1',
      [caller.organizationId],
    )
    expect(isSigned(row?.json ?? '')).toBe(true)
    const { keys } = (await target.app.inject({ url: '/.well-known/groundwork-keys.json' })).json()
    const { issuedAt } = JSON.parse(row?.json ?? '{}').certificate
    const key = keys.find(({ kid }: { kid: string }) => kid === row?.key)
    expect([key.createdAt <= issuedAt, key.retiredAt >= issuedAt]).toEqual([true, true])
  })

  it('changes nothing of other organizations, and is in the audit logs of both', async () => {
    const after = await stateWithout(target, caller.organizationId)
    const changed = Object.keys(after).filter((name) => after[name] !== before[name])
    // Users, the public key of certificates, and jobs of the queues themselves.
    expect(
      changed.filter(
        (name) => !/^(identity\.("user"|account|two_factor|rate_limit|session)|installation\.signing_key|pgboss\.)/.test(name),
      ),
    ).toEqual([])
    const actions = async (of: Installation): Promise<string[]> =>
      (
        await queryOf(of)<{ action: string }>(
          `select action from audit_entry where organization_id = $1 and actor_type = 'command_line' and action like 'organization.%'`,
          [caller.organizationId],
        )
      ).map(({ action }) => action)
    expect(await actions(source)).toEqual(['organization.exported'])
    expect((await actions(target)).toSorted()).toEqual(['organization.exported', 'organization.imported'])
  })

  it('counts for the quotas of the target, which do not refuse it', async () => {
    const [use] = await queryOf(target)<object>(
      `select storage_quota, chunk_quota, source_quota, sources::integer,
         (select count(*) from source where organization_id = $1)::integer as counted from organization_use where organization_id = $1`,
      [caller.organizationId],
    )
    expect(use).toMatchObject({ storage_quota: null, chunk_quota: null, source_quota: null })
    expect(use).toHaveProperty('sources', (use as { counted: number }).counted)
  })

  it('is refused a second time, and with another file, unchanged', async () => {
    const state = await stateWithout(target, newId())
    await expect(imported(target, path)).rejects.toThrow(`org_${caller.organizationId}) already exists in this installation`)
    expect(await stateWithout(target, newId())).toEqual(state)
  })

  it('moves back after its deletion, with the same key of certificates', async () => {
    const again = await exported(target, caller)
    const { pool } = source.database
    await deleteOrganization(pool, caller.organizationId, { storage: source.storage, mailFolder: source.mailFolder, now })
    await imported(source, again.path)
    expect(await hits(caller, base)).toEqual(await hits(moved, base))
    const current = await queryOf(source)('select id from installation.signing_key where retired_at is null')
    expect(current).toHaveLength(1)
  })
})

describe('an export', () => {
  let caller: Caller
  let path: string
  let base: string

  beforeAll(async () => {
    caller = await source.organization()
    await createFixtures(caller)
    base = await newBase(caller)
    await addPassages(caller, base, ['the spare key lies under the third stone'])
    await person(source, { [caller.organizationId]: 'member' })
    ;({ path } = await exported(source, caller))
  })

  /** Returns the message of an import, and whether the target is unchanged. */
  async function refusal(file: string, changes: Partial<ImportOptions> = {}): Promise<[message: string, isUnchanged: boolean]> {
    const stateOf = async (): Promise<string> => JSON.stringify([await stateWithout(target, newId()), await fileSums(target.storage, '')])
    const before = await stateOf()
    const message = await imported(target, file, changes).then(
      () => 'imported',
      (error: Error) => error.message,
    )
    return [message, (await stateOf()) === before]
  }

  it('that is damaged or incomplete is refused before anything is written', async () => {
    const content = await readFile(path)
    const file = join(folder, 'damaged.tar')
    // In rows, in a file, in a part, and in the manifest.
    for (const part of [Buffer.from([0x1f, 0x8b, 8]), 'opening hours', 'emailVerified', '"digest"']) {
      const copy = Buffer.from(content)
      const position = content.indexOf(part) + 15
      copy.writeUInt8(copy.readUInt8(position) ^ 1, position)
      await writeFile(file, copy)
      expect(await refusal(file)).toEqual([expect.stringContaining('is damaged'), true])
    }
    await writeFile(file, content.subarray(0, content.length - 2048))
    expect(await refusal(file)).toEqual([expect.stringContaining('incomplete'), true])
  })

  it('is refused with another key file, without the key file, and by another version', async () => {
    const other = join(folder, 'other-key')
    await writeFile(other, Buffer.alloc(32, 8))
    expect(await refusal(path, { keyFile: other })).toEqual([
      expect.stringContaining('is not the file that encrypted the secrets of this export'),
      true,
    ])
    expect(await refusal(path, { keyFile: undefined })).toEqual([expect.stringContaining('or use --without-secrets'), true])
    expect(await refusal(path, { programVersion: '0.2.0' })).toEqual([
      expect.stringContaining('The export was made by Groundwork 0.1.0'),
      true,
    ])
    await queryOf(target)(`insert into migration (name, sha256) values ('9999_later.sql', repeat('0', 64))`)
    expect(await refusal(path)).toEqual([expect.stringContaining('Install the same version on both sides'), true])
    await queryOf(target)(`delete from migration where name = '9999_later.sql'`)
  })

  it('is no backup, and a backup is no export', async () => {
    await expect(openBackup(localBackupFile(path).open())).rejects.toThrow('This file is the export of one organization')
    const backup = join(folder, 'backup.tar')
    const state = await openState(source)
    const options = { programVersion: version, now: now(), sealSecretKey: null, progress: noProgress }
    await localBackupFile(backup).store((stream) => writeBackup(state, stream, options))
    await state.close()
    expect(await refusal(backup)).toEqual([expect.stringContaining('This file is the backup of a whole installation'), true])
  })

  it('leaves nothing behind after an error, and nothing that anybody can reach after a kill', async () => {
    const storage = { ...target.storage, write: () => Promise.reject(new Error('the disk is full')) }
    const state = await stateWithout(target, newId())
    await expect(imported(target, path, {}, { storage })).rejects.toThrow('the disk is full')
    expect(await stateWithout(target, newId())).toEqual(state)

    // A killed import does not delete what it added.
    const killed = (): Promise<never> => Promise.reject(new Error('killed'))
    const pool = Object.assign(Object.create(target.database.pool), { connect: killed, query: killed })
    const moved = inInstallation(target, caller)
    await expect(imported(target, path, {}, { storage, pool })).rejects.toThrow('The remains could not be deleted: killed')
    const { organizationId } = caller
    const query = queryOf(target)
    expect(await query('select from chunk where organization_id = $1', [organizationId])).not.toEqual([])
    expect((await moved.call('GET', '/v1/bases')).status).toBe(401)
    const listed = (await listOrganizations(query)).find(({ id }) => id === `org_${organizationId}`)
    expect(listed).toMatchObject({ isImporting: true, tokens: 0, members: 0 })
    const tools = { query, database: target.database, jobs: target.platform.jobs, storage: target.storage }
    const { findings } = await diagnose(tools, { repair: false, graceSeconds: 0, now: now() })
    expect(findings.filter((finding) => finding.organizationId === organizationId)).toEqual([])
    await imported(target, path)
    expect(await hits(moved, base)).toEqual(await hits(caller, base))
  })

  it('is imported once by two imports at the same time: the later one replaces the other', async () => {
    const organization = await source.organization()
    await createFixtures(organization)
    const { path: file } = await exported(source, organization)
    let second: Promise<unknown> | undefined
    const storage: Pick<Storage, 'write' | 'deleteOrganization'> = {
      ...target.storage,
      async write(key, content) {
        await (second ??= imported(target, file))
        return target.storage.write(key, content)
      },
    }
    await expect(imported(target, file, {}, { storage })).rejects.toThrow('has replaced this one')
    const { status, body } = await inInstallation(target, organization).call('GET', '/v1/bases')
    expect([status, body.data.length]).toEqual([200, 1])
  })

  it('without a key file leaves secrets out: webhook endpoints are disabled, second factors are gone with the password', async () => {
    const organization = await source.organization()
    await organization.call('POST', '/v1/webhooks', { url: 'https://example.com/hook' })
    const user = await person(source, { [organization.organizationId]: 'owner' })
    const begun = await user.call('POST', '/auth/two-factor/enable', { password })
    await user.call('POST', '/auth/two-factor/verify-totp', { code: (URI.parse(begun.body.totpURI) as TOTP).generate() })
    const plain = await exported(source, organization, false)
    await expect(imported(target, plain.path)).rejects.toThrow('the export has no secrets')
    const { withoutSecrets } = await imported(target, plain.path, { keyFile: undefined })
    expect(withoutSecrets).toEqual({ webhooks: [expect.any(String)], users: [user.email] })
    const { body: webhooks } = await inInstallation(target, organization).call('GET', '/v1/webhooks')
    expect(webhooks.data).toMatchObject([{ enabled: false, disabledReason: 'manual' }])
    const signIn = { method: 'POST', url: '/auth/sign-in/email', headers: { origin: 'http://groundwork.test' } } as const
    const answer = await target.app.inject({ ...signIn, payload: { email: user.email, password } })
    expect(answer.statusCode).toBe(401)
    const { url } = await createPasswordLink(target.database.pool, user.email, { baseUrl: 'http://groundwork.test', now: now() })
    const reset = { token: new URL(url).hash.slice(1), newPassword: `${password} again` }
    await target.app.inject({ ...signIn, url: '/auth/reset-password', payload: reset })
    const again = { email: user.email, password: reset.newPassword }
    expect((await target.app.inject({ ...signIn, payload: again })).statusCode).toBe(200)
  })
})
