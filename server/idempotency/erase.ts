import { sql } from 'kysely'
import { namesPerson } from '../db/names-person.ts'
import type { Transaction } from '../db/schema.ts'
import type { PersonalTerms } from '../lib/personal-terms.ts'
import { AppError } from '../lib/errors.ts'
import { readOutcome, type SealedContext } from './answers.ts'

/** Stored responses that are decrypted together. A response can have 500 contacts. */
const batchSize = 50

/**
 * Erases the stored responses that name a person, and those that can no longer be decrypted. Their keys remain, so that no request has
 * its effect twice. Returns the number of responses.
 */
export async function eraseAnswers(ctx: SealedContext, trx: Transaction, terms: PersonalTerms): Promise<number> {
  let erased = 0
  for (let after = ''; ;) {
    const rows = await trx
      .selectFrom('idempotency_answer')
      .select(['key', 'answer'])
      .where('key', '>', after)
      .where(sql<boolean>`answer <> ''`)
      .orderBy('key')
      .limit(batchSize)
      .execute()
    const last = rows.at(-1)
    if (last === undefined) return erased
    const texts = rows.map((row) => textOf(ctx, row))
    const { numUpdatedRows } = await trx
      .updateTable('idempotency_answer')
      .set({ answer: Buffer.alloc(0), record_ids: null })
      .where(
        sql<boolean>`key in (
          select given.key from unnest(${rows.map(({ key }) => key)}::text[], ${texts}::text[]) as given (key, answer)
          where answer is null or ${namesPerson(sql`given.answer`, terms)})`,
      )
      .executeTakeFirst()
    erased += Number(numUpdatedRows)
    after = last.key
  }
}

/** Returns the texts of a response, one in each line; null if it cannot be decrypted. PostgreSQL takes no null characters. */
function textOf(ctx: SealedContext, row: { key: string; answer: Buffer }): string | null {
  const texts: string[] = []
  try {
    JSON.stringify(readOutcome(ctx, row), (_, value: unknown) => {
      if (typeof value === 'string') texts.push(value.replaceAll('\0', ' '))
      return value
    })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return null
  }
  return texts.join('\n')
}
