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

export interface EntryRules {
  /** Of national numbers; null if unknown. */
  readonly country: string | null
  /** Adds lists to those of the contact instead of replacing them. Values that it has already stay as they were sent first. */
  readonly isUpsert?: boolean
}

/**
 * Returns the changed columns, with warnings about values that are probably wrong. Values that the contact has already stay as they
 * are: older records may contain invalid ones.
 * @throws AppError `validation_error` with the field, or with both as `issues`
 */
export function entryChanges(
  input: EntryInput,
  { country, isUpsert = false }: EntryRules,
  before: EntryColumns = noEntries,
): { changes: EntryChanges; warnings: ContactWarning[] } {
  const warnings: ContactWarning[] = []
  const [emails, phones] = bothOf(
    () => {
      const read: ReadEntry = (sent, field) => readEmail(sent, field, warnings)
      return changedEntries({ main: input.email, list: input.emails, field: 'email' }, emailsOf(before), read, isUpsert)
    },
    () => {
      const read: ReadEntry = (sent, field) => readPhone(sent, country, field, warnings)
      return changedEntries({ main: input.phone, list: input.phones, field: 'phone' }, phonesOf(before), read, isUpsert)
    },
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

interface Given {
  readonly main: string | null | undefined
  readonly list: readonly SentEntry[] | null | undefined
  readonly field: 'email' | 'phone'
}

/** Returns all entries after a request with the main value, the list, both or none; undefined if they stay. */
function changedEntries(given: Given, before: readonly Entry[], read: ReadEntry, isUpsert: boolean): Entry[] | undefined {
  const { main, list, field } = given
  if (list !== undefined) return isUpsert && list !== null ? added(given, list, before, read) : replaced(given, list ?? [], before, read)
  if (main === undefined) return undefined
  if (main === null) return []
  const entry = known(main, before) ?? read({ value: main }, field)
  const same = meantBy(entry, before)
  if (same === undefined) return [entry, ...before.slice(1)]
  return [isUpsert ? asStored(entry, same) : { ...entry, ...labelsOf(entry, same) }, ...before.filter((each) => each !== same)]
}

function replaced(given: Given, list: readonly SentEntry[], before: readonly Entry[], read: ReadEntry): Entry[] {
  const entries = entriesOf(given, list, before, read)
  requireFirst(given, entries, before, read)
  return limited(withoutDuplicates(entries), given.field)
}

/** Adds the entries of a list. The order changes only if one of them is new: then they come first. */
function added(given: Given, list: readonly SentEntry[], before: readonly Entry[], read: ReadEntry): Entry[] {
  const entries = entriesOf(given, list, before, read).map((entry) => {
    const same = meantBy(entry, before)
    return same === undefined ? entry : asStored(entry, same)
  })
  requireFirst(given, entries, before, read)
  const [first] = entries
  const hasNew = entries.some((entry) => !before.some((each) => isSame(entry, each)))
  const stored = before.map((each) => entries.find((entry) => isSame(entry, each) && entry.label !== null) ?? each)
  const isMoved = !hasNew && given.main !== undefined && first !== undefined
  return limited(withoutDuplicates([...(hasNew ? entries : isMoved ? [first] : []), ...stored]), given.field)
}

const entriesOf = ({ field }: Given, list: readonly SentEntry[], before: readonly Entry[], read: ReadEntry): Entry[] =>
  list.map((sent, at) => {
    const stored = before.find(({ value, extension = null }) => value === sent.value && extension === (sent.extension ?? null))
    return stored === undefined ? read(sent, `${field}s.${at}.value`) : { ...stored, label: sent.label ?? null }
  })

const known = (sent: string, before: readonly Entry[]): Entry | undefined => before.find(({ value }) => value === sent)

/** Returns the stored entry that an entry of a request means. A number without an extension also means one that has it. */
const meantBy = (entry: Entry, before: readonly Entry[]): Entry | undefined =>
  before.find((each) => isSame(entry, each)) ?? before.find((each) => entry.extension === null && each.value === entry.value)

/** Returns the stored entry with the label that is given for it. */
const asStored = (entry: Entry, stored: Entry): Entry => ({ ...stored, label: entry.label ?? stored.label })

/** The main value alone has no label, and can lack the extension. */
const labelsOf = (entry: Entry, stored: Entry): Partial<Entry> => ({
  label: stored.label,
  ...(stored.extension !== undefined && { extension: entry.extension ?? stored.extension }),
})

/** @throws AppError `validation_error` unless the main value is that of the first entry */
function requireFirst({ main, field }: Given, entries: readonly Entry[], before: readonly Entry[], read: ReadEntry): void {
  const first = entries[0]?.value ?? null
  if (main === undefined || main === first) return
  if (main !== null && (known(main, before) ?? read({ value: main }, field)).value === first) return
  throw new AppError('validation_error', `${field} must be the first one of ${field}s`, { field })
}

/** Duplicates keep the label that one of them has. */
const withoutDuplicates = (entries: readonly Entry[]): Entry[] =>
  entries
    .filter((entry, at) => entries.findIndex((other) => isSame(entry, other)) === at)
    .map((entry) => ({ ...entry, label: entries.find((other) => isSame(entry, other) && other.label !== null)?.label ?? null }))

function limited(entries: Entry[], field: Given['field']): Entry[] {
  if (entries.length <= maxContactEntries) return entries
  throw new AppError('validation_error', `${field}s would have more than ${maxContactEntries} entries`, { field: `${field}s` })
}

const isSame = (a: Entry, b: Entry): boolean => a.value === b.value && a.extension === b.extension

/** Returns the JSON of the entries; null if the main value says everything. */
export function storedEntries(entries: readonly Entry[]): string | null {
  const [only] = entries
  const isPlain = only === undefined || (only.asSent === only.value && only.label === null && (only.extension ?? null) === null)
  return isPlain && entries.length < 2 ? null : JSON.stringify(entries)
}
