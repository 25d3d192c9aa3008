import type { PoolClient } from 'pg'

/** The effect of a migration on a table that existed before it. */
export interface TableEffect {
  /** The schema-qualified name, or the name alone in the schema `public`. */
  readonly table: string
  /** The strongest lock, as PostgreSQL names it, such as `AccessExclusiveLock`. */
  readonly lock: string
  /** Whether all rows are read: to build an index, to check a constraint, or by a statement. */
  readonly readsRows: boolean
  /** Whether the table is written again. */
  readonly rewritten: boolean
}

/** The locks of tables from weak to strong (PostgreSQL documentation, section 13.3.1). */
const locks = [
  'AccessShareLock',
  'RowShareLock',
  'RowExclusiveLock',
  'ShareUpdateExclusiveLock',
  'ShareLock',
  'ShareRowExclusiveLock',
  'ExclusiveLock',
  'AccessExclusiveLock',
]
const strength = (lock: string): number => locks.indexOf(lock)

const ownSchemas = `n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast', 'pgboss')`

interface TableState {
  /** The storage. A table that is written again has another one. */
  readonly file: number | null
  /** Scans of all rows that PostgreSQL counts for this connection and has not yet added to its statistics. */
  readonly scans: number
}

async function readTables(client: Pick<PoolClient, 'query'>): Promise<ReadonlyMap<string, TableState>> {
  const { rows } = await client.query<TableState & { name: string }>(
    `select c.oid::regclass::text as name, pg_relation_filenode(c.oid) as file, pg_stat_get_xact_numscans(c.oid)::float8 as scans
     from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p') and ${ownSchemas}`,
  )
  return new Map(rows.map(({ name, ...state }) => [name, state]))
}

/** Runs statements in an open transaction. Returns their effects, as PostgreSQL reports them, on tables that existed before. */
export async function effectsOf(client: Pick<PoolClient, 'query'>, run: () => Promise<void>): Promise<TableEffect[]> {
  const before = await readTables(client)
  await run()
  const after = await readTables(client)
  const { rows } = await client.query<{ table: string; locks: string[] }>(
    `select c.oid::regclass::text as table, array_agg(distinct l.mode) as locks
     from pg_locks l join pg_class c on c.oid = l.relation join pg_namespace n on n.oid = c.relnamespace
     where l.locktype = 'relation' and l.pid = pg_backend_pid() and l.granted and c.relkind in ('r', 'p') and ${ownSchemas}
     group by c.oid order by 1`,
  )
  return rows.flatMap(({ table, locks: taken }) => {
    const [former, present] = [before.get(table), after.get(table)]
    if (former === undefined || present === undefined || table === 'migration') return []
    const [lock = ''] = taken.toSorted((one, other) => strength(other) - strength(one))
    return [{ table, lock, readsRows: present.scans > former.scans, rewritten: present.file !== former.file }]
  })
}

/** Returns what a running program would wait for; null if it waits for the lock alone, or for nothing. */
export function blockedBy({ lock, readsRows, rewritten }: TableEffect): string | null {
  if (strength(lock) < strength('RowExclusiveLock') || !(readsRows || rewritten)) return null
  const work = rewritten ? 'the table is written again' : 'all rows are read'
  if (lock === 'AccessExclusiveLock') return `requests wait while ${work}`
  if (strength(lock) >= strength('ShareLock')) return `writes wait while ${work}`
  return strength(lock) === strength('RowExclusiveLock') ? `writes of the changed rows wait while ${work}` : null
}
