import { sql, type RawBuilder } from 'kysely'
import { withTransaction, type Context } from '../context.ts'

/**
 * Returns the plan of a statement in the scope of the organization, as in a large database: tables are read by indexes and joined row by row,
 * if a condition can use an index.
 */
export const planOf = (ctx: Context, statement: RawBuilder<unknown>): Promise<string> =>
  withTransaction(ctx, async (trx) => {
    for (const way of ['seqscan', 'hashjoin', 'mergejoin', 'material']) await sql`set local ${sql.raw(`enable_${way}`)} = off`.execute(trx)
    const { rows } = await sql<Record<string, string>>`explain (costs off) ${statement}`.execute(trx)
    return rows.flatMap((row) => Object.values(row)).join('\n')
  })
