import { wireId } from '@groundwork/api'
import type { OwnerQuery } from '../db/owner-query.ts'
import { UsageError } from '../lib/usage-error.ts'
import { organizationNamed } from '../organizations/organizations.ts'

/** An organization as the operator sees it. */
export interface ListedOrganization {
  /** With the prefix `org_`. */
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly createdAt: string
  /** Null unless a deletion was started and has not ended. */
  readonly deletionStartedAt: string | null
  /** Whether an import was started and has not ended. `deletionStartedAt` is then its start. */
  readonly isImporting: boolean
  readonly members: number
  /** Active API tokens. */
  readonly tokens: number
  readonly bases: number
  readonly sources: number
  readonly chunks: number
  /** Bytes of all uploads, also of those that no source uses. */
  readonly uploadedBytes: number
}

export interface ShownOrganization extends ListedOrganization {
  readonly users: readonly { readonly email: string; readonly role: string }[]
}

type Row = Omit<ListedOrganization, 'id' | 'createdAt' | 'deletionStartedAt'> & {
  id: string
  createdAt: Date
  deletionStartedAt: Date | null
}

const columns = `o.id, o.name, o.slug, o.created_at as "createdAt", o.deletion_started_at as "deletionStartedAt",
  o.import_id is not null as "isImporting",
  (select count(*) from membership where organization_id = o.id)::integer as members,
  (select count(*) from api_token where organization_id = o.id and revoked_at is null
    and (expires_at is null or expires_at > now()))::integer as tokens,
  (select count(*) from base where organization_id = o.id)::integer as bases,
  (select count(*) from source where organization_id = o.id)::integer as sources,
  (select coalesce(sum(chunks_count), 0) from source where organization_id = o.id)::float8 as chunks,
  (select coalesce(sum(size_bytes), 0) from upload where organization_id = o.id and received_at is not null)::float8 as "uploadedBytes"`

const listed = ({ id, createdAt, deletionStartedAt, ...row }: Row): ListedOrganization => ({
  id: wireId('org', id),
  createdAt: createdAt.toISOString(),
  deletionStartedAt: deletionStartedAt?.toISOString() ?? null,
  ...row,
})

/** Returns all organizations by name. */
export async function listOrganizations(query: OwnerQuery): Promise<ListedOrganization[]> {
  return (await query<Row>(`select ${columns} from organization o order by o.name, o.id`)).map(listed)
}

/** Returns an organization with its users. */
export async function showOrganization(query: OwnerQuery, organizationId: string): Promise<ShownOrganization> {
  const [row] = await query<Row>(`select ${columns} from organization o where o.id = $1`, [organizationId])
  if (row === undefined) throw new Error('The organization has been deleted.')
  const users = await query<{ email: string; role: string }>(
    `select u.email, m.role from membership m join identity."user" u on u.id = m.user_id where m.organization_id = $1 order by u.email`,
    [organizationId],
  )
  return { ...listed(row), users }
}

/**
 * Returns the id, without its prefix, of the organization with this name, slug or id.
 * @throws UsageError if there is none, or several have the name
 */
export async function findOrganization(query: OwnerQuery, name: string): Promise<string> {
  const id = await organizationNamed(query, name, { includesDeleted: true })
  if (id === undefined) throw new UsageError(`There is no organization named ${name}.`)
  return id
}
