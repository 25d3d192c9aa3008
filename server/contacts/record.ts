import { wireId, type Contact, type ContactEmail, type ContactPhone } from '@groundwork/api'
import type { Selectable } from 'kysely'
import type { ContactTable } from '../db/schema.ts'
import { isoTime } from '../lib/iso-time.ts'

export type ContactRow = Selectable<ContactTable>

export function toContact(row: ContactRow): Contact {
  return {
    id: wireId('ctc', row.id),
    externalId: row.external_id,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    emails: emailsOf(row),
    phone: row.phone,
    phones: phonesOf(row),
    jobTitle: row.job_title,
    address: row.address,
    language: row.language,
    timeZone: row.time_zone,
    ownerId: row.owner_id === null ? null : wireId('usr', row.owner_id),
    doNotContact: row.do_not_contact,
    companyId: row.company_id === null ? null : wireId('co', row.company_id),
    tags: row.tags,
    customFields: row.custom_fields,
    source: row.source,
    consent: { email: 'unknown', phone: 'unknown', sms: 'unknown', post: 'unknown', ...row.consent },
    lastInteractionAt: row.last_interaction_at === null ? null : isoTime(row.last_interaction_at),
    mergedIds: row.merged_ids.map((id) => wireId('ctc', id)),
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  }
}

/** Returns all email addresses. A program of a former version may have changed the main one alone. */
export function emailsOf({ email, emails }: Pick<ContactRow, 'email' | 'emails'>): ContactEmail[] {
  if (emails !== null && emails[0]?.value === email) return emails
  return email === null ? [] : [{ value: email, asSent: email, label: null }, ...(emails?.slice(1) ?? [])]
}

/** Returns all phone numbers. Likewise. */
export function phonesOf({ phone, phones }: Pick<ContactRow, 'phone' | 'phones'>): ContactPhone[] {
  if (phones !== null && phones[0]?.value === phone) return phones
  return phone === null ? [] : [{ value: phone, asSent: phone, label: null, extension: null }, ...(phones?.slice(1) ?? [])]
}
