import { wireId } from '@groundwork/api'
import type { Pool } from 'pg'
import { ownerQuery, type OwnerQuery } from '../db/owner-query.ts'
import { ownerTransaction } from '../db/owner-transaction.ts'
import { newId } from '../lib/ids.ts'
import { UsageError } from '../lib/usage-error.ts'

/**
 * Returns the id, without its prefix, of the organization with this name, slug or id, or else with one that differs only in case;
 * undefined if there is none. For the command line: works across organizations.
 * @throws UsageError if there are several
 */
export async function organizationNamed(
  query: OwnerQuery,
  name: string,
  { includesDeleted }: { includesDeleted: boolean },
): Promise<string | undefined> {
  const rows = await query<{ id: string; exact: boolean }>(
    `select id, name = $1 or slug = $1 or $1 in (id::text, 'org_' || id) as exact from organization
     where (lower($1) in (lower(name), slug, id::text, 'org_' || id)) and ($2 or deletion_started_at is null)
     order by created_at, id`,
    [name, includesDeleted],
  )
  const exact = rows.filter((row) => row.exact)
  const [first, ...others] = exact.length > 0 ? exact : rows
  if (first === undefined || others.length === 0) return first?.id
  const ids = [first, ...others].map(({ id }) => wireId('org', id))
  throw new UsageError(`${ids.length} organizations are named ${name}. Use one of their ids: ${ids.join(', ')}`)
}

const idPattern = /^(org_.*|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

/**
 * Returns the id of the organization with this name, slug or id, and creates it if there is none. Concurrent calls create one. For
 * the command line: works across organizations, with the owner's connection.
 * @throws UsageError if there are several, or the name is the id of none
 */
export function ensureOrganization(pool: Pool, name: string, now: Date): Promise<{ id: string; created: boolean }> {
  return ownerTransaction(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock(hashtext($1))', [`organization:${name.toLowerCase()}`])
    const found = await organizationNamed(ownerQuery(client), name, { includesDeleted: false })
    if (found !== undefined) return { id: found, created: false }
    if (idPattern.test(name)) throw new UsageError(`There is no organization with the id ${name}.`)
    const id = newId(now.getTime())
    await client.query('insert into organization (id, name, created_at) values ($1, $2, $3)', [id, name, now])
    await client.query(
      `insert into audit_entry (organization_id, created_at, id, action, actor_type, target_kind, target_id)
       values ($1, $2, $3, 'organization.created', 'command_line', 'org', $1)`,
      [id, now, newId(now.getTime())],
    )
    return { id, created: true }
  })
}
