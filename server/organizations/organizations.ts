import type { Pool } from 'pg'
import { ownerTransaction } from '../db/owner-transaction.ts'
import { newId } from '../lib/ids.ts'

/**
 * The organization of that name, made when there is none; two calls at once make one.
 * For the command line: it works across organizations, with the owner's connection.
 * @returns its id
 */
export function ensureOrganization(pool: Pool, name: string, now: Date): Promise<string> {
  return ownerTransaction(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock(hashtext($1))', [`organization:${name}`])
    const found = await client.query<{ id: string }>('select id from organization where name = $1 order by created_at', [name])
    if (found.rows.length > 1) throw new Error(`${found.rows.length} organizations are called ${name}`)
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
