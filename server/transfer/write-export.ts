import { randomUUID } from 'node:crypto'
import type { Writable } from 'node:stream'
import { archiveEntries } from '../backup/archive-entries.ts'
import { readMigrations, readRows } from '../backup/catalog.ts'
import type { Progress } from '../backup/progress.ts'
import type { BackupSource } from '../backup/write-backup.ts'
import type { BulkSession } from '../db/bulk-session.ts'
import type { SecretKeys } from '../lib/secrets.ts'
import { MissingFileError } from '../storage/storage-error.ts'
import { bytesOf, copyBytes, copyNull, rowsOf, valuesOf } from './copy-text.ts'
import { exportedRows, exportedValue, fileColumns } from './exported-columns.ts'
import { exportedTables, type ExportedTable } from './exported-tables.ts'
import { exportEntries, formatVersion, type ExportHeader } from './format.ts'
import { readGenerations } from './generations.ts'
import { readJobs } from './jobs.ts'
import { exportKey, moveSecret, sealCheck, sealedIn } from './secrets.ts'
import { readSigningKeys } from './signing-keys.ts'
import { readUsers } from './users.ts'

export interface ExportOptions {
  readonly organizationId: string
  readonly programVersion: string
  readonly now: Date
  /** Decrypts secrets, and the key file that encrypts them in the export; null leaves them out. */
  readonly secrets: { readonly keys: SecretKeys; readonly keyFile: string } | null
  readonly progress: Progress
}

export interface WrittenExport {
  readonly id: string
  readonly rows: number
  readonly files: number
  readonly bytes: number
  /** Files that rows refer to and the storage does not have. */
  readonly missingFiles: readonly string[]
}

interface Secrets {
  readonly from: SecretKeys
  readonly to: string
}

/** Writes one consistent state of an organization as an archive. */
export async function writeExport(source: BackupSource, target: Writable, options: ExportOptions): Promise<WrittenExport> {
  const { session } = source
  const { organizationId } = options
  const id = randomUUID()
  const secrets = options.secrets === null ? null : { from: options.secrets.keys, to: await exportKey(options.secrets.keyFile, id) }
  const tables = await exportedTables(session)
  const entries = archiveEntries(target, options)
  await entries.addJson(exportEntries.header, await headerOf(source, tables, { id, ...options }, secrets))
  await entries.addJson(exportEntries.users, await readUsers(session.query, organizationId, secrets))
  await entries.addJson(exportEntries.signingKeys, await readSigningKeys(session.query, organizationId))
  await entries.addJson(exportEntries.generations, await readGenerations(session, organizationId))
  await entries.addJson(exportEntries.jobs, await readJobs(session, organizationId))
  for (const [at, table] of tables.entries()) {
    const rows =
      table.shortName === 'event' ? readEvents(session, table, organizationId) : rowsOfOrganization(session, table, organizationId)
    await entries.addTable(at, table.name, sealedIn(table.shortName).length === 0 ? rows : withSecrets(table, rows, secrets))
  }
  const missingFiles: string[] = []
  for (const key of await readKeys(session, organizationId)) {
    const file = await source.files.open(key).catch((error: unknown) => {
      if (error instanceof MissingFileError) return null
      throw error
    })
    if (file === null) missingFiles.push(key)
    else await entries.addFile(key, file)
  }
  await entries.endFiles()
  return { id, ...(await entries.end(id, [])), missingFiles }
}

async function headerOf(
  { session, engine }: BackupSource,
  tables: readonly ExportedTable[],
  { id, organizationId, programVersion, now }: ExportOptions & { readonly id: string },
  secrets: Secrets | null,
): Promise<ExportHeader> {
  const [organization] = await session.query<{ name: string; leaving: boolean }>(
    'select name, deletion_started_at is not null as leaving from organization where id = $1',
    [organizationId],
  )
  if (organization === undefined) throw new Error('The organization has been deleted.')
  if (organization.leaving) throw new Error('The organization is incomplete: its deletion or its import has not ended.')
  return {
    format: 'groundwork-organization',
    formatVersion,
    id,
    programVersion,
    createdAt: now.toISOString(),
    engine,
    migrations: await readMigrations(session),
    organization: { id: organizationId, name: organization.name },
    tables: tables.map(({ name, columns }) => ({ name, columns: [...columns] })),
    sealedCheck: secrets === null ? null : sealCheck(secrets.to, id),
  }
}

/** Rows of other organizations lie between those of one, so parts are joined until they have this size. */
const minPartBytes = 2 ** 20

async function* rowsOfOrganization(
  session: BulkSession,
  { shortName, columns, leaves }: ExportedTable,
  organizationId: string,
): AsyncGenerator<Buffer> {
  const values = columns.map((column) => exportedValue(shortName, column))
  let [waiting, bytes]: [Buffer[], number] = [[], 0]
  for await (const rows of readRows(session, { columns: values, leaves }, exportedRows(shortName, organizationId))) {
    waiting.push(rows)
    bytes += rows.length
    if (bytes < minPartBytes) continue
    yield Buffer.concat(waiting)
    ;[waiting, bytes] = [[], 0]
  }
  if (bytes > 0) yield Buffer.concat(waiting)
}

const eventsPerPart = 2000

/** Returns events in their order: the target numbers them as they are added. */
async function* readEvents(session: BulkSession, { columns }: ExportedTable, organizationId: string): AsyncGenerator<Buffer> {
  const own = exportedRows('event', organizationId)
  for (let after = '-1'; ;) {
    const [row] = await session.query<{ last: string | null }>(
      `select max(position)::text as last from
         (select position from event where ${own} and position > ${after} order by position limit ${eventsPerPart}) as part`,
    )
    const last = row?.last ?? null
    if (last === null) return
    yield await session.copyOut(
      `copy (select ${columns.join(', ')} from event where ${own} and position > ${after} and position <= ${last} order by position) to stdout`,
    )
    after = last
  }
}

/** Encrypts secrets with the key file, or leaves them out. */
async function* withSecrets(table: ExportedTable, parts: AsyncIterable<Buffer>, secrets: Secrets | null): AsyncGenerator<Buffer> {
  const sealed = sealedIn(table.shortName)
  const at = (column: string): number => table.columns.indexOf(column)
  for await (const part of parts) {
    const rows = valuesOf(part)
    for (const row of rows)
      for (const column of sealed) {
        const value = row[at(column.column)] ?? copyNull
        if (value === copyNull) continue
        const id = column.key.map((each) => row[at(each.column)] ?? '')
        const moved = secrets === null ? null : await moveSecret(column, bytesOf(value), id, secrets)
        row[at(column.column)] = moved === null || typeof moved === 'string' ? copyNull : copyBytes(moved)
      }
    yield rowsOf(rows)
  }
}

/** Returns the keys of the files that exported rows refer to. */
async function readKeys({ query }: BulkSession, organizationId: string): Promise<string[]> {
  const columns = Object.entries(fileColumns).flatMap(([table, names]) =>
    names.map((column) => `select ${column} as key from ${table} where ${exportedRows(table, organizationId)}`),
  )
  const logo = `select logo ->> 'key' from organization where ${exportedRows('organization', organizationId)}`
  const rows = await query<{ key: string }>(
    `select key from (${[...columns, logo].join(' union ')}) as keys where key is not null order by key`,
  )
  return rows.map(({ key }) => key)
}
