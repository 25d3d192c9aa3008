import type { Pool, PoolClient, QueryConfig, QueryResultRow } from 'pg'
import { tracedStatement } from '../lib/tracing.ts'
import { breaksConnection } from './connection-error.ts'
import { inOneWrite } from './pg-wire.ts'
import { lostOr } from './pool.ts'
import { askScoped, type Scope } from './scoped-query.ts'
import type { StatementNames } from './statement-names.ts'

/** Maximum number of statements in one write: they are answered one after the other. */
const maxTogether = 8

export interface Selection {
  readonly scope: Scope
  readonly statement: QueryConfig
  /** Applies to statements with a name: others are planned each time. */
  readonly plannedOnce: boolean
}

interface Waiting extends Selection {
  readonly attemptsLeft: number
  resolve: (rows: QueryResultRow[]) => void
  reject: (error: unknown) => void
}

/**
 * Returns a function that runs single statements, each as a transaction of its own. Statements asked for at the same
 * moment travel together: in one write, on one connection, where each ends before the next begins.
 */
export function selections(pool: Pool, names: StatementNames): (selection: Selection) => Promise<QueryResultRow[]> {
  let waiting: Waiting[] = []

  function add(selection: Waiting): void {
    waiting.push(selection)
    if (waiting.length === 1) setImmediate(begin)
  }

  function begin(): void {
    const all = waiting
    waiting = []
    for (let at = 0; at < all.length; at += maxTogether) void run(all.slice(at, at + maxTogether))
  }

  async function run(some: readonly Waiting[]): Promise<void> {
    let client: PoolClient
    try {
      client = await pool.connect()
    } catch (error) {
      return some.forEach(({ reject }) => reject(error))
    }
    names.tidy(client)
    const answers = inOneWrite(client, () => some.map((selection) => answer(client, selection)))
    const errors = await Promise.all(answers)
    client.release(errors.some(breaksConnection))
  }

  /** Never rejects: returns the error that the selection received. */
  async function answer(client: PoolClient, selection: Waiting): Promise<unknown> {
    const { scope, statement, plannedOnce, attemptsLeft, resolve, reject } = selection
    const query = askScoped(client, scope, statement, {
      scopedBy: plannedOnce && statement.name !== undefined ? 'scope_planned_once' : 'scope',
    })
    try {
      resolve((await query.result).rows)
      return undefined
    } catch (error) {
      // The statement has not run, and this connection will be closed: it can run on another one.
      if (query.isStale(error) && attemptsLeft > 0) add({ ...selection, attemptsLeft: attemptsLeft - 1 })
      else reject(lostOr(client, error))
      return error
    }
  }

  return (selection) =>
    tracedStatement(
      selection.statement.text,
      () => new Promise((resolve, reject) => add({ ...selection, attemptsLeft: pool.options.max, resolve, reject })),
    )
}
