import { wireId, type ListProposalViews, type ProposalView } from '@groundwork/api'
import { sql } from 'kysely'
import { withTransaction, type Context } from '../context.ts'
import { decodeCursor, pageOf } from '../lib/cursor.ts'
import { requireProposal } from './rows.ts'

/**
 * Lists who opened the page of a proposal, the latest first opening first.
 * @throws AppError `not_found`; `bad_request`, field `cursor`
 */
export function listViews(
  ctx: Context,
  proposalId: string,
  { kind, limit, cursor }: ListProposalViews,
): Promise<{ data: ProposalView[]; nextCursor: string | null }> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  return withTransaction(ctx, async (trx) => {
    await requireProposal(trx, proposalId)
    let query = trx
      .selectFrom('proposal_view as view')
      .innerJoin('proposal_recipient as recipient', 'recipient.id', 'view.recipient_id')
      .select(['view.id', 'view.recipient_id', 'view.kind', 'view.user_agent', 'view.openings', 'view.seen_at as created_at'])
      .select('view.last_seen_at')
      .where('recipient.proposal_id', '=', proposalId)
      .orderBy('view.seen_at', 'desc')
      .orderBy('view.id', 'desc')
      .limit(limit + 1)
    if (kind !== undefined) query = query.where('view.kind', '=', kind)
    if (after !== undefined) query = query.where(sql<boolean>`(view.seen_at, view.id) < (${after.createdAt}, ${after.id}::uuid)`)
    const { rows, nextCursor } = pageOf(await query.execute(), limit)
    const data = rows.map((row) => ({
      id: wireId('viw', row.id),
      recipientId: wireId('rcp', row.recipient_id),
      kind: row.kind,
      userAgent: row.user_agent,
      openings: row.openings,
      firstSeenAt: row.created_at.toISOString(),
      lastSeenAt: row.last_seen_at.toISOString(),
    }))
    return { data, nextCursor }
  })
}
