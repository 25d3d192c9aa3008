import pg from 'pg'
import { MaintenanceClient } from '../db/embedded/maintenance.ts'
import type { Scope, ScopedOptions } from '../db/scoped-query.ts'

/** A statement sent by a client of this process. */
export interface Sent {
  /** The connection that sent it. */
  client: pg.Client
  text: string
  /** The scope sent with it: alone, or as the first statement of a transaction. */
  scope: Scope | undefined
  /** Whether it opens a transaction. */
  begins: boolean
}

/** Returns the statements that this process sends while `fn` runs, in order. Nothing else may run concurrently. */
export async function statementsOf(fn: () => Promise<unknown>): Promise<Sent[]> {
  const sent: Sent[] = []
  const stop = onStatement((statement) => sent.push(statement))
  await fn().finally(stop)
  return sent
}

/** A query passed to `pg`. The last two properties are set for queries of `db/scoped-query.ts`. */
interface Query {
  text: unknown
  scope: Scope
  options: ScopedOptions
}

/**
 * Calls `listener` with every statement before it is sent, until the returned function is called. The maintenance of the
 * embedded engine sends statements at any time; they are left out.
 */
export function onStatement(listener: (statement: Sent) => void): () => void {
  const original = Reflect.get(pg.Client.prototype, 'query') as (...parameters: unknown[]) => unknown
  function query(this: pg.Client, ...parameters: unknown[]): unknown {
    const [config] = parameters
    const { text, scope, options } = (typeof config === 'string' ? { text: config } : config) as Partial<Query>
    if (typeof text === 'string' && !(this instanceof MaintenanceClient))
      listener({ client: this, text, scope, begins: options?.begin !== undefined })
    return original.apply(this, parameters)
  }
  Reflect.set(pg.Client.prototype, 'query', query)
  return () => Reflect.set(pg.Client.prototype, 'query', original)
}
