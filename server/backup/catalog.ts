import type { BulkSession } from '../db/bulk-session.ts'

/** A table whose rows are part of a backup. */
export interface Table {
  /** The schema-qualified and quoted name. */
  readonly name: string
  /** Quoted names of all columns but generated ones. */
  readonly columns: readonly string[]
  /** The tables that hold its rows: its partitions, or itself. */
  readonly leaves: readonly Leaf[]
}

export interface Leaf {
  readonly name: string
  readonly pages: number
  /** Bytes of the table with its values that are stored out of line. */
  readonly bytes: number
}

/** The tables of the program, of the sign-in library and of the job queue, in the order of their names. */
const tablesQuery = `
  select format('%I.%I', n.nspname, c.relname) as name,
    (select array_agg(quote_ident(a.attname) order by a.attnum) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
    (select json_agg(json_build_object('name', l.relid::regclass::text, 'pages', pg_relation_size(l.relid) / 8192,
        'bytes', pg_table_size(l.relid)) order by l.relid::regclass::text)
      from (select c.oid as relid where c.relkind = 'r' union all
        select p.relid from pg_partition_tree(c.oid) p where c.relkind = 'p' and p.isleaf) l) as leaves
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p'
    and n.nspname <> 'information_schema' and n.nspname !~ '^pg_(catalog|toast|temp)'
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  order by 1`

/**
 * Tables that are no data: the schema's own, whose applied migrations are in the header, and copies of index files, which a program
 * makes again.
 */
const excludedTables = new Set(['public.migration', 'pgboss.version', 'public.index_copy'])

export async function readTables({ query }: BulkSession): Promise<Table[]> {
  const tables = await query<Table>(tablesQuery)
  return tables.filter(({ name }) => !excludedTables.has(name))
}

export interface Sequence {
  readonly name: string
  /** The last value as text, because it may exceed the precision of a number. */
  readonly value: string
  readonly isCalled: boolean
}

export async function readSequences({ query }: BulkSession): Promise<Sequence[]> {
  const names = await query<{ name: string }>(`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'S' and n.nspname <> 'information_schema' and n.nspname !~ '^pg_(catalog|toast|temp)' order by 1`)
  const sequences: Sequence[] = []
  for (const { name } of names) {
    const [row] = await query<{ value: string; isCalled: boolean }>(
      `select last_value::text as value, is_called as "isCalled" from ${name}`,
    )
    if (row !== undefined) sequences.push({ name, ...row })
  }
  return sequences
}

export interface AppliedMigration {
  readonly name: string
  readonly sha256: string | null
}

/** Returns the applied migrations in order; none for a database without a schema. */
export async function readMigrations({ query }: BulkSession): Promise<AppliedMigration[]> {
  const [found] = await query<{ exists: boolean }>(`select to_regclass('public.migration') is not null as exists`)
  return found?.exists === true ? query<AppliedMigration>('select name, sha256 from public.migration order by name') : []
}

/** Returns the version of the tables of the job queue; null without them. */
export async function readQueueVersion({ query }: BulkSession): Promise<number | null> {
  const [found] = await query<{ exists: boolean }>(`select to_regclass('pgboss.version') is not null as exists`)
  if (found?.exists !== true) return null
  const [row] = await query<{ version: number }>('select version from pgboss.version')
  return row?.version ?? null
}

/** Rows are read in parts of about this size, so that memory is bounded and no statement takes long. */
const partBytes = 4 * 2 ** 20

/**
 * Returns the rows that meet the condition in COPY's text format, in parts. Reads ranges of pages: the rows of a snapshot are in the
 * pages that the table has after the snapshot was taken.
 */
export async function* readRows(
  session: BulkSession,
  { columns, leaves }: Pick<Table, 'columns' | 'leaves'>,
  condition = 'true',
): AsyncGenerator<Buffer> {
  for (const leaf of leaves) {
    const step = pagesPerPart(leaf)
    for (let from = 0; from < leaf.pages; from += step) {
      const range = `ctid >= '(${from},0)' and ctid < '(${from + step},0)'`
      const rows = await session.copyOut(`copy (select ${columns.join(', ')} from ${leaf.name} where ${range} and ${condition}) to stdout`)
      if (rows.length > 0) yield rows
    }
  }
}

const pagesPerPart = ({ pages, bytes }: Leaf): number => Math.max(1, Math.floor(partBytes / (bytes / Math.max(pages, 1) + 1)))
