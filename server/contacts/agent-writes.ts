import { sql } from 'kysely'
import { isDeepStrictEqual } from 'node:util'
import { actorId, type Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import { AppError } from '../lib/errors.ts'
import { valuesOf } from './changes.ts'
import { canonicalEntries, hasEntry, joinedWith, type Entries } from './list-values.ts'
import { columnsOfValues } from './history-columns.ts'
import { toContact, type ContactRow } from './record.ts'
import { withParsedJson, type Columns } from './write-many.ts'

/** A value that an agent must not write, so it becomes a suggestion. */
export interface SuggestedValue {
  readonly contactId: string
  readonly field: string
  readonly value: unknown
  readonly present: unknown
}

export const isAgent = ({ actor }: Context): boolean => actor?.kind === 'token' && actor.isAgent === true

/** @throws AppError `forbidden` for an agent's token */
export function requirePerson(ctx: Context): void {
  if (isAgent(ctx))
    throw new AppError('forbidden', 'The token of an agent cannot do this, because it replaces, confirms or deletes values of people.')
}

/**
 * An agent can change and delete only the records that it wrote itself.
 * @param authorId of the token or user that wrote the record
 * @throws AppError `forbidden`
 */
export function requireOwnRecord(ctx: Context, authorId: string | null): void {
  if (isAgent(ctx) && ctx.actor !== undefined && actorId(ctx.actor) !== authorId)
    throw new AppError('forbidden', 'The token of an agent can only change and delete what it wrote itself.')
}

/**
 * An agent can fill the empty fields of a record without a history, and add entries to its lists.
 * @throws AppError `forbidden` with the field
 */
export function requireAdditions(ctx: Context, before: Fields, after: Fields): void {
  if (!isAgent(ctx)) return
  const field = Object.keys(before).find((name) => name !== 'updatedAt' && !isAddition(before[name], after[name]))
  if (field !== undefined)
    throw new AppError('forbidden', `${field}: the token of an agent can only fill empty fields and add entries to lists.`, { field })
}

type Fields = Readonly<Record<string, unknown>>

function isAddition(before: unknown, after: unknown): boolean {
  if (before === null || isDeepStrictEqual(before, after)) return true
  if (isList(before)) return isList(after) && before.every((entry) => after.some((each) => isDeepStrictEqual(each, entry)))
  return isFields(before) && isFields(after) && Object.keys(before).every((name) => isAddition(before[name], after[name]))
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !isList(value)

/**
 * An agent cannot claim that a person typed its values.
 * @throws AppError `validation_error`, field `provenance.how`
 */
export function requireHonestOrigin(ctx: Context, origin: { how?: string | undefined } | undefined): void {
  if (origin?.how !== 'typed' || !isAgent(ctx)) return
  const field = 'provenance.how'
  throw new AppError('validation_error', `${field} cannot be typed with the token of an agent`, { field })
}

/** Values of a field by who wrote them: entries of a list one by one. */
interface WrittenValues {
  /** What a person typed or verified, also if a program has replaced it since: the value can return, such as by a revert. */
  readonly byPeople: Entries
  readonly byPrograms: Entries
}

/** The written values by contact and field. */
export type ValueOrigins = ReadonlyMap<string, ReadonlyMap<string, WrittenValues>>

/**
 * Reads the authors of values from the histories of contacts. The transaction has locked the contacts. Values that a merge moves count as
 * those of people, because a person decides it, or a program trusted with it. Reverts by programs and jobs write nothing new: their values
 * were in the history before.
 */
export async function valueOrigins(trx: Transaction, contactIds: readonly string[]): Promise<ValueOrigins> {
  if (contactIds.length === 0) return new Map()
  const { rows } = await sql<{ contact_id: string; field: string; by_people: unknown[] | null; by_programs: unknown[] | null }>`
    with change as (
      select *, how in ('typed', 'merged') or (how = 'reverted' and actor_type = 'user' and origins is null) as is_of_people
      from contact_change where contact_id = any (${contactIds}::uuid[])
    ), written as (
      select contact_id, field, value, is_of_people from change, jsonb_each(changed) as each_field (field, value)
      where is_of_people or how <> 'reverted'
      union all
      select contact_id, field, (
        select earlier.changed -> field from change as earlier
        where earlier.contact_id = change.contact_id and earlier.position <= change.position and earlier.changed ? field
        order by earlier.position desc limit 1), true
      from change, unnest(verified) as field
      union all
      -- Values that are older than the history.
      (select distinct on (contact_id, field) contact_id, field, former -> field, true from change, jsonb_object_keys(changed) as field
      order by contact_id, field, position)
    )
    select contact_id, field, jsonb_agg(distinct value) filter (where is_of_people) as by_people,
      jsonb_agg(distinct value) filter (where not is_of_people) as by_programs
    from written where value <> 'null' group by contact_id, field`.execute(trx)
  const origins = new Map<string, Map<string, WrittenValues>>(contactIds.map((id) => [id, new Map()]))
  for (const { contact_id, field, by_people, by_programs } of rows)
    origins.get(contact_id)?.set(field, { byPeople: by_people?.flat() ?? [], byPrograms: by_programs?.flat() ?? [] })
  return origins
}

/**
 * Returns the columns that an agent may write, and the values to suggest instead. Values stay that a person typed or verified, or that the
 * history does not know. Lists with such entries can grow, and keep their order.
 */
export function splitAgentWrite(
  before: ContactRow,
  columns: Columns,
  origins: ValueOrigins,
): { columns: Columns; suggested: SuggestedValue[] } {
  const former = valuesOf(toContact(before))
  const parsed = withParsedJson(columns)
  const wanted = valuesOf(toContact({ ...before, ...parsed }))
  const kept: Record<string, unknown> = {}
  const suggested: SuggestedValue[] = []
  for (const field of new Set([...Object.keys(former), ...Object.keys(wanted)])) {
    const [present, value] = [former[field] ?? null, wanted[field] ?? null]
    if (isDeepStrictEqual(present, value) || isEmpty(field, present)) continue
    const written = origins.get(before.id)?.get(field)
    const isProtected = (entry: unknown): boolean =>
      written === undefined || hasEntry(field, written.byPeople, entry) || !hasEntry(field, written.byPrograms, entry)
    if (!isList(present)) {
      if (!isProtected(present)) continue
      kept[field] = present
      suggested.push({ contactId: before.id, field, value, present })
      continue
    }
    const people = present.filter(isProtected)
    if (people.length === 0) continue
    const given = canonicalEntries(field, isList(value) ? value : [], people)
    const isComplete = people.every((entry) => hasEntry(field, given, entry))
    const grown = joinedWith(field, present, given)
    const isReordered = grown.length === present.length && grown.length === given.length && !isDeepStrictEqual(grown, given)
    const isSuggested = !isComplete || isReordered
    kept[field] = isSuggested ? present : grown
    if (isSuggested) suggested.push({ contactId: before.id, field, value: given, present })
  }
  if (Object.keys(kept).length === 0) return { columns, suggested }
  const custom_fields = { ...before.custom_fields, ...(parsed['custom_fields'] as object | undefined) }
  return { columns: { ...columns, ...columnsOfValues(kept, { custom_fields }) }, suggested }
}

const isList = (value: unknown): value is Entries => Array.isArray(value)

/** `false` is the default of doNotContact alone; in a custom field it is an answer. */
const isEmpty = (field: string, value: unknown): boolean =>
  value === null || (field === 'doNotContact' && value === false) || (isList(value) && value.length === 0)
