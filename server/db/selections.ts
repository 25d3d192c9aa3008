import type { Pool, PoolClient, QueryResultRow } from 'pg'
import type { Duplex } from 'node:stream'
import { selectScoped, type ScopedStatement } from './scoped-query.ts'

/** Statements that share a connection at most: they are answered one after the other. */
const most = 8

export interface SelectionsOptions {
  /** Whether a connection that answered so must not be used again. */
  unusable: (error: unknown) => boolean
}

interface Asked {
  readonly organizationId: string
  readonly statement: ScopedStatement
  resolve: (rows: QueryResultRow[]) => void
  reject: (error: unknown) => void
}

/**
 * Single statements, each in a transaction of its own. Those that are asked for at the same moment travel together:
 * in one write, on one connection, where each ends before the next begins.
 */
export function selections(
  pool: Pool,
  { unusable }: SelectionsOptions,
): (organizationId: string, statement: ScopedStatement) => Promise<QueryResultRow[]> {
  let waiting: Asked[] = []

  function begin(): void {
    const all = waiting
    waiting = []
    for (let at = 0; at < all.length; at += most) void run(all.slice(at, at + most))
  }

  async function run(some: readonly Asked[]): Promise<void> {
    const client = await pool.connect().catch((error: unknown) => some.forEach(({ reject }) => reject(error)))
    if (client === undefined) return
    const { stream } = connectionOf(client)
    stream.cork()
    const answers = some.map(({ organizationId, statement, resolve, reject }) => {
      const rows = selectScoped(client, organizationId, statement)
      rows.then(resolve, reject)
      return rows
    })
    stream.uncork()
    const settled = await Promise.allSettled(answers)
    client.release(settled.some((answer) => answer.status === 'rejected' && unusable(answer.reason)))
  }

  return (organizationId, statement) =>
    new Promise((resolve, reject) => {
      waiting.push({ organizationId, statement, resolve, reject })
      if (waiting.length === 1) setImmediate(begin)
    })
}

/** `pg` gives every client the connection that it writes to, and leaves it out of its types. */
const connectionOf = (client: PoolClient): { stream: Duplex } => (client as unknown as { connection: { stream: Duplex } }).connection
