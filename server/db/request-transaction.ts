import type { Database } from './database.ts'
import { beginPart } from './deferred.ts'
import type { Transaction } from './schema.ts'
import type { TransactionOptions } from './transaction.ts'

/** Several transactions of one organization as parts of a single one: kept together, or not at all. */
export interface RequestTransaction {
  /** The same database; each of its transactions becomes a part, which is undone alone when it throws. */
  readonly db: Database
  /** Commits the parts; does nothing without any. */
  commit(): Promise<void>
  rollback(): Promise<void>
}

export interface RequestTransactionOptions {
  /** Fails with 40001 when it changes a row that was changed since its first statement. */
  repeatableRead: boolean
  /**
   * Runs before the first part, and is not undone with it. When it throws, so does every part. Without it, the first part must only
   * read: it is not undone alone.
   */
  first?: ((trx: Transaction) => Promise<void>) | undefined
}

/**
 * The transaction begins with its first part, so that earlier work of the request holds no connection. From then on nothing may
 * wait for another connection: the embedded engine has one.
 */
export function openRequestTransaction(
  db: Database,
  organizationId: string,
  { repeatableRead, first }: RequestTransactionOptions,
): RequestTransaction {
  let opening: Promise<Opened> | undefined
  let last: Promise<unknown> = Promise.resolve()

  const open = async (): Promise<Opened> => {
    const opened = await hold(db, organizationId, { repeatableRead, runsOnce: true })
    try {
      await first?.(opened.trx)
      return opened
    } catch (error) {
      await opened.rollback()
      throw error
    }
  }

  const transaction = <T>(asked: string, fn: (trx: Transaction) => Promise<T>): Promise<T> => {
    if (asked !== organizationId) throw new Error('a joined transaction is of one organization')
    const done = last.then(async () => {
      const isFirst = opening === undefined
      opening ??= open()
      const { trx } = await opening
      // A savepoint before all other statements would be an exchange of its own.
      return isFirst && first === undefined ? fn(trx) : part(trx, fn)
    })
    // Parts take turns; the next one runs whether this one fails or not, and the caller of this one receives its error.
    last = done.catch(() => undefined)
    return done
  }

  return {
    db: {
      ...db,
      transaction,
      reads: null,
      select: (asked, build) => transaction(asked, async (trx) => (await trx.executeQuery(build(trx).compile())).rows),
    },
    commit: async () => (await opening)?.commit(),
    // A transaction that could not be opened has nothing to roll back, and its parts have received the error.
    rollback: async () => (await opening?.catch(() => undefined))?.rollback(),
  }
}

interface Opened {
  trx: Transaction
  commit: () => Promise<void>
  rollback: () => Promise<void>
}

/** Opens a transaction that stays open until `commit` or `rollback` is called. */
function hold(db: Database, organizationId: string, options: TransactionOptions): Promise<Opened> {
  return new Promise((opened, failed) => {
    const ending = db.transaction(
      organizationId,
      (trx) =>
        new Promise<void>((keep, giveUp) => {
          opened({
            trx,
            commit: () => {
              keep()
              return ending
            },
            rollback: () => {
              giveUp(new Error('rolled back'))
              // Rejects with the error above, and with no other: a connection that cannot roll back is closed.
              return ending.catch(() => undefined)
            },
          })
        }),
      options,
    )
    ending.catch(failed)
  })
}

async function part<T>(trx: Transaction, fn: (trx: Transaction) => Promise<T>): Promise<T> {
  const savepoint = await beginPart(trx)
  try {
    const result = await fn(trx)
    savepoint.release()
    return result
  } catch (error) {
    savepoint.rollBack()
    throw error
  }
}
