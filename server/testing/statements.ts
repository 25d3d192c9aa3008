import pg from 'pg'

/** A statement as a client of this process sent it. */
export interface Sent {
  /** Which connection sent it. */
  client: pg.Client
  text: string
  /** It says itself whom it is for, and is a transaction of its own. */
  alone: boolean
}

/** What `fn` has this process send to its databases, in order. Everything else must rest meanwhile. */
export async function statementsOf(fn: () => Promise<unknown>): Promise<Sent[]> {
  const sent: Sent[] = []
  const stop = onStatement((statement) => sent.push(statement))
  await fn().finally(stop)
  return sent
}

/** Tells of every statement before it is sent, until the function it gives back is called. */
export function onStatement(tell: (statement: Sent) => void): () => void {
  const original = Reflect.get(pg.Client.prototype, 'query') as (...parameters: unknown[]) => unknown
  function query(this: pg.Client, ...parameters: unknown[]): unknown {
    const [config] = parameters
    const { text, submit } = (typeof config === 'string' ? { text: config } : config) as { text?: unknown; submit?: unknown }
    if (typeof text === 'string') tell({ client: this, text, alone: submit !== undefined })
    return original.apply(this, parameters)
  }
  Reflect.set(pg.Client.prototype, 'query', query)
  return () => Reflect.set(pg.Client.prototype, 'query', original)
}
