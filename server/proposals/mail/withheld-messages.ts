import { overviewEntries, wireId, withheldDays, type Overview } from '@groundwork/api'
import { select } from '../../context.ts'
import type { ProposalContext } from '../context.ts'

const dayMs = 86_400_000

/**
 * Returns the messages of the last days that were withheld because their recipient refuses email, newest first, except those that were
 * to send a proposal, which are in `undeliveredProposals`.
 */
export async function withheldMessages(ctx: ProposalContext): Promise<NonNullable<Overview['attention']['withheld']>> {
  const since = new Date(ctx.now().getTime() - withheldDays * dayMs)
  const rows = await select(ctx, (db) =>
    db
      .selectFrom('mail')
      .innerJoin('proposal', 'proposal.id', 'mail.proposal_id')
      .leftJoin('contact', 'contact.id', 'mail.contact_id')
      .select([
        'mail.id',
        'mail.kind',
        'mail.withheld',
        'mail.created_at',
        'proposal.id as proposal_id',
        'proposal.title',
        'proposal.number',
      ])
      .select(({ fn }) => fn.countAll<number>().over().as('count'))
      .where('mail.withheld', 'is not', null)
      .where('mail.created_at', '>=', since)
      .where('mail.kind', '<>', 'sent')
      .where('contact.deleted_at', 'is', null)
      .orderBy('mail.created_at', 'desc')
      .orderBy('mail.id', 'desc')
      .limit(overviewEntries),
  )
  const data = rows.map(({ id, kind, withheld, created_at, proposal_id, title, number }) => ({
    id: wireId('msg', id),
    kind,
    reason: withheld ?? '',
    proposalId: wireId('prp', proposal_id),
    number: number === null ? null : `P-${number}`,
    title,
    createdAt: created_at.toISOString(),
  }))
  return { count: rows[0]?.count ?? 0, data }
}
