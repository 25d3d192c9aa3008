import {
  contactFields,
  domainInput,
  maxContactEntries,
  maxLabelLength,
  type Channel,
  type ConsentField,
  type ConsentState,
  type ContactFields,
  type ImportField,
  type PostalAddress,
  lowerTag,
} from '@groundwork/api'
import { withoutPrefix } from '@groundwork/sdk/csv'
import { isSharedDomain } from '../companies/shared-domains.ts'
import { normalizeEmail } from '../contacts/emails.ts'
import { normalizePhone } from '../contacts/phones.ts'
import { parseText } from '../custom-fields/convert-value.ts'
import type { CustomFieldRow } from '../custom-fields/record.ts'
import { AppError } from '../lib/errors.ts'
import { issueMessage } from '../lib/issue-message.ts'
import { codeNamed } from './code-names.ts'
import { consentState, stricter } from './consent-words.ts'
import { dayOfSerial } from './serial-days.ts'
import { tagsOfCell } from './tags-cell.ts'

/** An address or a number, normalized and as it is in the file. */
export interface ParsedEntry {
  readonly value: string
  readonly asSent: string
  /** Undefined if the file has none. */
  readonly label: string | undefined
}

type PlainFields = Pick<
  ContactFields,
  'externalId' | 'firstName' | 'lastName' | 'jobTitle' | 'language' | 'timeZone' | 'doNotContact' | 'source' | 'tags'
>

/** Values of a row. Null clears a value; absent ones stay. */
export interface RowValues extends PlainFields {
  emails?: ParsedEntry[] | null
  phones?: ParsedEntry[] | null
  /** Parts of the postal address. */
  address?: Partial<PostalAddress>
  companyName?: string | null
  companyDomain?: string | null
  consent?: Partial<Record<Channel, ConsentState>>
  customFields?: Record<string, unknown>
}

export interface RowFault {
  readonly field: string | null
  readonly message: string
}

export interface RowOptions {
  readonly fields: readonly (string | null)[]
  /** The columns of labels by those of their addresses and numbers. */
  readonly labelColumns: ReadonlyMap<number, number>
  /** The columns with parts of an address, in groups. */
  readonly addressGroups: readonly (readonly number[])[]
  readonly customFields: ReadonlyMap<string, CustomFieldRow>
  readonly clearsBlanks: boolean
  readonly country: string | undefined
}

class Fault extends Error {
  readonly field: string

  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}

/**
 * Returns the values of a row, or why it cannot be imported. Of several columns of a field, the first that is not blank counts; addresses,
 * numbers and tags of all columns count, and the strictest consent. The address comes from the first group with a value.
 */
export function parseRow(cells: readonly string[], options: RowOptions): RowValues | RowFault {
  const texts = new Map<string, string[]>()
  const labels: Labels = { email: [], phone: [] }
  const unused = unusedColumns(cells, options)
  options.fields.forEach((field, index) => {
    if (field === null || field === 'emailLabel' || field === 'phoneLabel') return
    const text = unused.includes(index) ? '' : valueText(field, cellText(cells[index] ?? ''))
    const labelColumn = options.labelColumns.get(index)
    if (text !== '' && (field === 'email' || field === 'phone'))
      labels[field].push(labelColumn === undefined ? '' : cellText(cells[labelColumn] ?? ''))
    const former = texts.get(field)
    if (former === undefined) texts.set(field, text === '' ? [] : [text])
    else if (text !== '') former.push(text)
  })
  try {
    return valuesOf(texts, labels, options)
  } catch (error) {
    if (error instanceof Fault) return { field: error.field, message: error.message }
    throw error
  }
}

/** Returns the columns with parts of another address than the first. */
function unusedColumns(cells: readonly string[], { addressGroups }: RowOptions): number[] {
  if (addressGroups.length < 2) return []
  const used = addressGroups.find((group) => group.some((index) => cellText(cells[index] ?? '') !== ''))
  return used === undefined ? [] : addressGroups.filter((group) => group !== used).flat()
}

export const isFault = (parsed: RowValues | RowFault): parsed is RowFault => 'message' in parsed

/** Returns a cell without characters that the database cannot store. */
export const storableCell = (cell: string): string => cell.replaceAll('\u0000', '').replace(/\p{Surrogate}/gu, '\ufffd')

/** Removes also the apostrophe by which exports keep a spreadsheet from calculating a text. */
const cellText = (cell: string): string => withoutPrefix(storableCell(cell)).trim()

/** Returns an empty text for a cell that is as good as blank: a name such as a dash, and a page on a site that many companies share. */
function valueText(field: string, text: string): string {
  const saysNothing = (field === 'companyName' && !hasWords(text)) || (field === 'companyDomain' && isSharedDomain(domainOf(text) ?? ''))
  return saysNothing ? '' : text
}

/** Companies are found by their letters and digits. Searches also ignore CJK marks, some of which are letters for Unicode. */
const hasWords = (text: string): boolean => /(?![\u3000-\u303f])[\p{L}\p{N}]/u.test(text)

