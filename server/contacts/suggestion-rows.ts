import { wireId, type ContactSuggestion, type Provenance } from '@groundwork/api'
import { sql, type Selectable } from 'kysely'
import { actorName, toActor } from '../audit/actor.ts'
import { authorOf } from '../audit/entry.ts'
import type { Context } from '../context.ts'
import type { ContactSuggestionTable, Transaction } from '../db/schema.ts'
import { newId } from '../lib/ids.ts'
import type { SuggestedValue } from './agent-writes.ts'

type ShownSuggestion = Selectable<ContactSuggestionTable> & { actor_name: string | null }

/** Selects suggestions with the names of their authors. */
export const shownSuggestions = (trx: Transaction) =>
  trx.selectFrom('contact_suggestion').selectAll('contact_suggestion').select(actorName('contact_suggestion').as('actor_name'))

export const toSuggestion = (row: ShownSuggestion): ContactSuggestion => ({
  id: wireId('sug', row.id),
  contactId: wireId('ctc', row.contact_id),
  field: row.field,
  value: row.value,
  present: row.present,
  status: row.status,
  how: row.how,
  reference: row.reference,
  createdBy: toActor(row),
  createdAt: row.created_at.toISOString(),
  decidedAt: row.decided_at?.toISOString() ?? null,
})

export interface NewSuggestion extends SuggestedValue {
  readonly origin: Provenance | undefined
}

/** SQL for a value without the format and the labels of its addresses and numbers. */
const meaning = (table: 'input' | 'known') => sql`case
  when ${sql.ref(table)}.field in ('emails', 'phones') then jsonb_build_array(
    jsonb_path_query_array(${sql.ref(table)}.value, '$[*].value'), jsonb_path_query_array(${sql.ref(table)}.value, '$[*].extension'))
  else nullif(${sql.ref(table)}.value, 'null') end`

/**
 * Adds suggestions, unless the same value is suggested already or was dismissed. The caller has locked the contacts in this transaction,
 * and emits events for the created ones (`emitMany`).
 * @returns the suggestion for each value, in their order, and those that are new
 */
export async function addSuggestions(
  ctx: Context,
  trx: Transaction,
  values: readonly NewSuggestion[],
): Promise<{ suggestions: ContactSuggestion[]; created: ContactSuggestion[] }> {
  if (values.length === 0) return { suggestions: [], created: [] }
  const now = ctx.now()
  const author = authorOf(ctx)
  const rows = values.map(({ contactId, field, value, present, origin }, at) => ({
    number: at,
    id: newId(now.getTime()),
    contact_id: contactId,
    field,
    value,
    present,
    how: origin?.how ?? 'api',
    reference: origin?.reference ?? null,
  }))
  const json = JSON.stringify(rows)
  const { rows: found } = await sql<{ number: number; id: string; is_new: boolean }>`
    with input as (
      select * from jsonb_to_recordset(${json}::jsonb)
        as input (number integer, id uuid, contact_id uuid, field text, value jsonb, present jsonb, how text, reference text)
    ), resolved as (
      -- The suggestion of each value: a stored one, or the first with the same value in this batch.
      select input.*, coalesce(
        (select known.id from contact_suggestion as known
          where known.contact_id = input.contact_id and known.field = input.field and known.status <> 'accepted'
            and ${meaning('known')} is not distinct from ${meaning('input')}
          order by known.created_at desc limit 1),
        first_value(id) over (partition by contact_id, field, ${meaning('input')} order by number)) as resolved_id
      from input
    ), created as (
      insert into contact_suggestion
        (organization_id, id, contact_id, field, value, present, status, how, reference, actor_type, actor_id, created_at)
      select ${ctx.organizationId}::uuid, id, contact_id, field, nullif(value, 'null'), nullif(present, 'null'), 'pending', how, reference,
        ${author.type}::text, ${author.id}::uuid, ${now}::timestamptz
      from resolved where id = resolved_id returning id
    )
    select number, resolved_id as id, exists (select from created where created.id = resolved_id) as is_new from resolved`.execute(trx)
  const ids = [...new Set(found.map(({ id }) => id))]
  const shown = await shownSuggestions(trx)
    .where(sql<boolean>`contact_suggestion.id = any (${ids}::uuid[])`)
    .execute()
  const byId = new Map(shown.map((row) => [row.id, toSuggestion(row)]))
  const ofIds = (list: readonly string[]): ContactSuggestion[] => list.flatMap((id) => byId.get(id) ?? [])
  const ordered = found.toSorted((a, b) => a.number - b.number)
  const created = new Set(ordered.filter(({ is_new }) => is_new).map(({ id }) => id))
  return { suggestions: ofIds(ordered.map(({ id }) => id)), created: ofIds([...created]) }
}

/** Deletes the suggestions for a contact. Returns their number. */
export async function deleteSuggestionsOf(trx: Transaction, contactId: string): Promise<number> {
  const { numDeletedRows } = await trx.deleteFrom('contact_suggestion').where('contact_id', '=', contactId).executeTakeFirst()
  return Number(numDeletedRows)
}
