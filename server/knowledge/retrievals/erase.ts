import { sql } from 'kysely'
import type { Transaction } from '../../db/schema.ts'
import { likePattern } from '../../lib/like.ts'
import type { PersonalTerms } from '../../lib/personal-terms.ts'

/** Deletes the logged searches with any of the terms. Returns their number. */
export async function eraseSearchesWith(trx: Transaction, { texts, numbers }: PersonalTerms): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from retrieval
    where regexp_replace(lower(query), '\\s+', ' ', 'g') like any (${texts.map(likePattern)}::text[])
      or regexp_replace(query, '\\D', '', 'g') like any (${numbers.map(likePattern)}::text[])`.execute(trx)
  return Number(numAffectedRows ?? 0)
}
