import { channels, type Channel, type ConsentState } from '@groundwork/api'
import { authorOf } from '../audit/entry.ts'
import type { Context } from '../context.ts'
import type { ContactRow } from '../contacts/record.ts'
import type { Transaction } from '../db/schema.ts'
import { newId } from '../lib/ids.ts'

type Consent = ContactRow['consent']

const stateOf = (consent: Consent, channel: Channel): ConsentState => consent?.[channel] ?? 'unknown'

/**
 * Adds a refusal to the history of a contact for each channel that one of the merged contacts refuses and the joined history does
 * not. Returns the ids of the entries.
 * @param joined the consent that the joined history gives
 */
export async function addRefusals(
  ctx: Context,
  trx: Transaction,
  contactId: string,
  { joined, of }: { joined: Consent; of: readonly Consent[] },
): Promise<string[]> {
  const now = ctx.now()
  const refused = channels.filter(
    (channel) => stateOf(joined, channel) !== 'denied' && of.some((consent) => stateOf(consent, channel) === 'denied'),
  )
  if (refused.length === 0) return []
  const author = authorOf(ctx)
  const latest = await trx
    .selectFrom('consent_change')
    .select(({ fn }) => fn.max('at').as('at'))
    .where('contact_id', '=', contactId)
    .executeTakeFirstOrThrow()
  // Entries of clients with a fast clock can be later than the present.
  const at = new Date(Math.max(now.getTime(), latest.at.getTime()))
  const ids = refused.map(() => newId(now.getTime()))
  await trx
    .insertInto('consent_change')
    .values(
      refused.map((channel, index) => ({
        organization_id: ctx.organizationId,
        id: ids[index] ?? newId(),
        contact_id: contactId,
        channel,
        state: 'denied' as const,
        at,
        source: 'merge of contacts',
        wording: null,
        actor_type: author.type,
        actor_id: author.id,
        created_at: now,
      })),
    )
    .execute()
  return ids
}
