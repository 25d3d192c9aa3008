import type { Pool, PoolClient } from 'pg'

/**
 * Runs `fn` in one transaction as the owner of the schema, for which row-level security does not apply: commits when it returns,
 * rolls back when it throws.
 */
export async function ownerTransaction<T>(pool: Pool, fn: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken = false
  try {
    await client.query('begin')
    const result = await fn(client)
    await client.query('commit')
    return result
  } catch (error) {
    // A connection that cannot roll back is closed, which ends its transaction too.
    broken = await client.query('rollback').then(
      () => false,
      () => true,
    )
    throw error
  } finally {
    client.release(broken)
  }
}
