import { z } from 'zod'
import { countryCodes } from './countries.ts'
import { currencyCodes } from './currencies.ts'
import { amountDigits, decimalPattern } from './money.ts'

const uuidPattern = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}'

/** Prefixes of ids, with the records they belong to. */
const idNouns = {
  ctc: 'contact',
  chg: 'change',
  sug: 'suggestion',
  dup: 'pair of contacts',
  co: 'company',
  cdp: 'pair of companies',
  fld: 'custom field',
  imp: 'import',
  job: 'bulk change of contacts',
  prp: 'proposal',
  rcp: 'recipient',
  pqs: 'question about a proposal',
  viw: 'view of a proposal',
  view: 'saved view of contacts',
  plv: 'saved view of proposals',
  kb: 'knowledge base',
  src: 'source',
  srv: 'saved view of sources',
  pag: 'page',
  chk: 'chunk',
  org: 'organization',
  tok: 'API token',
  upl: 'upload',
  evt: 'event',
  aud: 'audit entry',
  req: 'API request',
  whk: 'webhook endpoint',
  dlv: 'delivery',
  ret: 'search',
  qst: 'question',
  eva: 'evaluation',
  rix: 're-index',
  usr: 'user',
  inv: 'invitation',
  msg: 'message',
  crt: 'certificate',
  act: 'activity',
  cns: 'consent entry',
} as const
export type IdPrefix = keyof typeof idNouns

/** An id in requests: `<prefix>_<uuid>` or the bare UUID; parsed to the bare lower-case UUID. */
export const idInput = (prefix: IdPrefix) =>
  z
    .string()
    .regex(new RegExp(`^(?:${prefix}_)?${uuidPattern}$`), `must be an id of the form ${prefix}_<uuid>`)
    .meta({ description: `Id of the ${idNouns[prefix]}: \`${prefix}_\` and a UUID. The prefix may be omitted.` })
    .transform((id) => id.slice(-36).toLowerCase())

/** An id of any kind of record in requests. */
export const anyIdInput = z
  .string()
  .regex(new RegExp(`^(?:[a-z]{2,4}_)?${uuidPattern}$`), 'must be an id: a prefix such as ctc_, and a UUID')
  .meta({ description: 'Id of a record: a prefix such as `ctc_` and a UUID. The prefix may be omitted.' })
  .transform((id) => id.slice(-36).toLowerCase())

/** The id of a token or a user in requests; parsed to its lower-case form with the prefix. */
export const authorIdInput = z
  .string()
  .regex(new RegExp(`^(?:tok|usr)_${uuidPattern}$`), 'must be an id of the form tok_<uuid> or usr_<uuid>')
  .transform((id) => id.toLowerCase())

/** An id in responses. */
export const idOutput = (prefix: IdPrefix) =>
  z.string().meta({
    description: `Id of the ${idNouns[prefix]}: \`${prefix}_\` and a UUID.`,
    examples: [`${prefix}_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8`],
  })

/** Fields that a record has only in answers to changes. */
export const onlyInChanges = z.registry()

/** Converts a stored id to its public form. */
export const wireId = (prefix: IdPrefix, id: string): string => `${prefix}_${id}`

export const Timestamp = z.iso
  .datetime()
  .meta({ description: 'Time in UTC with milliseconds (ISO 8601).', examples: ['2026-05-25T20:14:00.000Z'] })
export const createdAt = Timestamp.describe('Time of creation: UTC with milliseconds (ISO 8601).')
export const updatedAt = Timestamp.describe('Time of the last change to the record: UTC with milliseconds (ISO 8601).')

/** Text without NUL characters or lone surrogates, which the database cannot store. Surrounding white space is removed. */
export const text = (minLength: number, maxLength: number) => textOf(z.string().trim(), minLength, maxLength)

function textOf(string: z.ZodString, minLength: number, maxLength: number) {
  return string
    .check(lengthFrom(minLength, maxLength))
    .refine((value) => !value.includes('\u0000') && isWellFormed(value), 'must be well-formed text without NUL characters')
    .meta({ minLength, maxLength, pattern: minLength === 0 ? withoutNul : notBlank })
}

