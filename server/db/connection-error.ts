import pg from 'pg'

/** SQLSTATE `connection_failure`: an HTTP request that ends with it answers 503. */
const connectionFailure = '08006'

/**
 * The database could not be reached, or a connection was lost before its answer arrived. In the second case the statement
 * may have run, so only the caller can decide whether to send it again.
 */
export class ConnectionError extends Error {
  readonly code = connectionFailure

  constructor(problem: string, cause: unknown) {
    // Without the cause itself: the log would print its message a second time.
    super(`${problem}: ${reasonOf(cause)}`)
    this.name = 'ConnectionError'
  }
}

/** An answer whose rows must not be used, because the server did not confirm the scope of the statement. */
export class ScopeError extends Error {
  constructor() {
    super('the server ran a statement without confirming its role and organization')
    this.name = 'ScopeError'
  }
}

/** Node leaves the message empty when it tried several addresses. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return cause.message === '' && 'code' in cause ? String(cause.code) : cause.message
}

/** connection_exception, feature_not_supported (a cached plan no longer fits its table), invalid_sql_statement_name, operator_intervention */
const unusableAfter = /^(?:08...|0A000|26000|57P0.)$/

/** Returns whether a connection that answered with this error must be closed instead of returned to the pool. */
export function breaksConnection(error: unknown): boolean {
  if (error instanceof ScopeError || error instanceof ConnectionError) return true
  return error instanceof pg.DatabaseError && (error.severity === 'FATAL' || unusableAfter.test(error.code ?? ''))
}
