import type { Pool, PoolClient } from 'pg'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
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
      for (;;) {
        const deleted = await ownerTransaction(pool, (client) => deleteBatch(client, table, organizationId))
        if (deleted === 0) break
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

/** @returns the number of deleted rows; 0 if the table has no rows of the organization */
async function deleteBatch(client: PoolClient, { name, selfReferences }: OrganizationTable, organizationId: string): Promise<number> {
  // A plan that reads the whole table would pass all deleted rows again in each batch.
  await client.query('set local enable_seqscan = off')
  const unreferenced = selfReferences.map((same) => ` and not exists (select from ${name} r where ${same} and r.ctid <> t.ctid)`).join('')
  const batch = `delete from ${name} where organization_id = $1 and ctid = any(array(
    select t.ctid from ${name} t where t.organization_id = $1${unreferenced} limit ${rowsPerBatch}))`
  const { rowCount } = await client.query(batch, [organizationId])
  if (rowCount !== 0 || selfReferences.length === 0) return rowCount ?? 0
  // Rows that refer to each other can only be deleted together.
  return (await client.query(`delete from ${name} where organization_id = $1`, [organizationId])).rowCount ?? 0
}

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