/** Checks the length in Unicode characters, as JSON Schema counts them. */
export const lengthFrom =
  (minLength: number, maxLength: number) =>
  ({ value, issues }: z.core.ParsePayload<string>): void => {
    const length = value.length <= maxLength && minLength <= 1 ? value.length : Array.from(value).length
    const limits = { origin: 'string', inclusive: true, input: value } as const
    if (length < minLength) issues.push({ code: 'too_small', minimum: minLength, ...limits })
    if (length > maxLength) issues.push({ code: 'too_big', maximum: maxLength, ...limits })
  }

const withoutNul = String.raw`^[^\u0000]*$`
const notBlank = String.raw`^\s*[^\s\u0000][^\u0000]*$`
const isWellFormed = (value: string): boolean => !/\p{Surrogate}/u.test(value)

/** Reasons, each with its meaning in the description. */
export const reasonsOf = <Reason extends string>(meanings: Readonly<Record<Reason, string>>, description: string) =>
  z
    // Safe cast: the keys of the record.
    .array(z.enum(Object.keys(meanings) as [Reason, ...Reason[]]))
    .describe(
      `${description} ${Object.entries<string>(meanings)
        .map(([reason, meaning]) => `\`${reason}\`: ${meaning}`)
        .join(' ')}`,
    )

/** A phone number in a query. An unescaped plus sign arrives as a space. */
export const queryPhone = textOf(
  z
    .string()
    .overwrite((value) => value.replace(/^ (?=\d)/, '+'))
    .trim(),
  1,
  60,
)

/** The published pattern of a BCP 47 tag: language, script, region and one variant. */
const languagePattern = '^[A-Za-z]{2,3}(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|[0-9]{3}))?(?:-(?:[A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))?$'

/** A BCP 47 tag, parsed to its canonical spelling. */
export const languageTag = text(2, 35)
  .meta({ pattern: languagePattern, description: 'BCP 47 language tag.' })
  .refine(isLanguageTag, 'must be a BCP 47 language tag such as "de" or "pt-BR"')
  .transform((tag) => Intl.getCanonicalLocales(tag)[0] ?? tag)

function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

/** An IANA time zone. */
export const timeZoneInput = text(1, 60)
  .meta({ pattern: String.raw`^[A-Za-z][A-Za-z0-9_+\-]*(?:/[A-Za-z0-9_+\-]+)*$`, examples: ['Europe/Berlin', 'America/New_York'] })
  .refine(isTimeZone, 'must be an IANA time zone such as Europe/Berlin')

function isTimeZone(value: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** Returns a code in upper case. Other letters stay, because the upper case of `ı` is an ASCII letter. */
const upperCaseOf = (code: string): string => code.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase())

/** A country code in either case, parsed to upper case. */
export const countryInput = z
  .string()
  .meta({ id: 'Country', description: 'ISO 3166-1 alpha-2 country code. Lower case is accepted too.', enum: countryCodes })
  .transform(upperCaseOf)
  .pipe(z.enum(countryCodes, 'must be an ISO 3166-1 country code, such as DE'))

/** An optional field that null clears. */
export const clearable = <S extends z.ZodType>(schema: S) => schema.nullable().optional()

/** Text that null clears: it becomes the empty string. */
export const clearableText = (maxLength: number) =>
  text(0, maxLength)
    .nullable()
    .transform((value) => value ?? '')

/** A number within bounds, with the same message for every violation. */
const bounded = (number: z.ZodNumber, min: number, max: number, kind: string) => {
  const error = `must be a ${kind} from ${min} to ${max}`
  return number.min(min, error).max(max, error)
}

/** The error of a wrong value. A missing one has the usual error of a required field. */
const unlessMissing = (error: string) => ({ error: ({ input }: { input?: unknown }) => (input === undefined ? undefined : error) })

/** A whole number from `min` to `max`. */
export function wholeNumber(min: number, max: number) {
  const error = unlessMissing(`must be a whole number from ${min} to ${max}`)
  return bounded(z.number(error).int(error), min, max, 'whole number')
}

/** A number from `min` to `max`; it may have decimals. */
export const numberFrom = (min: number, max: number) =>
  bounded(z.number(unlessMissing(`must be a number from ${min} to ${max}`)), min, max, 'number')

/** Any number in the range in which JSON parsers read integers exactly: one beyond 2^53 would silently become another. */
export const exactNumber = numberFrom(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)

/** A whole number in a query, in decimal digits: no exponent, sign, space or other base. */
export const queryInteger = (min: number, max: number) => z.preprocess(fromDigits, wholeNumber(min, max))

function fromDigits(value: unknown, check: z.core.$RefinementCtx): unknown {
  if (Array.isArray(value)) check.addIssue({ code: 'custom', message: 'must be given only once' })
  return typeof value === 'string' && /^(?:0|[1-9]\d*)$/.test(value) ? Number(value) : value
}

/** A decimal number in a query: digits, with an optional fraction, without an exponent or a sign. */
export const queryDecimal = (min: number, max: number) => z.preprocess(fromDecimal, z.number().min(min).max(max))

function fromDecimal(value: unknown, check: z.core.$RefinementCtx): unknown {
  if (Array.isArray(value)) check.addIssue({ code: 'custom', message: 'must be given only once' })
  return typeof value === 'string' && /^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(value) ? Number(value) : value
}

export const limit = queryInteger(1, 100).default(50).meta({ description: 'Maximum number of records to return, 50 by default.' })

/** Query parameters of a list with cursor paging. */
export const pageQuery = {
  limit,
  cursor: text(1, 200)
    .optional()
    .meta({ description: '`nextCursor` of the previous page. Without it, the list starts at the first record.' }),
}

/** The response of a list with cursor paging. */
export const pageOf = <S extends z.ZodType>(item: S) =>
  z.object({
    data: z.array(item).meta({ description: 'Records of this page.' }),
    nextCursor: z
      .string()
      .nullable()
      .meta({ description: 'Value of `cursor` for the next page, with the same filters; null on the last page.' }),
  })

/** A decimal amount in requests: up to twelve digits before the decimal point, and at most two after it. */
export const amountInput = z
  .string()
  .regex(decimalPattern(amountDigits), 'must be a decimal amount with at most two decimals, such as "1200.00"')
  .meta({
    description: 'Decimal amount as a string: up to 12 digits before the decimal point, and at most 2 after it.',
    examples: ['1200.00'],
  })
/** A decimal amount in responses. */
export const Amount = z.string().meta({ description: 'Decimal amount as a string, always with two decimals.', examples: ['1200.00'] })

export const currencyInput = z
  .string()
  .meta({ id: 'Currency', description: 'ISO 4217 currency code in upper case.', enum: currencyCodes })
  .transform(upperCaseOf)
  .pipe(z.enum(currencyCodes, 'must be an ISO 4217 currency code, such as EUR'))

const storableTime = z.iso
  .datetime({ offset: true })
  .refine(
    (value) => Date.parse(value) >= Date.parse('1900-01-01T00:00:00Z') && Date.parse(value) <= Date.parse('9999-12-31T23:59:59.999Z'),
    'must be in the years 1900 to 9999 in UTC',
  )

/**
 * A time with its offset in requests. A year before 1900 is a typing error, for example one of two digits, and responses have no form
 * for times after 9999 in UTC.
 */
export const timestampInput = storableTime.meta({
  description: 'Time with an offset (ISO 8601), in the years 1900 to 9999 in UTC.',
  examples: ['2099-12-31T23:59:59Z'],
})

/** A time that is not in the future. The server compares it with its clock. */
export const pastTimestampInput = storableTime.meta({
  description: 'Time with an offset (ISO 8601), from 1900, not in the future.',
  examples: ['2026-05-25T20:14:00Z'],
})

/** Any time with its offset that records are compared with. */
export const boundInput = z.iso
  .datetime({ offset: true })
  .meta({ description: 'Time with an offset (ISO 8601).', examples: ['2026-05-25T20:14:00Z'] })

/** A time in a query. An unescaped plus sign of its offset arrives as a space. */
export const queryTime = z
  .string()
  .meta({ description: 'Time with an offset (ISO 8601).', format: 'date-time', examples: ['2026-05-25T20:14:00Z'] })
  .transform((value) => value.trim().replace(' ', '+'))
  .pipe(z.iso.datetime({ offset: true }))

const isTrue = (value: string): boolean => value === 'true'
export const queryBoolean = z.enum(['true', 'false']).transform(isTrue)

export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256: 64 hexadecimal digits in lower case')
