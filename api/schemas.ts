import { z } from 'zod'
import { currencyCodes } from './currencies.ts'
import { amountDigits, decimalPattern } from './money.ts'

const uuidPattern = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}'

export type IdPrefix =
  | 'ctc'
  | 'prp'
  | 'kb'
  | 'src'
  | 'pag'
  | 'chk'
  | 'org'
  | 'tok'
  | 'upl'
  | 'evt'
  | 'aud'
  | 'whk'
  | 'dlv'
  | 'ret'
  | 'qst'
  | 'eva'
  | 'rix'
  | 'usr'
  | 'inv'
  | 'msg'

/** An id as callers may send it, `<prefix>_<uuid>` or the bare UUID; parsed to the bare lower-case UUID. */
export const idInput = (prefix: IdPrefix) =>
  z
    .string()
    .regex(new RegExp(`^(?:${prefix}_)?${uuidPattern}$`), `must be an id of the form ${prefix}_<uuid>`)
    .transform((id) => id.slice(-36).toLowerCase())

/** The same, of a thing of any kind. */
export const anyIdInput = z
  .string()
  .regex(new RegExp(`^(?:[a-z]{2,3}_)?${uuidPattern}$`), 'must be an id: a prefix such as ctc_, and a UUID')
  .transform((id) => id.slice(-36).toLowerCase())

/** An id as the service writes it. */
export const idOutput = (prefix: IdPrefix) =>
  z.string().meta({ description: `${prefix}_ and a UUID`, examples: [`${prefix}_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8`] })

/** The wire form of a stored id. */
export const wireId = (prefix: IdPrefix, id: string): string => `${prefix}_${id}`

export const Timestamp = z.iso.datetime().meta({ description: 'ISO 8601, UTC, with milliseconds' })

/** Text that a database can keep: no NUL, no half of a surrogate pair. White space around it is dropped. */
export const text = (minLength: number, maxLength: number) =>
  z
    .string()
    .trim()
    .check(lengthFrom(minLength, maxLength))
    .refine((value) => !value.includes('\u0000') && isWellFormed(value), 'must be well-formed text without NUL characters')
    .meta({ minLength, maxLength, pattern: minLength === 0 ? withoutNul : notBlank })

/** A check of the length in Unicode characters, as JSON Schema counts them. */
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

/** The common form of a BCP 47 tag: language, script, region and variants. Extensions are taken too. */
const languagePattern = '^[A-Za-z]{2,3}(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|[0-9]{3}))?(?:-(?:[A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))?$'

/** A BCP 47 tag in its customary spelling. */
export const languageTag = text(2, 35)
  .meta({ pattern: languagePattern })
  .refine(isLanguageTag, 'must be a BCP 47 language tag such as "de" or "pt-BR"')
  .transform((tag) => Intl.getCanonicalLocales(tag)[0] ?? tag)

function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

/** A field that may also be cleared. */
export const clearable = <S extends z.ZodType>(schema: S) => schema.nullable().optional()

/** Text of a record that is empty rather than null once it is cleared. */
export const clearableText = (maxLength: number) =>
  text(0, maxLength)
    .nullable()
    .transform((value) => value ?? '')

/** A number within bounds, and one message for every way to miss them. */
const bounded = (number: z.ZodNumber, min: number, max: number, kind: string) => {
  const error = `must be a ${kind} from ${min} to ${max}`
  return number.min(min, error).max(max, error)
}

const unlessMissing = (error: string) => ({ error: ({ input }: { input?: unknown }) => (input === undefined ? undefined : error) })

/** A whole number from `min` to `max`. */
export function wholeNumber(min: number, max: number) {
  const error = unlessMissing(`must be a whole number from ${min} to ${max}`)
  return bounded(z.number(error).int(error), min, max, 'whole number')
}

/** A number from `min` to `max`, with decimals. */
export const numberFrom = (min: number, max: number) =>
  bounded(z.number(unlessMissing(`must be a number from ${min} to ${max}`)), min, max, 'number')

/** Any number that JSON readers keep as it is: an integer beyond 2^53 would silently become another one. */
export const exactNumber = numberFrom(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)

/** A whole number in a query, in decimal digits: no exponent, sign, space or other base. */
export const queryInteger = (min: number, max: number) => z.preprocess(fromDigits, wholeNumber(min, max))

function fromDigits(value: unknown, check: z.core.$RefinementCtx): unknown {
  if (Array.isArray(value)) check.addIssue({ code: 'custom', message: 'must be given only once' })
  return typeof value === 'string' && /^(?:0|[1-9]\d*)$/.test(value) ? Number(value) : value
}

export const limit = queryInteger(1, 100).default(50)

/** Query of a list that is paged by cursor, newest first. */
export const pageQuery = { limit, cursor: text(1, 200).optional().meta({ description: 'The nextCursor of the page before.' }) }

/** The reply of such a list. */
export const pageOf = <S extends z.ZodType>(item: S) =>
  z.object({ data: z.array(item), nextCursor: z.string().nullable().meta({ description: 'null on the last page' }) })

/** A decimal amount in: up to twelve digits and at most two decimals. */
export const amountInput = z
  .string()
  .regex(decimalPattern(amountDigits), 'must be a decimal amount with at most two decimals, such as "1200.00"')
  .meta({ examples: ['1200.00'] })
/** A decimal amount out: always two decimals. */
export const Amount = z.string().meta({ description: 'Decimal with exactly two decimals', examples: ['1200.00'] })

export const currencyInput = z
  .string()
  .meta({ id: 'Currency', description: 'A currency code of ISO 4217', enum: currencyCodes })
  .transform((code) => code.toUpperCase())
  .pipe(z.enum(currencyCodes, 'must be a currency code of ISO 4217, such as EUR'))

/** A moment ahead, with its offset. */
export const momentInput = z.iso.datetime({ offset: true }).meta({ examples: ['2099-12-31T23:59:59Z'] })

/** A moment in a query: an unescaped plus sign of its offset arrives as a space. */
export const queryTime = z
  .string()
  .meta({ format: 'date-time', examples: ['2026-05-25T20:14:00Z'] })
  .transform((value) => value.trim().replace(' ', '+'))
  .pipe(z.iso.datetime({ offset: true }))

const boolean = (value: string): boolean => value === 'true'
export const queryBoolean = z.enum(['true', 'false']).transform(boolean)
