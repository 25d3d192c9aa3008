import type { ContactSort } from '@groundwork/api'
import { sql } from 'kysely'
import { listOrder, type ListOrder } from '../db/list-order.ts'

export type ContactOrder = ListOrder<ContactSort>

/** Indexes have these expressions. A contact without an interaction counts as the earliest. */
const keys = {
  createdAt: { key: sql`contact.created_at`, type: 'timestamptz' },
  updatedAt: { key: sql`contact.updated_at`, type: 'timestamptz' },
  lastInteractionAt: {
    key: sql`case when contact.last_interaction_at is not null then contact.last_interaction_at else timestamptz '-infinity' end`,
    type: 'timestamptz',
  },
  name: {
    key: sql`contact_fold(coalesce(contact.last_name, '') || ' ' || coalesce(contact.first_name, '')) collate "C"`,
    type: 'text',
  },
} as const

export const contactOrder = (sort: ContactSort): ContactOrder => listOrder(sort, keys)
