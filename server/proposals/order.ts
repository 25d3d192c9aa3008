import type { ProposalSort } from '@groundwork/api'
import { sql } from 'kysely'
import { listOrder, type ListOrder } from '../db/list-order.ts'

export type ProposalOrder = ListOrder<ProposalSort>

/** Indexes have these expressions. A proposal that was not sent or does not expire counts as the latest. */
const keys = {
  createdAt: { key: sql`proposal.created_at`, type: 'timestamptz' },
  totalAmount: { key: sql`proposal.total_hundredths`, type: 'bigint' },
  sentAt: { key: sql`coalesce(proposal.sent_at, 'infinity')`, type: 'timestamptz' },
  expiresAt: { key: sql`coalesce(proposal.expires_at, 'infinity')`, type: 'timestamptz' },
} as const

export const proposalOrder = (sort: ProposalSort): ProposalOrder => listOrder(sort, keys)
