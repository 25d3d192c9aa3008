import type { Pool } from 'pg'

/** Runs a statement as the owner of the schema, across organizations, and returns its rows. */
export type OwnerQuery = <Row>(text: string, values?: unknown[]) => Promise<Row[]>

export const ownerQuery =
  (pool: Pick<Pool, 'query'>): OwnerQuery =>
  async <Row>(text: string, values?: unknown[]) =>
    (await pool.query(text, values)).rows as Row[]
