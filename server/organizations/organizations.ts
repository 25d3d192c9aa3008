import type { Pool } from 'pg'
import { ownerTransaction } from '../db/owner-transaction.ts'
import { newId } from '../lib/ids.ts'

/**
 * Returns the id of the organization with this name, and creates it if there is none. Concurrent calls create one. For the
 * command line: works across organizations, with the owner's connection.
 * @throws Error if several organizations have the name
 */
export function ensureOrganization(pool: Pool, name: string, now: Date): Promise<string> {
  return ownerTransaction(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock(hashtext($1))', [`organization:${name}`])
    const found = await client.query<{ id: string }>(
      'select id from organization where name = $1 and deletion_started_at is null order by created_at',
      [name],
    )
    if (found.rows.length > 1) throw new Error(`${found.rows.length} organizations are named ${name}`)
    const id = found.rows[0]?.id ?? newId(now.getTime())
    if (found.rows.length === 0) {
      await client.query('insert into organization (id, name, created_at) values ($1, $2, $3)', [id, name, now])
      await client.query(
        `insert into audit_entry (organization_id, created_at, id, action, actor_type, target_kind, target_id)
         values ($1, $2, $3, 'organization.created', 'command_line', 'org', $1)`,
        [id, now, newId(now.getTime())],
      )
    }
    return id
  })
}