/** The cells with the labels of addresses and numbers, beside the cells of these. */
type Labels = Record<'email' | 'phone', string[]>

function valuesOf(texts: ReadonlyMap<string, readonly string[]>, labels: Labels, options: RowOptions): RowValues {
  const values: RowValues = {}
  const customFields: Record<string, unknown> = {}
  let isEmpty = true
  for (const [field, given] of texts) {
    const [text] = given
    if (text === undefined) {
      if (!options.clearsBlanks || field === 'fullName') continue
      if (field.startsWith('fld_')) {
        customFields[field] = null
        isEmpty = false
      } else addCleared(values, field as ImportField)
    } else if (field.startsWith('fld_')) {
      customFields[field] = customValue(field, text, options)
      isEmpty = false
    } else addValue(values, field as ImportField, { given, text, labels }, options)
  }
  return isEmpty ? values : { ...values, customFields }
}

function addCleared(values: RowValues, field: ImportField): void {
  const part = addressParts[field]
  if (part !== undefined) values.address = { ...values.address, [part]: null }
  else if (field === 'email') values.emails = null
  else if (field === 'phone') values.phones = null
  else if (isConsentField(field)) return
  else Object.assign(values, { [field]: null })
}

const addressParts: Partial<Record<ImportField, keyof PostalAddress>> = {
  street: 'street',
  city: 'city',
  postalCode: 'postalCode',
  region: 'region',
  country: 'country',
}

const isConsentField = (field: ImportField): field is ConsentField => field.startsWith('consent.') || field.startsWith('optOut.')

interface Cells {
  /** All cells of the field that are not blank. */
  readonly given: readonly string[]
  /** The first of them. */
  readonly text: string
  readonly labels: Labels
}

function addValue(values: RowValues, field: ImportField, { given, text, labels }: Cells, { country }: RowOptions): void {
  const part = addressParts[field]
  if (part !== undefined) {
    values.address = { ...values.address, [part]: addressPart(part, text) }
    return
  }
  if (isConsentField(field)) {
    addConsent(values, field, given)
    return
  }
  switch (field) {
    case 'email':
      values.emails = entriesOf('email', given, labels, parsedEmail)
      return
    case 'phone':
      values.phones = entriesOf('phone', given, labels, (each) => parsedPhone(each, country ?? null))
      return
    case 'tags':
      values.tags = parsedTags(given)
      return
    case 'fullName':
      // Columns of the first and last name count more.
      for (const [name, value] of Object.entries(splitName(text))) if (!(name in values)) Object.assign(values, { [name]: value })
      return
    case 'companyDomain':
      values.companyDomain = parsedDomain(text)
      return
    case 'companyName':
      if (text.length > 200) throw new Fault(field, 'must have at most 200 characters')
      values.companyName = text
      return
    case 'doNotContact':
      values.doNotContact = parsedFlag(field, text)
      return
    case 'language':
      values.language = checked('language', codeNamed('language', text) ?? text)
      return
    case 'externalId':
      if (isShortened(text)) throw new Fault(field, shortenedMessage(text))
      values.externalId = checked(field, text)
      return
    default:
      Object.assign(values, { [field]: checked(field as keyof PlainFields, text) })
  }
}

/** Returns the value in the form that requests have it. */
function checked<F extends keyof PlainFields>(field: F, text: string): PlainFields[F] {
  const parsed = contactFields.shape[field].safeParse(text, { error: issueMessage })
  if (!parsed.success) throw new Fault(field, parsed.error.issues[0]?.message ?? 'is invalid')
  // Safe cast: the schema is the one of the field.
  return parsed.data as PlainFields[F]
}

const addressLengths: Readonly<Record<keyof PostalAddress, number>> = { street: 300, city: 120, postalCode: 20, region: 120, country: 2 }

function addressPart(part: keyof PostalAddress, text: string): string {
  if (part === 'country') {
    const code = codeNamed('region', text)
    if (code === undefined) throw new Fault('country', `${text} is not a country; use a code such as DE`)
    return code
  }
  if (text.length > addressLengths[part]) throw new Fault(part, `must have at most ${addressLengths[part]} characters`)
  return text
}

/** Returns the distinct entries of all columns. Google separates several in a cell with colons. */
function entriesOf(field: 'email' | 'phone', given: readonly string[], labels: Labels, parse: (text: string) => string): ParsedEntry[] {
  const entries = new Map<string, ParsedEntry>()
  given.forEach((cell, column) => {
    const names = (labels[field][column] ?? '').split(':::').map((name) => parsedLabel(field, name))
    cell.split(':::').forEach((part, at) => {
      const text = part.trim().replace(/^mailto:/i, '')
      if (text === '') return
      const value = parse(text)
      if (!entries.has(value)) entries.set(value, { value, asSent: text, label: names.length === 1 ? names[0] : names[at] })
    })
  })
  if (entries.size > maxContactEntries) throw new Fault(field, `must be at most ${maxContactEntries}`)
  return [...entries.values()]
}

