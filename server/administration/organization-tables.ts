import type { OwnerQuery } from '../db/owner-query.ts'

/** A table, or a partition of one, with rows of organizations. */
export interface OrganizationTable {
  /** Quoted, with its schema. */
  readonly name: string
  /** Conditions that row `r` refers to row `t` of the same table, one for each foreign key. */
  readonly selfReferences: readonly string[]
}

interface FoundTable extends OrganizationTable {
  /** Names of the tables with foreign keys to this one. */
  readonly referencedBy: readonly string[]
}

/**
 * Returns all tables with a column `organization_id`, read from the schema, so that none can be forgotten. Tables come before
 * those that they refer to.
 * @throws Error if foreign keys of several tables form a cycle
 */
export async function organizationTables(query: OwnerQuery): Promise<OrganizationTable[]> {
  const left = await query<FoundTable>(tablesQuery)
  const sorted: OrganizationTable[] = []
  while (left.length > 0) {
    const next = left.findIndex(({ referencedBy }) => !left.some(({ name }) => referencedBy.includes(name)))
    const [table] = left.splice(next, 1)
    if (next < 0 || table === undefined) throw new Error('The foreign keys of the tables of organizations form a cycle.')
    sorted.push(table)
  }
  return sorted
}

const tablesQuery = `
  select c.oid::regclass::text as name,
    array(select f.conrelid::regclass::text from pg_constraint f
      where f.contype = 'f' and f.confrelid = c.oid and f.conrelid <> c.oid) as "referencedBy",
    array(select (
        select string_agg(format('r.%I = t.%I', own.attname, other.attname), ' and ')
        from unnest(f.conkey, f.confkey) as pair (own, other)
        join pg_attribute own on own.attrelid = c.oid and own.attnum = pair.own
        join pg_attribute other on other.attrelid = c.oid and other.attnum = pair.other)
      from pg_constraint f where f.contype = 'f' and f.confrelid = c.oid and f.conrelid = c.oid) as "selfReferences"
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped
  where c.relkind = 'r'
  order by c.oid`
