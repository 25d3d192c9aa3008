import { wireId, type ContactFields, type MatchOn } from '@groundwork/api'
import { sql } from 'kysely'
import type { Transaction } from '../db/schema.ts'
import { AppError, refusedOr } from '../lib/errors.ts'
import { normalizeEmail } from './emails.ts'
import { normalizePhone } from './phones.ts'
import { emailsOf, phonesOf, type ContactRow } from './record.ts'

/** What an upsert looks for. */
export interface Sought {
  /** The position in the request. */
  readonly at: number
  /** The normalized values of the field `matchOn`: all addresses or numbers. */
  readonly values: readonly string[]
}

/** @throws AppError `validation_error` without a valid value */
export function matchValues(matchOn: MatchOn, input: ContactFields, country: string | null): string[] {
  if (matchOn === 'externalId') return [input.externalId ?? missing(matchOn)]
  const list = (matchOn === 'email' ? input.emails : input.phones) ?? []
  const [first, ...others] = [
    ...(input[matchOn] == null ? [] : [{ sent: input[matchOn], field: matchOn }]),
    ...list.map(({ value }, at) => ({ sent: value, field: `${matchOn}s.${at}.value` })),
  ]
  if (first === undefined) return missing(matchOn)
  const normalize = ({ sent, field }: typeof first): string =>
    matchOn === 'email' ? normalizeEmail(sent, field) : normalizePhone(sent, country, field).value
  // The plan refuses other invalid ones, unless the contact has them already.
  const valid = others.map((each) => refusedOr(() => normalize(each))).filter((value) => typeof value === 'string')
  return [...new Set([normalize(first), ...valid])]
}

function missing(field: MatchOn): never {
  throw new AppError('validation_error', `${field} is required, because matchOn names it`, { field })
}

/** All transactions lock in the same order. Items with a common value stay in the order of the request. */
export function inLockOrder<S extends Sought>(items: readonly S[]): S[] {
  const keys = new Map<string, string>()
  const keyed = items.map((item) => {
    const known = item.values.flatMap((value) => keys.get(value) ?? []).toSorted()
    const key = known.at(-1) ?? item.values.toSorted()[0] ?? ''
    for (const value of item.values) keys.set(value, key)
    return { item, key }
  })
  return keyed.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.item.at - b.item.at)).map(({ item }) => item)
}

/** Returns the contacts by each value that they match, locked in the order of their ids. */
export async function lockMatches(trx: Transaction, matchOn: MatchOn, items: readonly Sought[]): Promise<Map<string, ContactRow[]>> {
  const values = [...new Set(items.flatMap((item) => item.values))]
  const { rows } = await sql<ContactRow & { matched: string }>`
    select contact.*, match.matched from contacts_matching(${matchOn}, ${values}::text[]) as match
      join contact on contact.id = match.contact_id
    where contact.deleted_at is null order by contact.id for update of contact`.execute(trx)
  const matches = new Map<string, ContactRow[]>()
  for (const { matched, ...row } of rows) {
    // Another transaction may have changed the contact before it was locked.
    if (!valuesOf(row, matchOn).includes(matched)) continue
    matches.set(matched, [...(matches.get(matched) ?? []), row])
  }
  return matches
}

function valuesOf(row: ContactRow, matchOn: MatchOn): (string | null)[] {
  if (matchOn === 'externalId') return [row.external_id]
  return (matchOn === 'email' ? emailsOf(row) : phonesOf(row)).map(({ value }) => value)
}

/** Returns the contacts that an item matches. */
export const matchesOf = ({ values }: Sought, matches: ReadonlyMap<string, readonly ContactRow[]>): ContactRow[] => [
  ...new Map(values.flatMap((value) => matches.get(value) ?? []).map((row) => [row.id, row])).values(),
]

export function severalMatch(rows: readonly ContactRow[]): AppError {
  const candidates = rows.map(({ id, first_name, last_name }) => ({
    id: wireId('ctc', id),
    name: [first_name, last_name].filter((name) => name !== null).join(' ') || null,
  }))
  return new AppError('conflict', `${rows.length} contacts match. Change one of the candidates by its id, or merge them.`, { candidates })
}
