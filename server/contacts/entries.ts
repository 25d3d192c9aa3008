import {
  maxContactEntries,
  type ContactEmail,
  type ContactFields,
  type ContactPhone,
  type ContactPhoneInput,
  type ContactWarning,
} from '@groundwork/api'
import { AppError, refusedOr } from '../lib/errors.ts'
import { normalizeEmail, suggestEmail } from './emails.ts'
import { isNational, normalizePhone } from './phones.ts'
import { emailsOf, phonesOf, type ContactRow } from './record.ts'

type EntryInput = Pick<ContactFields, 'email' | 'emails' | 'phone' | 'phones'>
type EntryColumns = Pick<ContactRow, 'email' | 'emails' | 'phone' | 'phones'>

/** The columns of the email addresses and phone numbers that a request changes. */
export interface EntryChanges {
  email?: string | null
  emails?: string | null
  phone?: string | null
  phones?: string | null
}

const noEntries: EntryColumns = { email: null, emails: null, phone: null, phones: null }

/** Returns whether the country of the organization decides what a number of the request is. */
export const hasNationalNumber = ({ phone, phones }: EntryInput): boolean =>
  [phone, ...(phones ?? []).map(({ value }) => value)].some((sent) => sent != null && isNational(sent))

/** An email address, or a phone number, which has an extension besides. */
interface Entry {
  readonly value: string
  readonly asSent: string
  readonly label: string | null
  readonly extension?: string | null
}
type SentEntry = Pick<ContactPhoneInput, 'value' | 'label' | 'extension'>
type ReadEntry = (sent: SentEntry, field: string) => Entry

/**
 * Returns the changed columns, with warnings about values that are probably wrong. Values that the contact has already stay as they
 * are: older records may contain invalid ones.
 * @param country of national numbers; null if unknown
 * @throws AppError `validation_error` with the field, or with both as `issues`
 */
export function entryChanges(
  input: EntryInput,
  country: string | null,
  before: EntryColumns = noEntries,
): { changes: EntryChanges; warnings: ContactWarning[] } {
  const warnings: ContactWarning[] = []
  const [emails, phones] = bothOf(
    () => changedEntries(input.email, input.emails, 'email', emailsOf(before), (sent, field) => readEmail(sent, field, warnings)),
    () => changedEntries(input.phone, input.phones, 'phone', phonesOf(before), (sent, field) => readPhone(sent, country, field, warnings)),
  )
  const changes = {
    ...(emails !== undefined && { email: emails[0]?.value ?? null, emails: storedEntries(emails) }),
    ...(phones !== undefined && { phone: phones[0]?.value ?? null, phones: storedEntries(phones) }),
  }
  return { changes, warnings }
}

/** Returns both results. Two refusals become one error, so that a form can show both. */
function bothOf<A, B>(first: () => A, second: () => B): [A, B] {
  const [a, b] = [refusedOr(first), refusedOr(second)]
  if (!(a instanceof AppError)) {
    if (b instanceof AppError) throw b
    return [a, b]
  }
  if (!(b instanceof AppError)) throw a
  const issues = [a, b].map(({ field = '', message }) => ({ field, code: 'custom', message }))
  throw new AppError('validation_error', a.message, { ...(a.field !== undefined && { field: a.field }), issues })
}

function readEmail({ value: asSent, label = null }: SentEntry, field: string, warnings: ContactWarning[]): ContactEmail {
  const value = normalizeEmail(asSent, field)
  const suggestion = suggestEmail(value)
  if (suggestion !== null) warnings.push({ code: 'did_you_mean', field, message: `Did you mean ${suggestion}?`, suggestion })
  return { value, asSent, label }
}

function readPhone(sent: SentEntry, country: string | null, field: string, warnings: ContactWarning[]): ContactPhone {
  const { value, extension, isAssigned } = normalizePhone(sent.value, country, field)
  const message = `${value} belongs to no known range of phone numbers.`
  if (!isAssigned) warnings.push({ code: 'unassigned_number', field, message, suggestion: null })
  return { value, asSent: sent.value, label: sent.label ?? null, extension: sent.extension ?? extension }
}

/** Returns all entries after a request with the main value, the list, both or none; undefined if they stay. */
function changedEntries(
  main: string | null | undefined,
  list: readonly SentEntry[] | null | undefined,
  field: 'email' | 'phone',
  before: readonly Entry[],
  read: ReadEntry,
): Entry[] | undefined {
  if (list !== undefined) return replaced(main, list ?? [], field, before, read)
  if (main === undefined) return undefined
  if (main === null) return []
  const known = before.find(({ value }) => value === main)
  if (known !== undefined) return [known, ...before.filter((entry) => entry !== known)]
  const entry = read({ value: main }, field)
  const same = before.find(({ value }) => value === entry.value)
  if (same === undefined) return [entry, ...before.slice(1)]
  return [{ ...entry, label: same.label }, ...before.filter((each) => each !== same)]
}

function replaced(
  main: string | null | undefined,
  list: readonly SentEntry[],
  field: 'email' | 'phone',
  before: readonly Entry[],
  read: ReadEntry,
): Entry[] {
  const entries = list.map((sent, at): Entry => {
    const known = before.find(({ value }) => value === sent.value)
    if (known === undefined) return read(sent, `${field}s.${at}.value`)
    return { ...known, label: sent.label ?? null, ...(known.extension !== undefined && { extension: sent.extension ?? null }) }
  })
  const first = entries[0]?.value ?? null
  if (main !== undefined && main !== first && (main === null || read({ value: main }, field).value !== first))
    throw new AppError('validation_error', `${field} must be the first one of ${field}s`, { field })
  const kept = entries
    .filter((entry, at) => entries.findIndex((other) => isSame(entry, other)) === at)
    .map((entry) => ({ ...entry, label: entries.find((other) => isSame(entry, other) && other.label !== null)?.label ?? null }))
  if (kept.length <= maxContactEntries) return kept
  throw new AppError('validation_error', `${field}s would have more than ${maxContactEntries} entries`, { field: `${field}s` })
}

const isSame = (a: Entry, b: Entry): boolean => a.value === b.value && a.extension === b.extension

/** Returns the JSON of the entries; null if the main value says everything. */
export function storedEntries(entries: readonly Entry[]): string | null {
  const [only] = entries
  const isPlain = only === undefined || (only.asSent === only.value && only.label === null && (only.extension ?? null) === null)
  return isPlain && entries.length < 2 ? null : JSON.stringify(entries)
}
