import { sql } from 'kysely'
import { outsideRequestTransaction, withTransaction, type Context } from '../../context.ts'
import type { Transaction } from '../../db/schema.ts'
import { likePattern } from '../../lib/like.ts'
import type { PersonalTerms } from '../../lib/personal-terms.ts'
import type { RetrievalLog } from './log.ts'

/** Returns functions that delete logged searches about a person. */
export const erasableSearches = (retrievals: Pick<RetrievalLog, 'flush'>) => ({
  erase: eraseSearchesWith,
  async eraseUnwritten(ctx: Context, terms: PersonalTerms): Promise<void> {
    try {
      await retrievals.flush()
      await withTransaction(outsideRequestTransaction(ctx), (trx) => eraseSearchesWith(trx, terms))
    } catch (error) {
      ctx.log.error({ err: error }, 'searches about an erased contact may still be in the search log')
    }
  },
})

/** Deletes the logged searches with any of the terms. Returns their number. */
async function eraseSearchesWith(trx: Transaction, { texts, numbers }: PersonalTerms): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from retrieval
    where regexp_replace(lower(query), '\\s+', ' ', 'g') like any (${texts.map(likePattern)}::text[])
      or regexp_replace(query, '\\D', '', 'g') like any (${numbers.map(likePattern)}::text[])`.execute(trx)
  return Number(numAffectedRows ?? 0)
}
