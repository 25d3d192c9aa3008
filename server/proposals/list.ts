import type { ListProposals, Proposal } from '@groundwork/api'
import { sql } from 'kysely'
import { withTransaction } from '../context.ts'
import { newestFirst } from '../db/newest-first.ts'
import { pageOf } from '../lib/cursor.ts'
import { likePattern } from '../lib/like.ts'
import type { ProposalContext } from './context.ts'
import { recipientsColumn } from './recipients.ts'
import { toProposal } from './record.ts'

/**
 * Returns proposals, newest first.
 * @throws AppError `bad_request`, field `cursor`
 */
export function listProposals(ctx: ProposalContext, input: ListProposals): Promise<{ data: Proposal[]; nextCursor: string | null }> {
  return withTransaction(ctx, async (trx) => {
    let query = trx.selectFrom('proposal').selectAll().select(recipientsColumn)
    if (input.status !== undefined) query = query.where('status', '=', input.status)
    if (input.contactId !== undefined) query = query.where('contact_id', '=', input.contactId)
    if (input.q !== undefined)
      query = query.where(sql<boolean>`concat_ws(' ', 'P-' || number, title, message) ilike ${likePattern(input.q)}`)
    const { rows, nextCursor } = pageOf(await newestFirst(query, 'proposal', input).execute(), input.limit)
    return { data: rows.map((row) => toProposal(ctx, row)), nextCursor }
  })
}
