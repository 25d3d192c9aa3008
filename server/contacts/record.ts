import { wireId, type Contact } from '@groundwork/api'
import type { Selectable } from 'kysely'
import type { ContactTable } from '../db/schema.ts'

export type ContactRow = Selectable<ContactTable>

export function toContact(row: ContactRow): Contact {
  return {
    id: wireId('ctc', row.id),
    externalId: row.external_id,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    phone: row.phone,
    companyId: row.company_id === null ? null : wireId('co', row.company_id),
    tags: row.tags,
    customFields: row.custom_fields,
    source: row.source,
    consent: { email: 'unknown', phone: 'unknown', sms: 'unknown', post: 'unknown', ...row.consent },
    lastInteractionAt: row.last_interaction_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
