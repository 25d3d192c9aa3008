import type { ImportField } from '@groundwork/api'
import { createCsvReader } from './csv-reader.ts'

const delimiters = [',', ';', '\t', '|'] as const
const sampledRows = 20

/** Returns the delimiter that splits the beginning of a file into the most columns of the same number in each row. */
export function guessDelimiter(sample: string): string {
  const [, declared] = /^sep=(.)\r?\n/i.exec(sample) ?? []
  if (declared !== undefined) return declared
  const scores = delimiters.map((delimiter) => {
    try {
      const widths = createCsvReader(delimiter)
        .push(sample)
        .slice(0, sampledRows)
        .map(({ cells }) => cells.length)
      const [first = 1] = widths
      const same = widths.filter((width) => width === first).length / Math.max(widths.length, 1)
      return { delimiter, score: (first - 1) * same }
    } catch {
      return { delimiter, score: 0 }
    }
  })
  return scores.reduce((best, each) => (each.score > best.score ? each : best), { delimiter: ',', score: 0 }).delimiter
}

/** Returns the encoding that the first bytes of a file show; undefined if they fit UTF-8 and Windows-1252. */
export function guessWideEncoding(bytes: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const zeros = [0, 0]
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (odd > bytes.length / 8 && odd > even * 4) return 'utf-16le'
  return even > bytes.length / 8 && even > odd * 4 ? 'utf-16be' : undefined
}

/** Headers of exports of Google, Outlook, HubSpot and others, in the form of `words`. */
const headers: Readonly<Record<ImportField, readonly string[]>> = {
  externalId: list(
    'external id|externalid|id|contact id|record id|record id contact|customer id|customer number|kundennummer|numero client',
  ),
  firstName: list('first name|firstname|given name|forename|vorname|prenom|nombre|nome'),
  lastName: list('last name|lastname|family name|surname|nachname|familienname|nom|apellidos|cognome'),
  fullName: list('name|full name|fullname|display name|contact name|contact'),
  email: list(
    'email|e mail|mail|email address|e mail address|e mail adresse|emailadresse|emails|primary email|work email|home email|personal email|additional email addresses|adresse e mail|correo electronico|e mail 2 address|e mail 3 address|e mail 1 value|e mail 2 value|e mail 3 value|e mail 4 value',
  ),
  emailLabel: list(
    'e mail 1 label|e mail 2 label|e mail 3 label|e mail 4 label|e mail 1 type|e mail 2 type|e mail 3 type|e mail 4 type|e mail label|e mail type|email label|emaillabel|email type',
  ),
  phone: list(
    'phone|phone number|phones|telephone|telephone number|telefon|telefonnummer|tel|telefono|mobile|mobile phone|mobile phone number|mobile number|mobil|mobiltelefon|handy|cell phone|primary phone|business phone|business phone 2|company main phone|home phone|home phone 2|work phone|other phone|phone 1 value|phone 2 value|phone 3 value|phone 4 value',
  ),
  phoneLabel: list(
    'phone 1 label|phone 2 label|phone 3 label|phone 4 label|phone 1 type|phone 2 type|phone 3 type|phone 4 type|phone label|phonelabel|phone type',
  ),
  jobTitle: list(
    'job title|jobtitle|title|position|role|organization title|organization 1 title|berufsbezeichnung|funktion|fonction|cargo',
  ),
  street: list('street|street address|address street|address|address line 1|strasse|straße|rue|calle'),
  city: list('city|address city|town|ort|stadt|ville|ciudad|citta'),
  postalCode: list(
    'postal code|postalcode|address postal code|zip|zip code|zipcode|postcode|plz|postleitzahl|code postal|codigo postal|cap',
  ),
  region: list('region|state|state region|address state|province|county|bundesland|provincia'),
  country: list('country|country region|address country|land|pays|pais|paese'),
  language: list('language|preferred language|sprache|langue|idioma|lingua'),
  timeZone: list('time zone|timezone|zeitzone'),
  doNotContact: list('do not contact|donotcontact'),
  'consent.email': list(
    'consent email|consentemail|email consent|e mail consent|email opt in|e mail opt in|email optin|email marketing consent|accepts email marketing|accepts marketing|email subscription status|einwilligung e mail|e mail einwilligung',
  ),
  'optOut.email': list(
    'optout email|email opt out|e mail opt out|email optout|opted out of email|has opted out of email|unsubscribed from all email|unsubscribed|email unsubscribed|do not email',
  ),
  'consent.phone': list('consent phone|consentphone|phone consent|phone opt in|call opt in|einwilligung telefon'),
  'optOut.phone': list('optout phone|phone opt out|call opt out|do not call|donotcall'),
  'consent.sms': list('consent sms|consentsms|sms consent|sms opt in|text opt in|sms marketing consent|accepts sms marketing'),
  'optOut.sms': list('optout sms|sms opt out|text opt out|do not text'),
  'consent.post': list('consent post|consentpost|post consent|postal consent|direct mail opt in|einwilligung post'),
  'optOut.post': list('optout post|direct mail opt out|do not mail'),
  tags: list('tags|tag|labels|label|categories|kategorien|group membership|groups'),
  source: list('source|lead source|original source|origin|quelle|herkunft'),
  companyName: list(
    'company|company name|companyname|organization|organisation|organization name|organization 1 name|associated company|account|account name|firma|unternehmen|entreprise|societe|empresa|azienda',
  ),
  companyDomain: list('company domain|company domain name|companydomain|domain|website|website url|company website|web page|webseite'),
}

