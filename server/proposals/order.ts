import type { ProposalSort } from '@groundwork/api'
import { sql } from 'kysely'
import { listOrder, type ListOrder } from '../db/list-order.ts'

export type ProposalOrder = ListOrder<ProposalSort>

/** Indexes have these expressions. A proposal that was not sent or does not expire counts as the latest. */
const keys = {
  createdAt: { key: sql`proposal.created_at`, type: 'timestamptz' },
  totalAmount: { key: sql`proposal.total_hundredths`, type: 'bigint' },
  sentAt: { key: sql`case when proposal.sent_at is not null then proposal.sent_at else timestamptz 'infinity' end`, type: 'timestamptz' },
  expiresAt: {
    key: sql`case when proposal.expires_at is not null then proposal.expires_at else timestamptz 'infinity' end`,
    type: 'timestamptz',
  },
} as const

export const proposalOrder = (sort: ProposalSort): ProposalOrder => listOrder(sort, keys)
