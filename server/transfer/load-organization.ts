import { Readable } from 'node:stream'
import { copyStatement, partsOf, type LoadedTable } from '../backup/bulk-load.ts'
import type { BulkSession } from '../db/bulk-session.ts'
import type { Storage } from '../storage/storage.ts'
import { copyNull, mapRows } from './copy-text.ts'
import { accessTables } from './exported-columns.ts'
import type { ExportedTable } from './exported-tables.ts'
import type { ExportReader } from './read-export.ts'
import { rowMapper, type RowMaps } from './row-mapper.ts'

/** Bytes of rows per transaction: about 60 vectors of 384 dimensions. The embedded engine runs no other statement meanwhile. */
const maxCopyBytes = 2 ** 18

export interface Loading {
  readonly session: BulkSession
  readonly storage: Pick<Storage, 'write'>
  readonly maps: RowMaps
  /** The mark of this import in the row of the organization. */
  readonly importId: string
  readonly now: Date
  /** The tables of the target. */
  readonly tables: readonly ExportedTable[]
}

/** A reference to a row of the same table, which is set when all rows are there. */
interface SelfReference {
  readonly table: string
  readonly column: string
  readonly id: string
  readonly value: string
}

/** What remains to be added in the transaction that completes the import. */
export interface Loaded {
  readonly reader: ExportReader
  /** Rows of the tables that give access, in their order. */
  readonly access: { readonly table: LoadedTable; rows: Buffer }[]
  readonly selfReferences: SelfReference[]
}

/**
 * Adds rows and files in many transactions. The organization has no tokens and members yet. Each transaction fails if a later import of
 * the organization has taken over.
 */
export function loadOrganization(loading: Loading): Loaded {
  const { maps, storage } = loading
  const access: Loaded['access'] = []
  const selfReferences: SelfReference[] = []
  const mapperOf = (table: ExportedTable, columns: readonly string[]): ((values: string[]) => string[]) => {
    const map = rowMapper(table.shortName, columns, maps)
    if (accessTables.has(table.shortName)) return map
    const references = table.selfReferences.map((column) => [column, columns.indexOf(column)] as const)
    const id = columns.indexOf('id')
    return (values) => {
      const row = map(values)
      for (const [column, at] of references) {
        const value = row[at] ?? copyNull
        if (value === copyNull) continue
        selfReferences.push({ table: table.name, column, id: row[id] ?? '', value })
        row[at] = copyNull
      }
      return row
    }
  }
  // One statement adds all rows of a table, because tokens refer to other tokens.
  const addAccessRows = (table: LoadedTable, rows: Buffer): void => {
    const known = access.find((each) => each.table.name === table.name)
    if (known === undefined) access.push({ table, rows })
    else known.rows = Buffer.concat([known.rows, rows])
  }
  const mappers = new Map<string, (values: string[]) => string[]>()
  const reader: ExportReader = {
    async rows({ name, columns }, rows) {
      const table = loading.tables.find((each) => each.name === name)
      if (table === undefined) throw new Error(`The export has rows of a table that this installation does not export: ${name}.`)
      const map = mappers.get(name) ?? mapperOf(table, columns)
      mappers.set(name, map)
      const mapped = mapRows(rows, map)
      if (table.shortName === 'organization') return addOrganization(loading, { name, columns }, mapped)
      if (accessTables.has(table.shortName)) addAccessRows({ name, columns }, mapped)
      else for (const part of partsOf(mapped, maxCopyBytes)) await addPart(loading, { name, columns }, part)
    },
    async file(key, content) {
      const stored = maps.generations.keyOf(key)
      if (stored === undefined) throw new Error(`The export is damaged: the file ${key} belongs to an unknown indexing attempt.`)
      await storage.write(stored, Readable.from(content))
    },
  }
  return { reader, access, selfReferences }
}

/** Adds the row of the organization with the mark, and counters without limits until the import is complete. */
async function addOrganization({ session, maps, importId, now }: Loading, table: LoadedTable, rows: Buffer): Promise<void> {
  const slugs = new Set((await session.query<{ slug: string }>('select slug from organization')).map(({ slug }) => slug))
  const at = (column: string): number => table.columns.indexOf(column)
  const marked = mapRows(rows, (values) => {
    // The trigger of the table gives another one.
    if (slugs.has(values[at('slug')] ?? '')) values[at('slug')] = copyNull
    values[at('deletion_started_at')] = now.toISOString()
    values[at('import_id')] = importId
    return values
  })
  await session.query('begin')
  await session.copyIn(copyStatement(table), marked)
  await session.query('insert into organization_use (organization_id, storage_quota, chunk_quota, source_quota) values ($1, -1, -1, -1)', [
    maps.organizationId,
  ])
  const foreign = await session.query('select from organization where id = $1 and logo is not null and not starts_with(logo ->> $2, $3)', [
    maps.organizationId,
    'key',
    `${maps.organizationId}/`,
  ])
  if (foreign.length > 0) throw new Error('The export is damaged: the logo is a file of another organization.')
  await session.query('commit')
}

async function addPart(loading: Loading, table: LoadedTable, rows: Buffer): Promise<void> {
  const { session } = loading
  await session.query('begin')
  await requireMark(loading, 'key share')
  await session.copyIn(copyStatement(table), rows)
  await session.query('commit')
}

/** Locks the row of the organization. @throws Error if another import has replaced this one */
export async function requireMark(
  { session, maps, importId }: Pick<Loading, 'session' | 'maps' | 'importId'>,
  lock: 'key share' | 'update',
): Promise<void> {
  const marked = await session.query(`select from organization where id = $1 and import_id = $2 for ${lock}`, [
    maps.organizationId,
    importId,
  ])
  if (marked.length === 0) throw new Error('Another import of this organization, or its deletion, has replaced this one.')
}
