import type { Pool, PoolClient } from 'pg'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { ownerQuery } from '../db/owner-query.ts'
import { ownerTransaction } from '../db/owner-transaction.ts'
import type { Storage } from '../storage/storage.ts'
import { auditByOperator } from './audit.ts'
import { organizationTables, type OrganizationTable } from './organization-tables.ts'

export interface DeletionTools {
  readonly storage: Pick<Storage, 'deleteOrganization'>
  /** Folder of messages that are written as files. */
  readonly mailFolder: string
  readonly now: () => Date
  /** Called after each batch with the number of deleted rows so far. */
  readonly onProgress?: (rows: number) => void
}

export interface DeletedOrganization {
  readonly rows: number
  readonly files: number
  readonly users: number
}

/** Rows per transaction. Deleting 500 chunks takes the embedded engine 50 ms on a busy machine, in which no other statement runs. */
const rowsPerBatch = 500

/**
 * Duration of the pause after a batch, as a multiple of that of the batch: the deletion takes a third of a processor. With 1, the 95th
 * percentile of the searches of others was 1.14 and 1.53 times as long on two cores; without pauses, 2.5 times.
 */
const pausePerBatch = 2

/**
 * Rows that are looked up at a time. Each look-up passes the index entries of all rows that were deleted before and not vacuumed yet, so
 * one for each batch would take most of the time of a table with millions of rows.
 */
const rowsPerLookup = 20_000

/**
 * Deletes an organization with its rows in all tables, its files, and the users without another organization. From the first
 * transaction on, nobody can reach it. Its rows are deleted in batches, so that requests of other organizations run in between.
 * A deletion that was interrupted continues at the next call.
 */
export async function deleteOrganization(pool: Pool, organizationId: string, tools: DeletionTools): Promise<DeletedOrganization> {
  const tables = await organizationTables(ownerQuery(pool))
  const { users, rows: first } = await ownerTransaction(pool, (client) => makeUnreachable(client, organizationId, tools.now()))
  await deleteMailFiles(pool, organizationId, tools.mailFolder)
  let rows = first
  const deleteRows = async (): Promise<void> => {
    for (const table of tables)
      for await (const deleted of deleteInBatches(pool, table, organizationId)) {
        rows += deleted
        tools.onProgress?.(rows)
      }
  }
  let files = 0
  do {
    await deleteRows()
    files += await tools.storage.deleteOrganization(organizationId)
    // A job that was running may have added rows behind the tables that are already empty.
  } while (!(await ownerTransaction(pool, (client) => deleteIfEmpty(client, tables, organizationId))))
  await deleteRows()
  files += await tools.storage.deleteOrganization(organizationId)
  return { rows, files, users }
}

/** Deletes all that gives access to the organization, and its jobs. Programs then drop what they hold in memory. */
async function makeUnreachable(client: PoolClient, organizationId: string, now: Date): Promise<{ users: number; rows: number }> {
  const of = [organizationId]
  const count = async (text: string, values: unknown[] = of): Promise<number> => (await client.query(text, values)).rowCount ?? 0
  const started = await count('update organization set deletion_started_at = $2 where id = $1 and deletion_started_at is null', [
    organizationId,
    now,
  ])
  if (started > 0) await auditByOperator(client, organizationId, now, { action: 'organization.deleted', target: `org_${organizationId}` })
  let rows = await count('delete from api_token where organization_id = $1')
  rows += await count('delete from invitation where organization_id = $1')
  // Locked, so that of two deletions at once, the later one sees that the user has no other organization left.
  const members = await client.query<{ id: string }>(
    `select id from identity."user" where id in (select user_id from membership where organization_id = $1) order by id for update`,
    of,
  )
  rows += await count('delete from membership where organization_id = $1')
  const ids = [members.rows.map(({ id }) => id)]
  const users = await count(
    `delete from identity."user" u where id = any($1) and not exists (select from membership m where m.user_id = u.id)`,
    ids,
  )
  await count(
    `delete from identity.verification v where value = any($1::text[]) and not exists (
    select from identity."user" u where u.id::text = v.value)`,
    ids,
  )
  await count(
    `update webhook_endpoint set enabled = false, disabled_at = $2, disabled_reason = 'manual' where organization_id = $1 and enabled`,
    [organizationId, now],
  )
  await deleteJobs(client, organizationId)
  await client.query(`select pg_notify('groundwork_organizations', $1)`, of)
  return { users, rows }
}

