import type { Selectable } from 'kysely'
import type { Context } from '../../context.ts'
import type { OrganizationTable, Transaction } from '../../db/schema.ts'
import { membersIn } from '../../members/members.ts'
import type { ProposalRow } from '../record.ts'

/** Returns the id of the signed-in user who sends a proposal; null for an API token. */
export const senderOf = ({ actor }: Context): string | null => (actor?.kind === 'user' ? actor.userId : null)

/**
 * Returns the address for replies to messages about a proposal: of the member who sent it, or else the one in the organization's
 * profile. Returns undefined without either.
 */
export async function replyToOf(
  trx: Transaction,
  { sent_by }: ProposalRow,
  { reply_to }: Selectable<OrganizationTable>,
): Promise<string | undefined> {
  const sender = sent_by === null ? undefined : await membersIn(trx).where('member.id', '=', sent_by).executeTakeFirst()
  return sender?.email ?? reply_to ?? undefined
}
