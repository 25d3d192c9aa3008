import { wireId, type Event } from '@groundwork/api'
import { sql, type Selectable } from 'kysely'
import type { EventTable } from '../db/schema.ts'
import { withMissingNulls, withoutContent } from './stored-data.ts'
import { upgraded } from './upgrades.ts'

/**
 * SQL condition on `event`: the event's record still exists. A deleted contact counts as missing until it is restored. So do the
 * former records of its proposals, and of all proposals that name the contact as a recipient. The ids of recipients are those of a
 * subquery of their own (`offset 0`), because row-level security keeps expressions from using the index of contacts.
 */
export const recordExists = sql<boolean>`case split_part(event.type, '.', 1)
  when 'contact' then exists (select from contact where contact.organization_id = event.organization_id
    and contact.id = event.contact_id and contact.deleted_at is null)
  when 'company' then exists (select from company where company.organization_id = event.organization_id
    and company.id = right(event.data ->> 'id', 36)::uuid and company.deleted_at is null)
  when 'activity' then exists (select from activity where activity.organization_id = event.organization_id
    and activity.id = right(event.data ->> 'id', 36)::uuid)
    and exists (select from contact where contact.organization_id = event.organization_id
      and contact.id = event.contact_id and contact.deleted_at is null)
  when 'suggestion' then exists (select from contact where contact.organization_id = event.organization_id
      and contact.id = event.contact_id and contact.deleted_at is null)
  when 'proposal' then exists (select from proposal where proposal.organization_id = event.organization_id
    and proposal.id = right(event.data ->> 'id', 36)::uuid)
    and not exists (select from contact where contact.organization_id = event.organization_id and contact.id = event.contact_id
      and contact.deleted_at >= event.created_at)
    and not exists (
      select from (
          select coalesce(
            (select contact_alias.contact_id from contact_alias where contact_alias.organization_id = event.organization_id
              and contact_alias.id = right(each ->> 'contactId', 36)::uuid),
            right(each ->> 'contactId', 36)::uuid) as contact_id
          from jsonb_array_elements(event.data -> 'recipients') as each where each ->> 'contactId' is not null offset 0) as recipient
        left join contact on contact.organization_id = event.organization_id and contact.id = recipient.contact_id
      where contact.id is null or contact.deleted_at >= event.created_at)
  when 'base' then exists (select from base where base.organization_id = event.organization_id
    and base.id = right(event.data ->> 'id', 36)::uuid)
  when 'source' then exists (select from source where source.organization_id = event.organization_id
    and source.id = right(event.data ->> 'id', 36)::uuid)
  when 'webhook_endpoint' then exists (select from webhook_endpoint where webhook_endpoint.organization_id = event.organization_id
    and webhook_endpoint.id = right(event.data ->> 'id', 36)::uuid)
  else true end`

export type EventRow = Pick<Selectable<EventTable>, 'id' | 'type' | 'data' | 'schema_version' | 'created_at'> & { record_exists: boolean }

/**
 * Returns a stored event as the API shows it: in the newest version of its schema, and without the content of a record that
 * was deleted since. All readers use it: GET, the stream, the timeline and webhooks.
 */
export function toEvent(row: EventRow): Event {
  const stored = upgraded(row.type, row.data as Record<string, unknown>, row.schema_version)
  const complete = withMissingNulls(row.type, stored)
  const data = row.record_exists ? complete : withoutContent(row.type, complete)
  return { id: wireId('evt', row.id), type: row.type, createdAt: row.created_at.toISOString(), data } as Event
}
