import { historyFields, wireId, type Contact, type HistoryField } from '@groundwork/api'
import { sql } from 'kysely'
import { isDeepStrictEqual } from 'node:util'
import { authorOf } from '../audit/entry.ts'
import type { Context } from '../context.ts'
import { defer } from '../db/deferred.ts'
import type { ContactChangeTable, Transaction } from '../db/schema.ts'
import { newId } from '../lib/ids.ts'

/** Where the values of a change come from. */
export interface Origin {
  /** `typed` for users by default, else `api`. */
  readonly how?: ContactChangeTable['how'] | undefined
  /** The client's reference, such as the id of a call; of an import its id, and of a merge the id of the other contact. */
  readonly reference?: string | null | undefined
  /** The job that changes the contact. */
  readonly jobId?: string
}

export interface RecordedChange {
  /** Undefined for a new contact. */
  readonly before: Contact | undefined
  readonly after: Contact
  readonly origin?: Origin | undefined
  /** Fields that a person confirms with the change. */
  readonly verified?: readonly HistoryField[]
  /** The positions of the changes whose values reverted fields have again; 0 for a value that is older than the history. */
  readonly origins?: Readonly<Record<string, number>>
}

/**
 * Adds changes to the history of their contacts, in one statement that travels with the next one. Call it in the transaction that
 * changes the contacts, after their rows are locked or inserted. Contacts whose values stay are left out unless they are verified.
 *
 * An import passes `origin: { how: 'imported', reference: importId }`, and a merge `{ how: 'merged', reference: otherContactId }`, with
 * public ids. The author is the actor of the context.
 */
export async function recordChanges(ctx: Context, trx: Transaction, changes: readonly RecordedChange[]): Promise<void> {
  const now = ctx.now()
  const author = authorOf(ctx)
  const byDefault = author.type === 'user' ? 'typed' : 'api'
  const rows = changes.flatMap(({ before, after, origin, verified, origins }) => {
    const [former, present] = [before === undefined ? noValues : valuesOf(before), valuesOf(after)]
    const fields = [...new Set([...Object.keys(former), ...Object.keys(present)])].filter(
      (field) => !isDeepStrictEqual(former[field] ?? null, present[field] ?? null),
    )
    if (fields.length === 0 && verified === undefined) return []
    const only = (values: Values): Values => Object.fromEntries(fields.map((field) => [field, values[field] ?? null]))
    return [
      {
        contact_id: after.id.slice(-36),
        id: newId(now.getTime()),
        how: origin?.how ?? byDefault,
        reference: origin?.reference ?? null,
        former: before === undefined ? null : only(former),
        changed: only(present),
        verified: verified ?? null,
        job_id: origin?.jobId ?? null,
        origins: origins ?? null,
      },
    ]
  })
  if (rows.length === 0) return
  const statement = sql`
    insert into contact_change
      (organization_id, contact_id, position, id, created_at, actor_type, actor_id, how, reference, former, changed, verified,
        job_id, origins)
    select ${ctx.organizationId}::uuid, contact_id,
      coalesce((select max(position) from contact_change as earlier where earlier.contact_id = change.contact_id), 0)
        + row_number() over (partition by contact_id order by number),
      id, ${now}::timestamptz, ${author.type}::text, ${author.id}::uuid, how, reference, former, changed, verified, job_id, origins
    from rows from (
      jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as (contact_id uuid, id uuid, how text, reference text, former jsonb, changed jsonb, verified text[],
          job_id uuid, origins jsonb)
    ) with ordinality as change (contact_id, id, how, reference, former, changed, verified, job_id, origins,
      number)`
  await defer(trx, statement.compile(trx), { isReused: true })
}

type Values = Readonly<Record<string, unknown>>

/** The values of a contact by the name of the field in the history. */
export function valuesOf(contact: Contact): Values {
  const custom = Object.entries(contact.customFields).map(([id, value]) => [`customFields.${id}`, value])
  return Object.fromEntries([...historyFields.map((field) => [field, contact[field]]), ...custom])
}

/** A new contact has a history of the fields that have a value. */
const noValues: Values = { emails: [], phones: [], tags: [], doNotContact: false }

/** Deletes the history of a contact. Returns the number of its entries. */
export async function deleteChangesOf(trx: Transaction, contactId: string): Promise<number> {
  const { numDeletedRows } = await trx.deleteFrom('contact_change').where('contact_id', '=', contactId).executeTakeFirst()
  return Number(numDeletedRows)
}

/** SQL condition on `contact_change`: an entry of another history about a merge with one of the contacts, which was undone since. */
export const isUndoneMerge = (contactIds: readonly string[]) => {
  const ids = contactIds.map((id) => wireId('ctc', id))
  return sql<boolean>`(how in ('merged', 'reverted') and reference = any (${ids}::text[]) and contact_id <> all (${contactIds}::uuid[]))`
}

/** Deletes the entries of other histories that have values of these contacts. Returns their number. */
export async function deleteUndoneMerges(trx: Transaction, contactIds: readonly string[]): Promise<number> {
  const { numDeletedRows } = await trx.deleteFrom('contact_change').where(isUndoneMerge(contactIds)).executeTakeFirst()
  return Number(numDeletedRows)
}
