import { onStatement } from './statements.ts'

/** Statements that were sent without waiting for an answer between them: one exchange with the thread of the embedded engine. */
export interface Exchange {
  readonly texts: string[]
  /** Milliseconds since the first exchange. */
  readonly atMs: number
}

/** A transaction, or a statement outside of one, with its exchanges in order. */
export type Exchanges = Exchange[]

/**
 * Returns the transactions that this process runs in the scope of an organization while `fn` runs.
 * @param organizationId Other organizations do not count. By default all count, and nothing else may run concurrently.
 */
export async function exchangesOf(fn: () => Promise<unknown>, organizationId?: string): Promise<Exchanges[]> {
  const transactions: Exchanges[] = []
  const open = new Map<unknown, Exchanges>()
  let current: Exchange | undefined
  const began = performance.now()
  const stop = onStatement(({ client, text, scope, begins }) => {
    let transaction = open.get(client)
    if (scope !== undefined) {
      if (organizationId !== undefined && scope.value !== organizationId) return
      transaction = []
      transactions.push(transaction)
      if (begins) open.set(client, transaction)
    }
    if (transaction === undefined) return
    const last = transaction.at(-1)
    if (current !== undefined && current === last) last.texts.push(text)
    else {
      current = { texts: [text], atMs: performance.now() - began }
      const sent = current
      transaction.push(sent)
      // After the microtasks that are under way; answers arrive later.
      process.nextTick(() => {
        if (current === sent) current = undefined
      })
    }
    if (text === 'commit' || text === 'rollback') open.delete(client)
  })
  await fn().finally(stop)
  return transactions
}

/** Returns the exchanges as lines, for people. */
export const linesOf = (transactions: readonly Exchanges[]): string =>
  transactions
    .map((exchanges, at) =>
      exchanges
        .map(({ texts, atMs }, n) =>
          texts
            .map((text, nth) => {
              const place = nth === 0 ? `${at + 1}.${n + 1}` : ''
              return `${place.padStart(5)} ${nth === 0 ? atMs.toFixed(1).padStart(7) : '       '} ${text.replaceAll(/\s+/g, ' ').slice(0, 110)}`
            })
            .join('\n'),
        )
        .join('\n'),
    )
    .join('\n')
