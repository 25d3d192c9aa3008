import type { CompiledQuery } from 'kysely'
import type { Transaction } from './schema.ts'

/** Receives the rows of a deferred statement. */
export type OnRows = (rows: readonly unknown[]) => void

export interface DeferOptions {
  readonly onRows?: OnRows
  /** Whether an error that `onRows` throws must prevent the commit; then the statement is sent before it. */
  readonly isCheck?: boolean
  /** Whether the connection keeps the statement prepared, although it is raw SQL: its plan does not depend on its parameters. */
  readonly isReused?: boolean
}

/** A part of a transaction that can be undone alone. */
export interface Savepoint {
  release(): void
  /** Undoes the statements since the savepoint, and forgets those that were not sent yet. */
  rollBack(): void
}

/** An open transaction, beyond the statements that it answers. */
export interface OpenTransaction {
  defer(query: CompiledQuery, options?: DeferOptions): Promise<void>
  savepoint(): Promise<Savepoint>
  afterCommit(listener: () => void): void
}

const open = new WeakMap<Transaction, OpenTransaction>()

export function setOpenTransaction(trx: Transaction, transaction: OpenTransaction): void {
  open.set(trx, transaction)
}

function openTransaction(trx: Transaction): OpenTransaction {
  const transaction = open.get(trx)
  if (transaction === undefined) throw new Error('this is no open transaction')
  return transaction
}

/**
 * Sends a statement together with the next one of the transaction, or with its commit, so that it costs no round trip. Its error
 * rejects the transaction. For statements whose rows the transaction does not need and whose errors nobody handles. The embedded
 * engine answers such a group in one exchange between threads, which takes 20 ms and more on a busy machine.
 */
export const defer = (trx: Transaction, query: CompiledQuery, options?: DeferOptions): Promise<void> =>
  openTransaction(trx).defer(query, options)

/** Begins a part of the transaction; its statements are sent with others. */
export const beginPart = (trx: Transaction): Promise<Savepoint> => openTransaction(trx).savepoint()

/** Calls `listener` once the transaction has committed, unless its part was undone. */
export const afterCommit = (trx: Transaction, listener: () => void): void => openTransaction(trx).afterCommit(listener)
