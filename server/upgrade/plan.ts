import { openThrowawayTarget } from '../backup/target.ts'
import { readMigrations } from '../db/migrate.ts'
import type { OwnerQuery } from '../db/owner-query.ts'
import { observeMigrations, type ObservedMigration } from './observe.ts'

/**
 * Returns the effects of the migrations that a database does not have. They run in a temporary database without rows, where PostgreSQL
 * reports its locks.
 * @param applied names of the migrations that the database has
 */
export async function planMigrations(applied: readonly string[], folder?: string): Promise<ObservedMigration[]> {
  const names = (await readMigrations(folder)).map(({ name }) => name)
  const unknown = applied.filter((name) => !names.includes(name))
  if (unknown.length > 0) throw new Error(`The database has migrations that this version does not have: ${unknown.join(', ')}.`)
  if (names.length === applied.length) return []
  const target = await openThrowawayTarget()
  try {
    await target.migrate({ ...(folder !== undefined && { folder }), only: applied })
    return await observeMigrations((options) => target.migrate(options), applied, folder)
  } finally {
    await target.close()
  }
}

export interface TableSize {
  /** Estimated by PostgreSQL; null if the table has never been analyzed. */
  readonly rows: number | null
  /** With indexes and values that are stored out of line. */
  readonly bytes: number
}

/** Returns the sizes of all tables, of partitioned ones with their partitions. */
export async function tableSizes(query: OwnerQuery): Promise<ReadonlyMap<string, TableSize>> {
  const rows = await query<{ name: string; rows: number; bytes: number }>(
    `select c.oid::regclass::text as name, sum(greatest(p.reltuples, 0))::float8 * case when min(p.reltuples) < 0 then -1 else 1 end as rows,
       sum(pg_total_relation_size(p.oid))::float8 as bytes
     from pg_class c cross join lateral (
       select l.oid, l.reltuples from pg_class l where l.oid = c.oid and c.relkind = 'r' union all
       select l.oid, l.reltuples from pg_partition_tree(c.oid) t join pg_class l on l.oid = t.relid where c.relkind = 'p' and t.isleaf) p
     where c.relkind in ('r', 'p') group by c.oid`,
  )
  return new Map(rows.map(({ name, rows: count, bytes }) => [name, { rows: count < 0 ? null : count, bytes }]))
}