function list(names: string): readonly string[] {
  return names.split('|')
}

const known = new Map(
  Object.entries(headers).flatMap(([field, names]) => names.map((name): [string, ImportField] => [words(name), field as ImportField])),
)

/** Returns lower-case words without accents and punctuation. */
export function words(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Groups of address columns, as in `Home Street` of Outlook, `Mailing City` of Salesforce and `Address 1 - City` of Google. */
const addressPrefix = /^(address \d+|alternate|billing|business|home|mailing|office|other|primary|private|shipping|work) (?=.)/
const addressFields: ReadonlySet<string> = new Set(['street', 'city', 'postalCode', 'region', 'country'])

export const isAddressField = (field: string | null): boolean => field !== null && addressFields.has(field)

/** Returns the group of address columns to which a header belongs, such as `home`; undefined for none. */
export const addressGroupOf = (header: string): string | undefined => addressPrefix.exec(words(header))?.[1]

function standardField(header: string): ImportField | undefined {
  const name = words(header)
  const part = known.get(name.replace(addressPrefix, ''))
  return known.get(name) ?? (isAddressField(part ?? null) ? part : undefined)
}

interface NamedField {
  readonly id: string
  readonly name: string
}

/** Headers that mean their field only if no other column does: Outlook calls the form of address `Title`, and exports of this service have `id` beside `externalId`. */
const weakHeaders: ReadonlySet<string> = new Set(['id', 'title'])

/** The columns that a file of failed rows has besides those of the imported file. */
export const errorColumns = ['row', 'field', 'error'] as const

/** Returns the indexes of the columns of errors, several times if a file of failed rows failed again. */
export function findErrorColumns(columns: readonly string[]): ReadonlySet<number> {
  const isStart = (start: number): boolean => errorColumns.every((name, offset) => columns[start + offset]?.trim() === name)
  return new Set(columns.flatMap((_, start) => (isStart(start) ? errorColumns.map((_name, offset) => start + offset) : [])))
}

/**
 * Returns the fields that the headers of a file name; null for none. Custom fields are named by their id, or by a name that no other
 * field has, but not by the columns of errors.
 */
export function guessFields(columns: readonly string[], customFields: readonly NamedField[]): (string | null)[] {
  const ofErrors = findErrorColumns(columns)
  const isWeak = (header: string): boolean => weakHeaders.has(words(header))
  const fields = columns.map((header) => customFields.find(({ id }) => header.trim() === id)?.id ?? standardField(header))
  const strong = new Set(fields.filter((_, index) => !isWeak(columns[index] ?? '')))
  return columns.map((header, index) => {
    const field = fields[index]
    if (field !== undefined && !(isWeak(header) && strong.has(field))) return field
    if (ofErrors.has(index)) return null
    return customFields.find(({ name }) => words(name) === words(header))?.id ?? null
  })
}

/** Returns the field that a header names by itself; null for none. */
export const guessField = (header: string, customFields: readonly NamedField[]): string | null =>
  guessFields([header], customFields)[0] ?? null

/** Returns whether a row looks like data and not like headers. */
export const looksLikeData = (row: readonly string[]): boolean => row.some((cell) => /\S@\S+\.\S|^\+?[\d\s().-]{6,}$/.test(cell))
