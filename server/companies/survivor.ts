import { sql, type RawBuilder } from 'kysely'

/**
 * SQL for the id of a company, or of the one into which it was merged. Use it wherever a request names a company. A subquery, because
 * row-level security keeps a comparison with `coalesce` itself from using an index.
 */
export const presentCompany = (id: string | RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`(select coalesce((select * from survivor_of_company(${id}::uuid)), ${id}::uuid))`

/** SQL for an array of such ids. */
export const presentCompanies = (ids: readonly string[]): RawBuilder<string[]> =>
  sql<string[]>`array(select ${presentCompany(sql`given.id`)} from unnest(${ids}::uuid[]) as given (id))`
