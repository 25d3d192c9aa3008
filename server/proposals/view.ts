import type { Proposal, ProposalView } from '@groundwork/api'
import { sql } from 'kysely'
import { withTransaction } from '../context.ts'
import { defer } from '../db/deferred.ts'
import type { Transaction } from '../db/schema.ts'
import { emit } from '../events/emit.ts'
import { newId } from '../lib/ids.ts'
import { changeSilently } from './change.ts'
import type { ProposalContext } from './context.ts'
import type { RecipientRow } from './recipients.ts'
import { lockProposal } from './rows.ts'

/** Programs and addresses that are listed for each recipient. Further ones are not stored. */
const maxListed = 100

/** `sender`: a member of the organization. */
export type ViewerKind = ProposalView['kind']

interface Viewer {
  readonly recipientId: string
  readonly kind: ViewerKind
  readonly address: string
  readonly userAgent: string
}

/** Records who opened the page of a proposal. A person who opens a pending proposal first sets `viewedAt`. */
export function recordView(ctx: ProposalContext, viewer: Viewer): Promise<void> {
  return withTransaction(ctx, async (trx) => {
    await listView(ctx, trx, viewer)
    if (viewer.kind !== 'person') return
    const recipient = await trx.selectFrom('proposal_recipient').selectAll().where('id', '=', viewer.recipientId).executeTakeFirst()
    if (recipient === undefined || recipient.first_viewed_at !== null) return
    if ((await lockProposal(trx, recipient.proposal_id)).status !== 'pending') return
    const viewed = await markViewed(ctx, trx, recipient, ctx.now())
    if (viewed !== undefined) await emit(ctx, trx, 'proposal.viewed', viewed)
  })
}

/**
 * Sets the time of the recipient's first view of a locked proposal, which changes the proposal, and of the first view by anyone.
 * Returns the proposal at the latter, for the event that the caller emits; otherwise undefined.
 */
export async function markViewed(
  ctx: ProposalContext,
  trx: Transaction,
  { id, proposal_id }: RecipientRow,
  now: Date,
): Promise<Proposal | undefined> {
  const { numUpdatedRows } = await trx
    .updateTable('proposal_recipient')
    .set({ first_viewed_at: now })
    .where('id', '=', id)
    .where('first_viewed_at', 'is', null)
    .executeTakeFirst()
  const { viewed_at } = await trx.selectFrom('proposal').select('viewed_at').where('id', '=', proposal_id).executeTakeFirstOrThrow()
  if (viewed_at === null) return changeSilently(ctx, trx, proposal_id, { viewed_at: now, updated_at: now })
  if (numUpdatedRows > 0n) {
    const updated_at = sql<Date>`greatest(updated_at, ${now})`
    await defer(trx, trx.updateTable('proposal').set({ updated_at }).where('id', '=', proposal_id).compile())
  }
  return undefined
}

/** Requests within this time after the last opening with the same browser are one opening. */
const sameOpeningMs = 60_000

/** Openings that a process remembers. Beyond it, all are forgotten and looked up again. */
const maxRemembered = 5000

/** Returns a function that records openings by programs or the sender. Repeated ones within the same minute need no statement. */
export function createOpenings(): (ctx: ProposalContext, viewer: Viewer) => Promise<void> {
  const recorded = new Map<string, number>()
  return async (ctx, viewer) => {
    const { recipientId, kind, address, userAgent } = viewer
    const key = JSON.stringify([recipientId, kind, address, userAgent])
    const now = ctx.now().getTime()
    if (now - (recorded.get(key) ?? -Infinity) < sameOpeningMs) return
    const isNew = await withTransaction(ctx, (trx) => listView(ctx, trx, viewer))
    // Another process may have recorded an earlier opening, from which the time counts.
    if (!isNew) return
    if (recorded.size >= maxRemembered) recorded.clear()
    recorded.set(key, now)
  }
}

/** Returns whether the request was another opening of a pending proposal, rather than part of one, or more than the list holds. */
async function listView(ctx: ProposalContext, trx: Transaction, { recipientId, kind, address, userAgent }: Viewer): Promise<boolean> {
  const now = ctx.now()
  const listed = sql`from proposal_view where recipient_id = ${recipientId} and kind = ${kind}`
  const { numAffectedRows } = await sql`
    insert into proposal_view (organization_id, id, recipient_id, kind, address, user_agent, seen_at, last_seen_at)
    select ${ctx.organizationId}, ${newId(now.getTime())}, ${recipientId}, ${kind}, ${address}, ${userAgent}, ${now}, ${now}
    where exists (select from proposal_recipient join proposal on proposal.id = proposal_id
        where proposal_recipient.id = ${recipientId} and proposal.status = 'pending')
      and ((select count(*) ${listed}) < ${maxListed}
        or exists (select ${listed} and address = ${address} and user_agent = ${userAgent}))
    on conflict (organization_id, recipient_id, kind, address, user_agent)
    do update set last_seen_at = excluded.last_seen_at, openings = proposal_view.openings + 1
    where proposal_view.last_seen_at <= ${new Date(now.getTime() - sameOpeningMs)}`.execute(trx)
  return numAffectedRows === 1n
}