/** Before the first start of the program, there are no queues. */
async function deleteJobs(client: PoolClient, organizationId: string): Promise<void> {
  const { rows } = await client.query<{ queues: boolean }>(`select to_regclass('pgboss.job') is not null as queues`)
  if (rows[0]?.queues === true) await client.query(`delete from pgboss.job where data ->> 'organizationId' = $1`, [organizationId])
}

/** Deletes the rows of a table. Yields the number of rows of each batch, in a transaction of its own. */
async function* deleteInBatches(pool: Pool, table: OrganizationTable, organizationId: string): AsyncGenerator<number> {
  for (;;) {
    const found = await ownerTransaction(pool, (client) => findRows(client, table, organizationId))
    if (found.length === 0) break
    for (let from = 0; from < found.length; from += rowsPerBatch) {
      const began = performance.now()
      const batch = found.slice(from, from + rowsPerBatch)
      yield await ownerTransaction(pool, (client) => deleteRowsAt(client, table, organizationId, batch))
      await setTimeout(pausePerBatch * (performance.now() - began))
    }
  }
  if (table.selfReferences.length === 0) return
  // Rows that refer to each other can only be deleted together.
  const together = `delete from ${table.name} where organization_id = $1`
  const deleted = await ownerTransaction(pool, async (client) => (await client.query(together, [organizationId])).rowCount ?? 0)
  if (deleted > 0) yield deleted
}

/** Returns the places of rows of the organization to which no other row of the table refers. */
async function findRows(client: PoolClient, table: OrganizationTable, organizationId: string): Promise<string[]> {
  // Reads the rows by an index. A plan that reads the whole table would pass the rows of all organizations.
  await client.query('set local enable_seqscan = off')
  const { rows } = await client.query<{ place: string }>(
    `select t.ctid::text as place from ${table.name} t where t.organization_id = $1${unreferenced(table)} limit ${rowsPerLookup}`,
    [organizationId],
  )
  return rows.map(({ place }) => place)
}

/** Deletes rows at these places. A place may have another row of the organization by now, or none. */
async function deleteRowsAt(
  client: PoolClient,
  table: OrganizationTable,
  organizationId: string,
  places: readonly string[],
): Promise<number> {
  const deletion = `delete from ${table.name} t where t.organization_id = $1 and t.ctid = any($2::tid[])${unreferenced(table)}`
  return (await client.query(deletion, [organizationId, places])).rowCount ?? 0
}

const unreferenced = ({ name, selfReferences }: OrganizationTable): string =>
  selfReferences.map((same) => ` and not exists (select from ${name} r where ${same} and r.ctid <> t.ctid)`).join('')

/** Deletes the organization itself unless a table has rows of it. The lock keeps transactions from adding rows with a reference. */
async function deleteIfEmpty(client: PoolClient, tables: readonly OrganizationTable[], organizationId: string): Promise<boolean> {
  await client.query('select from organization where id = $1 for update', [organizationId])
  const anyRow = tables.map(({ name }) => `exists (select from ${name} where organization_id = $1)`).join(' or ')
  const { rows } = await client.query<{ any: boolean }>(`select ${anyRow} as any`, [organizationId])
  if (rows[0]?.any !== false) return false
  await deleteJobs(client, organizationId)
  await client.query('delete from organization where id = $1', [organizationId])
  await client.query(`select pg_notify('groundwork_organizations', $1)`, [organizationId])
  return true
}

async function deleteMailFiles(pool: Pool, organizationId: string, folder: string): Promise<void> {
  const { rows } = await pool.query<{ id: string }>('select id from mail where organization_id = $1', [organizationId])
  for (const { id } of rows) await rm(join(folder, `${id}.eml`), { force: true })
}
