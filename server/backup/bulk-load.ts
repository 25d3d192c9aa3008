import type { BulkSession } from '../db/bulk-session.ts'

/** Statements that prepare empty tables for their rows, and statements that complete them. */
interface BulkLoad {
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/**
 * Returns how to fill the tables as fast as possible. Foreign keys and indexes without a constraint are dropped and created again,
 * because building an index at once takes a fraction of the time, and rows may come before the rows that they refer to. Triggers do
 * not run: their effects are in the rows. Indexes of partitioned tables stay, since their parts have names of their own.
 */
export async function planBulkLoad({ query }: BulkSession, tables: readonly string[]): Promise<BulkLoad> {
  const keys = await query<{ name: string; owner: string; definition: string }>(
    `select quote_ident(conname) as name, conrelid::regclass::text as owner, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and conparentid = 0 and conrelid = any ($1::regclass[]) order by 2, 1`,
    [tables],
  )
  const indexes = await query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index join pg_class c on c.oid = indrelid
     where indrelid = any ($1::regclass[]) and c.relkind = 'r'
       and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x')) order by 1`,
    [tables],
  )
  return {
    before: [
      ...keys.map(({ owner, name }) => `alter table ${owner} drop constraint ${name}`),
      `truncate ${tables.join(', ')}`,
      ...indexes.map(({ name }) => `drop index ${name}`),
      ...tables.map((table) => `alter table ${table} disable trigger user`),
    ],
    after: [
      ...indexes.map(({ definition }) => definition),
      ...keys.map(({ owner, name, definition }) => `alter table ${owner} add constraint ${name} ${definition}`),
      ...tables.map((table) => `alter table ${table} enable trigger user`),
    ],
  }
}

/** The embedded engine holds the data of a COPY in memory. */
const maxCopyBytes = 32 * 2 ** 20
const newline = 0x0a

/** Adds rows in COPY's text format. */
export async function loadRows(session: Pick<BulkSession, 'copyIn'>, table: LoadedTable, rows: Buffer): Promise<void> {
  for (const part of partsOf(rows, maxCopyBytes)) await session.copyIn(copyStatement(table), part)
}

export interface LoadedTable {
  readonly name: string
  readonly columns: readonly string[]
}

/** Returns the statement that adds rows to a table from COPY's text format. */
export const copyStatement = ({ name, columns }: LoadedTable): string => `copy ${name} (${columns.join(', ')}) from stdin`

/** Divides rows in COPY's text format at ends of rows. A part has at most `maxBytes` bytes, or one row. */
export function* partsOf(rows: Buffer, maxBytes: number): Generator<Buffer> {
  for (let from = 0; from < rows.length;) {
    const limit = from + maxBytes
    const end = limit >= rows.length ? rows.length : rows.lastIndexOf(newline, limit) + 1 || rows.length
    const next = end > from ? end : rows.indexOf(newline, limit) + 1 || rows.length
    yield rows.subarray(from, next)
    from = next
  }
}
