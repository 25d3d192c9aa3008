import { expiringDays, overviewEntries, waitingDays, type Overview, type Proposal, type ProposalStatus } from '@groundwork/api'
import { sql } from 'kysely'
import { select, type Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import type { ProposalContext } from './context.ts'
import { recipientsColumn } from './recipients.ts'
import { toProposal } from './record.ts'

const dayMs = 86_400_000

type OpenProposals = NonNullable<Overview['attention']['undelivered']>

/** Returns pending proposals that expire soon, the next one first. */
export function expiringProposals(ctx: ProposalContext): Promise<OpenProposals> {
  const soon = new Date(ctx.now().getTime() + expiringDays * dayMs)
  return firstOf(ctx, (db) => pending(db).where('expires_at', '<', soon), 'expires_at')
}

/** Returns pending proposals that were sent a while ago, oldest first. */
export function waitingProposals(ctx: ProposalContext): Promise<OpenProposals> {
  const longAgo = new Date(ctx.now().getTime() - waitingDays * dayMs)
  return firstOf(ctx, (db) => pending(db).where('sent_at', '<=', longAgo), 'sent_at')
}

/**
 * Returns pending proposals with an unopened email that failed or was not sent, oldest first. `delivery` and `url` are those of the first
 * recipient without the email.
 */
export async function undeliveredProposals(ctx: ProposalContext): Promise<OpenProposals> {
  const isUndelivered = sql<boolean>`exists (
    select from proposal_recipient where proposal_recipient.organization_id = proposal.organization_id
      and proposal_recipient.proposal_id = proposal.id
      and proposal_recipient.first_viewed_at is null
      and (proposal_recipient.role = 'copy' or proposal.signing_order = 'parallel' or not exists (
        select from proposal_recipient as earlier where earlier.organization_id = proposal.organization_id
          and earlier.proposal_id = proposal.id and earlier.role = 'signer' and earlier.signed_at is null
          and earlier.position < proposal_recipient.position))
      and not exists (
        select from mail where mail.organization_id = proposal.organization_id and mail.proposal_id = proposal.id
          and mail.recipient_id = proposal_recipient.id and mail.kind = 'sent' and mail.state <> 'failed'))`
  const { count, data } = await firstOf(ctx, (db) => pending(db).where(isUndelivered), 'sent_at')
  return {
    count,
    data: data.map((proposal) => {
      const missed = proposal.recipients.find(
        ({ viewedAt, delivery }) => viewedAt === null && (delivery?.state === 'failed' || delivery?.state === 'withheld'),
      )
      return missed === undefined ? proposal : { ...proposal, delivery: missed.delivery, url: missed.url }
    }),
  }
}

/** Returns pending proposals for which only the counter-signature of the organization is missing, oldest first. */
export function countersignProposals(ctx: ProposalContext): Promise<OpenProposals> {
  const isSigned = sql<boolean>`not exists (
    select from proposal_recipient where proposal_recipient.organization_id = proposal.organization_id
      and proposal_recipient.proposal_id = proposal.id and role = 'signer' and signed_at is null)`
  return firstOf(ctx, (db) => pending(db).where('counter_signature', '=', true).where(isSigned), 'sent_at')
}

type Matching = (db: Transaction) => ReturnType<typeof pending>
type Order = 'expires_at' | 'sent_at'

/** With a parameter instead of the literal, a generic plan could not use the index `proposal_pending`. */
export const pending = (db: Transaction) => db.selectFrom('proposal').where('status', '=', sql.lit('pending'))

async function firstOf(ctx: ProposalContext, matching: Matching, order: Order): Promise<{ count: number; data: Proposal[] }> {
  const rows = await select(ctx, (db) => firstRows(db, matching, order))
  return { count: rows[0]?.count ?? 0, data: rows.map((row) => toProposal(ctx, row)) }
}

/** The subquery counts the matches by the index alone: in one query, the count would read the columns and the recipients of all. */
export const firstRows = (db: Transaction, matching: Matching, order: Order) =>
  db
    .selectFrom('proposal')
    .innerJoin(
      matching(db)
        .select(({ fn }) => ['id', fn.countAll<number>().over().as('count')])
        .orderBy(order)
        .orderBy('id')
        .limit(overviewEntries)
        .as('first'),
      'first.id',
      'proposal.id',
    )
    .selectAll('proposal')
    .select(['first.count', recipientsColumn])
    .orderBy(order)
    .orderBy('proposal.id')

export async function proposalTotals(ctx: Context): Promise<NonNullable<Overview['totals']['proposals']>> {
  const rows = await select(ctx, (db) =>
    db
      .selectFrom('proposal')
      .select(({ fn }) => ['status', fn.countAll<number>().as('count')])
      .groupBy('status'),
  )
  const of = (state: ProposalStatus): number => rows.find(({ status }) => status === state)?.count ?? 0
  return {
    draft: of('draft'),
    pending: of('pending'),
    completed: of('completed'),
    rejected: of('rejected'),
    expired: of('expired'),
    voided: of('voided'),
  }
}