/** Google marks the main address with an asterisk. */
function parsedLabel(field: 'email' | 'phone', text: string): string | undefined {
  const label = text.replace(/^\s*\*/, '').trim()
  if (label.length > maxLabelLength) throw new Fault(`${field}Label`, `must have at most ${maxLabelLength} characters`)
  return label === '' ? undefined : label
}

function addConsent(values: RowValues, field: ConsentField, given: readonly string[]): void {
  // Safe cast: the part of the field's name.
  const channel = field.slice(field.indexOf('.') + 1) as Channel
  for (const text of given) {
    const state = consentState(field, text)
    if (state === undefined) throw new Fault(field, `${text} is neither granted, denied nor unknown`)
    if (state !== null) values.consent = { ...values.consent, [channel]: stricter(values.consent?.[channel], state) }
  }
}

function parsedEmail(text: string): string {
  try {
    return normalizeEmail(text, 'email')
  } catch (error) {
    if (error instanceof AppError) throw new Fault('email', `${text} is not an email address`)
    throw error
  }
}

/** Spreadsheets show long numbers as 4.93012E+11, and lose the digits when they save CSV. */
const isShortened = (text: string): boolean => /^[+-]?\d+[.,]?\d*e[+-]?\d+$/i.test(text)
const shortenedMessage = (text: string): string =>
  `${text} is a number that a spreadsheet has shortened. Format the column as text and enter it again.`

function parsedPhone(text: string, country: string | null): string {
  if (isShortened(text)) throw new Fault('phone', shortenedMessage(text))
  const international = text.replace(/^00(?=[1-9])/, '+')
  const readings = [readPhone(international, country)]
  // Spreadsheets drop the plus sign of a number.
  if (readings[0]?.isAssigned !== true && /^[1-9]\d{7,14}$/.test(text)) readings.push(readPhone(`+${text}`, null))
  const number = readings.find((each) => each?.isAssigned) ?? readings[0]
  if (number !== undefined) return number.value
  throw new Fault('phone', `${text} is not a valid phone number; use the international format, such as +4930123456`)
}

function readPhone(text: string, country: string | null): ReturnType<typeof normalizePhone> | undefined {
  try {
    return normalizePhone(text, country, 'phone')
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

const maxTags = 50
const maxTagLength = 60

function parsedTags(given: readonly string[]): string[] {
  const tags = new Map<string, string>()
  for (const tag of given.flatMap(tagsOfCell)) {
    if (tag.length > maxTagLength) throw new Fault('tags', `must be tags of at most ${maxTagLength} characters`)
    if (!tags.has(lowerTag(tag))) tags.set(lowerTag(tag), tag)
  }
  if (tags.size > maxTags) throw new Fault('tags', `must be at most ${maxTags} tags`)
  return [...tags.values()]
}

/** Splits `Ada Lovelace` and `Lovelace, Ada`. */
function splitName(text: string): { firstName?: string; lastName?: string } {
  const [, last, first] = /^([^,]+),\s*(.+)$/.exec(text) ?? []
  const at = text.lastIndexOf(' ')
  const names =
    last !== undefined && first !== undefined ? [first, last] : at === -1 ? [text] : [text.slice(0, at).trim(), text.slice(at + 1)]
  if (names.some((name) => name.length > 120)) throw new Fault('fullName', 'must have names of at most 120 characters')
  const [firstName = '', lastName] = names
  return { firstName, ...(lastName !== undefined && { lastName }) }
}

function parsedDomain(text: string): string {
  const domain = domainOf(text)
  if (domain === undefined) throw new Fault('companyDomain', `${text} is not a domain`)
  return domain
}

/** Returns the domain of an address in the web; undefined if it is none. */
const domainOf = (text: string): string | undefined =>
  domainInput.safeParse(text.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/[/?#].*$/, '')).data

const flags = new Map<string, boolean>([
  ...['true', 'yes', 'y', '1', 'x', 'ja', 'oui', 'si', 'sí'].map((text): [string, boolean] => [text, true]),
  ...['false', 'no', 'n', '0', 'nein', 'non'].map((text): [string, boolean] => [text, false]),
])

function parsedFlag(field: ImportField, text: string): boolean {
  const flag = flags.get(text.toLowerCase())
  if (flag === undefined) throw new Fault(field, `${text} is neither yes nor no`)
  return flag
}

function customValue(id: string, text: string, { customFields }: RowOptions): unknown {
  const field = customFields.get(id)
  if (field === undefined) throw new Fault(`customFields.${id}`, 'is archived')
  const value = parseText(field.type === 'date' ? isoDay(text) : text, field)
  if (value === undefined) throw new Fault(`customFields.${id}`, `${text} is not a value of type ${field.type}`)
  return value
}

/** Returns a day as YYYY-MM-DD, also from a spreadsheet's number and from the German form; other texts stay. */
function isoDay(text: string): string {
  const [, day, month, year] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text) ?? []
  if (day !== undefined && month !== undefined && year !== undefined) return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  if (/^\d{5}(?:\.\d+)?$/.test(text)) return dayOfSerial(Number(text)) ?? text
  return /^\d{4}-\d{2}-\d{2}T/.test(text) ? text.slice(0, 10) : text
}
