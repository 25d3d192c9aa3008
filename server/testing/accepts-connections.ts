import pg from 'pg'

/** Returns whether a PostgreSQL server or a pooler accepts connections now. */
export async function acceptsConnections(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => undefined) // Connecting rejects with the same error.
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  )
}
