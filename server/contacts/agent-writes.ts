import { sql } from 'kysely'
import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import { AppError } from '../lib/errors.ts'
import { valuesOf } from './changes.ts'
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
 * An agent cannot claim that a person typed its values.
 * @throws AppError `validation_error`, field `provenance.how`
 */
export function requireHonestOrigin(ctx: Context, origin: { how?: string | undefined } | undefined): void {
  if (origin?.how !== 'typed' || !isAgent(ctx)) return
  const field = 'provenance.how'
  throw new AppError('validation_error', `${field} cannot be typed with the token of an agent`, { field })
}

/** The fields by contact that an agent may replace. */
export type Replaceable = ReadonlyMap<string, ReadonlySet<string>>

/**
 * Returns the fields whose value is neither typed nor verified by a person. A value that a job has reverted has the origin of its former
 * change. Fields that are older than the history are not among them. The transaction has locked the contacts.
 */
export async function replaceableFields(trx: Transaction, contactIds: readonly string[]): Promise<Replaceable> {
  if (contactIds.length === 0) return new Map()
  const { rows } = await sql<{ contact_id: string; fields: string[] }>`
    select contact_id, array_agg(field) as fields from (
      select distinct on (contact_id, field) contact_id, field, coalesce((origins ->> field)::integer, position) as position
      from contact_change, lateral (select jsonb_object_keys(changed) union select unnest(verified)) as named (field)
      where contact_id = any (${contactIds}::uuid[]) order by contact_id, field, contact_change.position desc
    ) as latest join contact_change as origin using (contact_id, position)
    where not (how = 'typed' or coalesce(field = any (verified), false) or (actor_type = 'user' and how in ('reverted', 'merged')))
    group by contact_id`.execute(trx)
  return new Map(rows.map(({ contact_id, fields }) => [contact_id, new Set(fields)]))
}

/** Returns the columns that an agent may write, and the values to suggest instead. Lists of a person can grow, and keep their order. */
export function splitAgentWrite(
  before: ContactRow,
  columns: Columns,
  replaceable: Replaceable,
): { columns: Columns; suggested: SuggestedValue[] } {
  const former = valuesOf(toContact(before))
  const parsed = withParsedJson(columns)
  const wanted = valuesOf(toContact({ ...before, ...parsed }))
  const kept: Record<string, unknown> = {}
  const suggested: SuggestedValue[] = []
  for (const field of new Set([...Object.keys(former), ...Object.keys(wanted)])) {
    const [present, value] = [former[field] ?? null, wanted[field] ?? null]
    if (isDeepStrictEqual(present, value) || isEmpty(present) || replaceable.get(before.id)?.has(field)) continue
    const grown = isList(present) && isList(value) ? grownList(present, value) : undefined
    kept[field] = grown ?? present
    if (grown === undefined) suggested.push({ contactId: before.id, field, value, present })
  }
  if (Object.keys(kept).length === 0) return { columns, suggested }
  const custom_fields = { ...before.custom_fields, ...(parsed['custom_fields'] as object | undefined) }
  return { columns: { ...columns, ...columnsOfValues(kept, { custom_fields }) }, suggested }
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)
const isEmpty = (value: unknown): boolean => value === null || value === false || (isList(value) && value.length === 0)

/** Returns the present entries with the new ones; undefined if one is missing, or if only their order changed. */
function grownList(present: readonly unknown[], value: readonly unknown[]): unknown[] | undefined {
  const isIn = (list: readonly unknown[], entry: unknown): boolean => list.some((each) => isDeepStrictEqual(each, entry))
  const added = value.filter((entry) => !isIn(present, entry))
  return added.length > 0 && present.every((entry) => isIn(value, entry)) ? [...present, ...added] : undefined
}
