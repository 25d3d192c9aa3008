import { wireId, type ExportedSearch } from '@groundwork/api'
import { sql } from 'kysely'
import { outsideRequestTransaction, withTransaction, type Context } from '../../context.ts'
import { namesPerson } from '../../db/names-person.ts'
import type { Transaction } from '../../db/schema.ts'
import type { PersonalTerms } from '../../lib/personal-terms.ts'
import type { RetrievalLog } from './log.ts'

/** Returns functions that find and delete logged searches about a person. */
export const erasableSearches = (retrievals: Pick<RetrievalLog, 'flush'>) => ({
  async find(ctx: Context, terms: PersonalTerms): Promise<ExportedSearch[]> {
    await retrievals.flush()
    const rows = await withTransaction(ctx, (trx) =>
      trx
        .selectFrom('retrieval')
        .select(['id', 'base_id', 'query', 'created_at'])
        .where(about(terms))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute(),
    )
    return rows.map((row) => ({
      id: wireId('ret', row.id),
      baseId: wireId('kb', row.base_id),
      query: row.query,
      createdAt: row.created_at.toISOString(),
    }))
  },
  erase: eraseSearches,
  async eraseUnwritten(ctx: Context, terms: PersonalTerms): Promise<void> {
    try {
      await retrievals.flush()
      await withTransaction(outsideRequestTransaction(ctx), (trx) => eraseSearches(trx, terms))
    } catch (error) {
      ctx.log.error({ err: error }, 'searches about an erased contact may still be in the search log')
    }
  },
})

const about = (terms: PersonalTerms) => namesPerson(sql`query`, terms)

/** Deletes the logged searches with any of the terms. Returns their number. */
async function eraseSearches(trx: Transaction, terms: PersonalTerms): Promise<number> {
  const { numDeletedRows } = await trx.deleteFrom('retrieval').where(about(terms)).executeTakeFirst()
  return Number(numDeletedRows)
}
