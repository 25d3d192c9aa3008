import { assertSameDatabase } from '../db/session-check.ts'

/** A finding that cannot be repaired automatically. */
export interface PoolerFinding {
  readonly check: 'pooler'
  readonly organizationId: null
  readonly subject: 'DATABASE_URL'
  readonly detail: string
}

/** Reports a pooler that cannot be reached, or that leads to another database than the address of the server itself. */
export async function checkPooler({ databaseUrl, directUrl }: { databaseUrl: string; directUrl: string }): Promise<PoolerFinding[]> {
  try {
    await assertSameDatabase(databaseUrl, directUrl)
    return []
  } catch (error) {
    const detail = `the pooler does not work: ${error instanceof Error ? error.message : String(error)}`
    return [{ check: 'pooler', organizationId: null, subject: 'DATABASE_URL', detail }]
  }
}
