import { interactionTypes } from '@groundwork/api'
import { sql } from 'kysely'
import type { Transaction } from '../db/schema.ts'

export const isInteraction = (type: string): boolean => interactionTypes.some((each) => each === type)

/** Sets the time of the last interaction of a contact, which the transaction has locked, to that of its latest interaction. */
export async function refreshLastInteraction(trx: Transaction, contactId: string): Promise<void> {
  await trx
    .updateTable('contact')
    .set({
      last_interaction_at: sql`(select max(occurred_at) from activity where contact_id = ${contactId}::uuid
        and type = any (${interactionTypes}::text[]))`,
    })
    .where('id', '=', contactId)
    .execute()
}
