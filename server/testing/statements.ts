import pg from 'pg'
import type { Scope, ScopedOptions } from '../db/scoped-query.ts'

/** A statement as a client of this process sent it. */
export interface Sent {
  /** Which connection sent it. */
  client: pg.Client
  text: string
  /** For whom it runs, where it travels with its scope: alone, or as the first of a transaction. */
  scope: Scope | undefined
  /** Whether it opens a transaction, which others follow. */
  begins: boolean
}

/** Returns what `fn` has this process send to its databases, in order. Nothing else may run meanwhile. */
export async function statementsOf(fn: () => Promise<unknown>): Promise<Sent[]> {
  const sent: Sent[] = []
  const stop = onStatement((statement) => sent.push(statement))
  await fn().finally(stop)
  return sent
}

/** What `pg` is asked to run; the last two where it is a query of `db/scoped-query.ts`. */
interface Query {
  text: unknown
  scope: Scope
  options: ScopedOptions
}

/** Calls `tell` with every statement before it is sent, until the returned function is called. */
export function onStatement(tell: (statement: Sent) => void): () => void {
  const original = Reflect.get(pg.Client.prototype, 'query') as (...parameters: unknown[]) => unknown
  function query(this: pg.Client, ...parameters: unknown[]): unknown {
    const [config] = parameters
    const { text, scope, options } = (typeof config === 'string' ? { text: config } : config) as Partial<Query>
    if (typeof text === 'string') tell({ client: this, text, scope, begins: options?.begin !== undefined })
    return original.apply(this, parameters)
  }
  Reflect.set(pg.Client.prototype, 'query', query)
  return () => Reflect.set(pg.Client.prototype, 'query', original)
}
