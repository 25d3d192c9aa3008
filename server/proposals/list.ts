import type { ListProposals, Proposal, ProposalTotals } from '@groundwork/api'
import { parseAmount } from '@groundwork/api/money'
import { sql, type RawBuilder } from 'kysely'
import { presentContact } from '../contact-merges/survivor.ts'
import { select } from '../context.ts'
import { isAfter, pageInOrder, positionAfter } from '../db/list-order.ts'
import type { Transaction } from '../db/schema.ts'
import { likePattern } from '../lib/like.ts'
import type { ProposalContext } from './context.ts'
import { proposalOrder, type ProposalOrder } from './order.ts'
import { recipientsColumn } from './recipients.ts'
import { toProposal } from './record.ts'

type Conditions = Omit<ListProposals, 'q' | 'sort' | 'limit' | 'cursor'>

/**
 * Returns proposals in the requested order, newest first by default. Proposals created between two requests do not shift the pages.
 * @throws AppError `bad_request`, field `cursor`
 */
export async function listProposals(ctx: ProposalContext, input: ListProposals): Promise<{ data: Proposal[]; nextCursor: string | null }> {
  const { q, sort, limit, cursor, ...conditions } = input
  const order = proposalOrder(sort)
  const after = cursor === undefined ? undefined : positionAfter(order, cursor)
  const found = await select(ctx, (db) => {
    let query = db
      .selectFrom('proposal')
      .selectAll()
      .select(recipientsColumn)
      .select(order.value.as('sort_value'))
      .orderBy(order.key, order.direction)
      .orderBy('id', order.direction)
      .limit(limit + 1)
    if (q === undefined) {
      query = query.where(meets(conditions))
      if (after !== undefined) query = query.where(isAfter(order, after, sql`proposal.id`))
    } else {
      const last = after === undefined ? null : JSON.stringify([after.value, after.id])
      query = query.where(isFound(q, conditions, order, last, limit + 1))
    }
    return query
  })
  const { rows, nextCursor } = pageInOrder(order, found, limit)
  return { data: rows.map((row) => toProposal(ctx, row)), nextCursor }
}

/** Returns the number of matching proposals and the sum of their totals, for each state and currency. */
export async function totalProposals(ctx: ProposalContext, input: Conditions & { q?: string | undefined }): Promise<ProposalTotals> {
  const { q, ...conditions } = input
  const matches = q === undefined ? meets(conditions) : isFound(q, conditions, proposalOrder('-createdAt'), null, null)
  const data = await select(ctx, (db) => totalsOf(db, matches))
  return { data }
}

const totalsOf = (db: Transaction, matches: RawBuilder<boolean>) =>
  db
    .selectFrom('proposal')
    .select(({ fn }) => ['status', 'currency', fn.countAll<number>().as('count')])
    .select(sql<string>`sum(total_amount)::text`.as('totalAmount'))
    .where(matches)
    .groupBy(['status', 'currency'])
    .orderBy('status')
    .orderBy('currency')

/** The conditions without a text. `proposals_with_text` has the same ones. */
function meets(conditions: Conditions): RawBuilder<boolean> {
  const { status, contactId, currency, createdAfter, createdBefore, sentAfter, sentBefore, completedAfter, completedBefore } = conditions
  const { minTotal, maxTotal } = conditions
  const all = [
    status !== undefined && sql`status = ${status}`,
    contactId !== undefined && sql`contact_id = ${presentContact(contactId)}`,
    currency !== undefined && sql`currency = ${currency}`,
    createdAfter !== undefined && sql`created_at >= ${createdAfter}::timestamptz`,
    createdBefore !== undefined && sql`created_at < ${createdBefore}::timestamptz`,
    sentAfter !== undefined && sql`sent_at >= ${sentAfter}::timestamptz`,
    sentBefore !== undefined && sql`sent_at < ${sentBefore}::timestamptz`,
    completedAfter !== undefined && sql`completed_at >= ${completedAfter}::timestamptz`,
    completedBefore !== undefined && sql`completed_at < ${completedBefore}::timestamptz`,
    minTotal !== undefined && sql`total_hundredths >= ${hundredthsOf(minTotal)}::bigint`,
    maxTotal !== undefined && sql`total_hundredths <= ${hundredthsOf(maxTotal)}::bigint`,
  ].filter((condition) => condition !== false)
  return all.length === 0 ? sql`true` : sql.join(all, sql` and `)
}

const hundredthsOf = (amount: string): string => String(parseAmount(amount))

const storedConditions = ({ contactId, ...conditions }: Conditions): RawBuilder<unknown> =>
  contactId === undefined
    ? sql`${JSON.stringify(conditions)}::jsonb`
    : sql`${JSON.stringify(conditions)}::jsonb || jsonb_build_object('contactId', ${presentContact(contactId)})`

const isFound = (
  q: string,
  conditions: Conditions,
  order: ProposalOrder,
  after: string | null,
  maxRows: number | null,
): RawBuilder<boolean> =>
  sql<boolean>`id in (select proposals_with_text(lower(${likePattern(q)}), ${storedConditions(conditions)}, ${order.sort}, ${after}::jsonb, ${maxRows}::integer))`
