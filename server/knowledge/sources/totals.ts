import type { Overview } from '@groundwork/api'
import { sql } from 'kysely'
import { select, type Context } from '../../context.ts'

/** Returns the totals of all knowledge bases. */
export async function sourceTotals(ctx: Context): Promise<NonNullable<Overview['totals']['sources']>> {
  const [totals] = await select(ctx, (db) =>
    db
      .selectFrom('source')
      .select(({ fn }) => [
        fn.countAll<number>().as('count'),
        fn.countAll<number>().filterWhere('status', '=', 'processing').as('processing'),
        fn.coalesce(fn.sum<number>('chunks_count'), sql<number>`0`).as('chunks'),
      ]),
  )
  return totals ?? { count: 0, processing: 0, chunks: 0 }
}
