import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { ownerQuery, type OwnerQuery } from '../db/owner-query.ts'
import { openStore } from '../db/store.ts'
import { openInstallation } from '../installation/installation.ts'
import { openJobs } from '../jobs/jobs.ts'
import { queues } from '../queues.ts'
import { localStorage, type Storage } from '../storage/storage.ts'
import { copyOfTemplate, emptyDatabase } from '../testing/template.ts'
import { backUp, restore, verify, type Installation, type RestoreOptions } from './backup.ts'
import { localBackupFile } from './backup-file.ts'
import { listBackups } from './backup-folder.ts'
import { localBackupPlace } from './backup-place.ts'
import { noProgress } from './progress.ts'
import { startScheduledBackups } from './scheduled-backups.ts'
import { secretKeySealer } from './secret.ts'

const log = pino({ level: 'silent' })
const secretKey = 'a secret key of more than 32 characters'
let folder: string
/** With a PostgreSQL server, the tests move between both engines. */
const onServer = inject('serverUrl') !== ''

interface Running extends Installation {
  readonly storage: Storage
  readonly query: OwnerQuery
  close(): Promise<void>
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'groundwork-backup-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const newFolder = (): Promise<string> => mkdtemp(join(folder, 'data-'))

/** A migrated database with its files, as a running program has them. */
async function start(engine: 'embedded' | 'server'): Promise<Running> {
  const dataDir = await newFolder()
  const storage = await localStorage(join(dataDir, 'files'))
  if (engine === 'server') {
    const { database, url, close } = await copyOfTemplate({ serverUrl: inject('serverUrl'), embeddedTemplate: '' })
    const query = ownerQuery(database.pool)
    await openInstallation({ query, storage, dataDir, setting: secretKey })
    return { dataDir, databaseUrl: url ?? undefined, storage, query, close }
  }
  const template = inject('embeddedTemplate')
  if (template !== '') await cp(template, join(dataDir, 'db'), { recursive: true })
  const store = await openStore({ dataDir, databaseUrl: undefined, log })
  const query = ownerQuery(store.database.pool)
  const jobs = await openJobs(store.database.pool, { queues, worker: null, onError: (error) => log.error(error) })
  await jobs.stop()
  await openInstallation({ query, storage, dataDir, setting: secretKey })
  return { dataDir, databaseUrl: undefined, storage, query, close: () => store.close() }
}

/** An installation without a database. */
async function empty(engine: 'embedded' | 'server'): Promise<Installation> {
  const dataDir = await newFolder()
  const storage = await localStorage(join(dataDir, 'files'))
  if (engine === 'embedded') return { dataDir, databaseUrl: undefined, storage }
  const { url, close } = await emptyDatabase({ serverUrl: inject('serverUrl') })
  await close()
  return { dataDir, databaseUrl: url ?? undefined, storage }
}

async function reopen<T>(installation: Installation, use: (query: OwnerQuery) => Promise<T>): Promise<T> {
  const store = await openStore({ dataDir: installation.dataDir, databaseUrl: installation.databaseUrl, log })
  try {
    return await use(ownerQuery(store.database.pool))
  } finally {
    await store.close()
  }
}

const options = { programVersion: '0.1.0', now: new Date('2026-11-01T08:00:00Z'), sealSecretKey: null, progress: noProgress }
const restoring = ({ dataDir }: Installation, changes: Partial<RestoreOptions> = {}): RestoreOptions => ({
  secretKey: { dataDir, setting: secretKey },
  keyFile: undefined,
  withoutSecretKey: false,
  progress: noProgress,
  ...changes,
})

/** Values that a text format could damage. */
const hostileName = 'tab\t newline\n return\r backslash\\ \\N \\. "quoted" ünïcödé 😀'

async function fill({ query, storage }: Running): Promise<{ organizationId: string }> {
  const organizationId = randomUUID()
  const baseId = randomUUID()
  await query('insert into organization (id, name, created_at) values ($1, $2, now())', [organizationId, hostileName])
  await query(`insert into base (organization_id, id, name, rag_settings, created_at, updated_at) values ($1, $2, $3, $4, now(), now())`, [
    organizationId,
    baseId,
    '\\N',
    { text: hostileName, list: [1.5, null] },
  ])
  await query(
    `insert into audit_entry (organization_id, created_at, id, action, actor_type, target_kind, target_id)
     select $1, now(), gen_random_uuid(), 'contact.deleted', 'system', 'con', gen_random_uuid() from generate_series(1, 3000)`,
    [organizationId],
  )
  await query(
    `insert into chunk_embedding (organization_id, base_id, generation, ordinal, embedding)
     select $1, $2, 1, n, (select array_agg(sin(n * 384 + i) / 3)::vector from generate_series(1, 384) i) from generate_series(1, 800) n`,
    [organizationId, baseId],
  )
  await query(`select setval('source_generation', 9007199254740993)`)
  await query(`insert into pacing.host (name, free_at) values ('one', '2026-01-01'), ('two', '2026-01-01')`)
  await storage.write(`${organizationId}/originals/large`, Buffer.alloc(3_000_000, 'groundwork'))
  await storage.write(`${organizationId}/originals/empty`, Buffer.alloc(0))
  await storage.write(`${organizationId}/indexes/copy`, Buffer.alloc(10))
  return { organizationId }
}

interface Load {
  stop(): Promise<void>
}

/** Changes rows and files until it is stopped: two rows in one transaction, and files of rows. Returns after the first uploads. */
async function startLoad({ query, storage }: Running, organizationId: string): Promise<Load> {
  const ending = new AbortController()
  const isRunning = (): boolean => !ending.signal.aborted
  const changes = async (): Promise<void> => {
    for (let n = 0; isRunning(); n++)
      await query(`update pacing.host set free_at = '2026-01-01'::timestamptz + $1 * interval '1 second' where name in ('one', 'two')`, [n])
  }
  const upload = async (): Promise<string> => {
    const id = randomUUID()
    const key = `${organizationId}/uploads/${id}`
    await storage.write(key, Buffer.from(key))
    await query(
      `insert into upload (organization_id, id, file_name, content_type, size_bytes, storage_key, expires_at, created_at)
       values ($1, $2, 'a', 'text/plain', 1, $3, now(), now())`,
      [organizationId, id, key],
    )
    return key
  }
  const uploads = async (first: string): Promise<void> => {
    const kept = [first]
    while (isRunning()) {
      kept.push(await upload())
      const oldest = kept.length > 5 ? kept.shift() : undefined
      if (oldest === undefined) continue
      await query('delete from upload where storage_key = $1', [oldest])
      await storage.delete(oldest)
    }
  }
  const first = [await upload(), await upload()]
  const ended = Promise.all([changes(), changes(), ...first.map(uploads)])
  return {
    async stop() {
      ending.abort()
      await ended
    },
  }
}

type Engine = 'embedded' | 'server'
const toServer: [Engine, Engine] = ['embedded', 'server']
const fromServer: [Engine, Engine] = ['server', 'embedded']
// Other tests of this file also move from the server.
const ofServer = process.env['MOVES'] === 'both' ? [toServer, fromServer] : [toServer]
const pairs: [Engine, Engine][] = onServer ? ofServer : [['embedded', 'embedded']]

describe.each(pairs)('a backup of the engine %s that is restored into the engine %s', (from, to) => {
  let source: Running
  let organizationId: string
  let path: string
  let target: Installation

  beforeAll(async () => {
    source = await start(from)
    organizationId = (await fill(source)).organizationId
    path = join(await newFolder(), 'backup.tar')
    const load = await startLoad(source, organizationId)
    await backUp(source, localBackupFile(path), options)
    await load.stop()
    target = await empty(to)
    await restore(target, localBackupFile(path), restoring(target))
  }, 240_000)
  afterAll(() => source.close())

  it('has the same rows, sequences and schema', async () => {
    const unchanged = {
      organization: 'select * from organization order by id',
      base: 'select * from base order by id',
      audit: 'select count(*), count(distinct id) from audit_entry',
      vectors: 'select md5(string_agg(embedding::text, chr(10) order by ordinal)) from chunk_embedding',
      sequence: `select last_value::text from source_generation`,
      identity: 'select store_id, secret_key_check from installation.identity',
      queues: 'select name, retry_limit, dead_letter from pgboss.queue order by name',
      migrations: 'select name, sha256 from migration order by name',
    }
    const expected = await answers(source.query, unchanged)
    const found = await reopen(target, (query) => answers(query, unchanged))
    expect(found).toEqual(expected)
    const columns = `select table_schema, table_name, column_name, is_nullable, column_default from information_schema.columns
      where table_schema in ('public', 'identity', 'installation', 'pacing') order by 1, 2, 3`
    const objects = {
      columns,
      indexes: `select tablename, indexname, regexp_replace(indexdef, ' ONLY ', ' ') as definition from pg_indexes
        where schemaname in ('public', 'identity', 'installation', 'pacing') order by 1, 2`,
      constraints: `select conrelid::regclass::text as owner, conname, pg_get_constraintdef(oid) as definition, convalidated from pg_constraint
        where contype in ('f', 'p', 'u', 'c') and connamespace = 'public'::regnamespace order by 1, 2`,
      triggers: `select tgrelid::regclass::text as owner, tgname, tgenabled from pg_trigger where not tgisinternal order by 1, 2`,
    }
    // The same engine, since versions of PostgreSQL name constraints in different ways.
    const fresh = await empty(to)
    const schema = await reopen(fresh, (query) => answers(query, objects))
    expect(await reopen(target, (query) => answers(query, objects))).toEqual(schema)
  }, 240_000)

  it('has one consistent state of rows and files', async () => {
    const { hosts, uploads } = await reopen(target, async (query) => ({
      hosts: await query<{ at: Date }>('select distinct free_at as at from pacing.host'),
      uploads: await query<{ key: string }>('select storage_key as key from upload'),
    }))
    expect(hosts).toHaveLength(1)
    expect(uploads.length).toBeGreaterThan(0)
    for (const { key } of uploads) expect((await target.storage.read(key)).toString()).toBe(key)
    expect((await target.storage.read(`${organizationId}/originals/large`)).equals(Buffer.alloc(3_000_000, 'groundwork'))).toBe(true)
    expect(await target.storage.sizeBytes(`${organizationId}/originals/empty`)).toBe(0)
    // A copy of an index file, which the target makes again.
    expect(await target.storage.exists(`${organizationId}/indexes/copy`)).toBe(false)
  }, 240_000)

  it('leaves nothing behind in the data folder of the running program', async () => {
    expect((await readdir(source.dataDir)).filter((name) => name.startsWith('backup'))).toEqual([])
    expect(await readdir(source.storage.location)).not.toContain('.held')
  })

  it('is verified', async () => {
    const { manifest } = await verify(localBackupFile(path), noProgress)
    expect(manifest.tables.find(({ name }) => name === 'public.audit_entry')?.rows).toBe(3000)
  }, 240_000)

  it('is refused by a target that has rows', async () => {
    await expect(restore(target, localBackupFile(path), restoring(target))).rejects.toThrow('public.organization has rows')
  }, 240_000)

  it('is refused by a target that has files or another secret key', async () => {
    const next = await empty(to)
    const other = { secretKey: { dataDir: next.dataDir, setting: 'another key of more than 32 characters' } }
    await expect(restore(next, localBackupFile(path), restoring(next, other))).rejects.toThrow(
      'a secret key that this installation does not have',
    )
    await next.storage.write('org/originals/a', Buffer.from('x'))
    await expect(restore(next, localBackupFile(path), restoring(next))).rejects.toThrow('it has the file org/originals/a')
  }, 240_000)

  it('is detected if a byte was changed or the end is missing, and restored after that', async () => {
    const content = await readFile(path)
    const next = await empty(to)
    const damaged = join(await newFolder(), 'damaged.tar')
    for (const at of [0.4, 0.9]) {
      const copy = Buffer.from(content)
      const position = Math.floor(content.length * at)
      copy.writeUInt8(copy.readUInt8(position) ^ 1, position)
      await writeFile(damaged, copy)
      await expect(restore(next, localBackupFile(damaged), restoring(next))).rejects.toThrow('is damaged')
    }
    await writeFile(damaged, content.subarray(0, content.length - 2048))
    await expect(restore(next, localBackupFile(damaged), restoring(next))).rejects.toThrow('incomplete')
    await expect(reopen(next, async () => undefined)).rejects.toThrow('The restore of this database did not end')
    await restore(next, localBackupFile(path), restoring(next))
    const count = (query: OwnerQuery): Promise<unknown[]> => query('select count(*) from audit_entry')
    expect(await reopen(next, count)).toEqual([{ count: 3000 }])
  }, 240_000)
})

async function answers(query: OwnerQuery, statements: Record<string, string>): Promise<Record<string, unknown[]>> {
  return Object.fromEntries(await Promise.all(Object.entries(statements).map(async ([name, text]) => [name, await query(text)] as const)))
}

describe('a backup', () => {
  let source: Running
  let filled: { organizationId: string }
  let closed: Promise<void> | undefined
  const close = (): Promise<void> => (closed ??= source.close())

  beforeAll(async () => {
    source = await start(onServer ? 'server' : 'embedded')
    filled = await fill(source)
  }, 240_000)
  afterAll(close)

  it('contains the secret key only if a key file seals it', async () => {
    const keyFile = join(await newFolder(), 'key')
    await writeFile(keyFile, Buffer.alloc(32, 7))
    const path = join(await newFolder(), 'backup.tar')
    const sealSecretKey = await secretKeySealer({ dataDir: source.dataDir, setting: secretKey }, keyFile)
    await backUp(source, localBackupFile(path), { ...options, sealSecretKey })
    expect((await readFile(path)).includes(secretKey)).toBe(false)
    const target = await empty('embedded')
    const unset = { dataDir: target.dataDir, setting: undefined }
    await expect(restore(target, localBackupFile(path), restoring(target, { secretKey: unset }))).rejects.toThrow('SECRET_KEY is not set')
    const otherFile = join(await newFolder(), 'key')
    await writeFile(otherFile, Buffer.alloc(32, 8))
    const withFile = (file: string): RestoreOptions => restoring(target, { secretKey: unset, keyFile: file })
    await expect(restore(target, localBackupFile(path), withFile(otherFile))).rejects.toThrow('is not the file that sealed')
    await restore(target, localBackupFile(path), withFile(keyFile))
    expect(await readFile(join(target.dataDir, 'secret.key'), 'utf8')).toBe(secretKey)
  }, 240_000)

  it('is made on schedule by a process of its own, and the newest is kept', async () => {
    const to = join(await newFolder(), 'backups')
    const storage = { storage: { kind: 'folder' as const, folder: source.storage.location }, former: null }
    let made = 0
    const scheduled = startScheduledBackups({
      place: localBackupPlace(to),
      everyMs: 60_000,
      keep: 1,
      source: {
        to,
        credentials: null,
        dataDir: source.dataDir,
        databaseUrl: source.databaseUrl,
        storage,
        programVersion: '0.1.0',
        seal: null,
      },
      log: { info: () => made++, error: () => undefined },
      // Each backup is due two minutes after the one before.
      now: () => new Date(Date.UTC(2026, 10, 1, 8, Math.min(made, 1) * 2)),
    })
    const times = async (): Promise<string[]> => (await listBackups(localBackupPlace(to))).map(({ at }) => at.toISOString())
    await expect.poll(times, { timeout: 200_000 }).toEqual(['2026-11-01T08:02:00.000Z'])
    await scheduled.stop()
    const { manifest } = await verify(localBackupFile(join(to, 'groundwork-2026-11-01T08-02-00Z.tar')), noProgress)
    expect(manifest.tables.find(({ name }) => name === 'public.organization')?.rows).toBe(1)
  }, 240_000)

  it('of a newer version is refused', async () => {
    await source.query(`insert into migration (name, sha256) values ('9999_later.sql', repeat('0', 64))`)
    const path = join(await newFolder(), 'backup.tar')
    await backUp(source, localBackupFile(path), options)
    await source.query(`delete from migration where name = '9999_later.sql'`)
    await expect(verify(localBackupFile(path), noProgress)).rejects.toThrow(
      'made by a newer Groundwork (0.1.0): it has the migration 9999_later.sql',
    )
  }, 240_000)

  it('that ends nowhere or is another file is refused', async () => {
    const path = join(await newFolder(), 'other.tar')
    await writeFile(path, Buffer.alloc(2000, 'x'))
    await expect(verify(localBackupFile(path), noProgress)).rejects.toThrow('damaged')
    await (await open(path, 'w')).close()
    await expect(verify(localBackupFile(path), noProgress)).rejects.toThrow('incomplete')
  }, 240_000)

  // The engine of a stopped program is opened by the backup; a server runs on.
  it.runIf(!onServer)(
    'is made of a stopped program too, and replaces the file only when it is complete',
    async () => {
      const { organizationId } = filled
      await close()
      const path = join(await newFolder(), 'backup.tar')
      await writeFile(path, 'before')
      const storage: Storage = {
        ...source.storage,
        holdDeletions: async () => {
          const held = await source.storage.holdDeletions()
          return { ...held, open: () => Promise.reject(new Error('the disk is broken')) }
        },
      }
      await expect(backUp({ ...source, storage }, localBackupFile(path), options)).rejects.toThrow('the disk is broken')
      expect([await readFile(path, 'utf8'), await readdir(join(path, '..'))]).toEqual(['before', ['backup.tar']])
      const written = await backUp(source, localBackupFile(path), options)
      expect([written.files, (await stat(path)).mode & 0o077]).toEqual([2, 0])
      const { manifest } = await verify(localBackupFile(path), noProgress)
      expect(manifest.tables.find(({ name }) => name === 'public.organization')?.rows).toBe(1)
      expect(await source.storage.exists(`${organizationId}/originals/large`)).toBe(true)
    },
    240_000,
  )
})
