import type { z } from 'zod'

/**
 * Returns what is wrong with a value as the predicate of a sentence whose subject is the field, such as "is required" or
 * "must be true or false". Pass it as the `error` of a parse: a message that a schema states itself takes precedence.
 */
export function issueMessage(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined && typeErrors.has(issue.code)) return 'is required'
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeNames[issue.expected] ?? 'of another type'}`
    case 'invalid_value':
      return `must be ${oneOf(issue.values)}`
    case 'too_small':
      return tooSmall(issue)
    case 'too_big':
      return `must ${issue.origin === 'number' ? 'be' : 'have'} at most ${counted(issue.maximum, issue.origin)}`
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'invalid_format':
      return `must be ${formatNames[issue.format] ?? 'of another form'}`
    case 'unrecognized_keys':
      return 'is not a known field'
    case 'invalid_union':
      return unionMessage(issue)
    case 'invalid_key':
      return `is not a valid name: it ${issue.issues[0]?.message ?? 'is of another form'}`
    default:
      return 'is not valid'
  }
}

/** The same for a query, in which a parameter that was sent more than once arrives as a list. */
export function queryIssueMessage(issue: z.core.$ZodRawIssue): string {
  const repeated = Array.isArray(issue.input) && (issue.code === 'invalid_type' || issue.code === 'invalid_value')
  return repeated ? 'must be given only once' : issueMessage(issue).replace(/, or a list$/, '')
}

const typeErrors = new Set<string | undefined>(['invalid_type', 'invalid_value', 'invalid_union'])

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

const formatNames: Readonly<Record<string, string>> = {
  email: 'an email address',
  datetime: 'a date and time with an offset, such as 2026-05-25T20:14:00Z',
  date: 'a date, such as 2026-05-25',
  url: 'an absolute URL',
  uuid: 'a UUID',
}

function tooSmall({ minimum, origin }: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall>): string {
  if (origin === 'number') return `must be at least ${minimum}`
  return origin === 'string' && minimum === 1 ? 'must not be empty' : `must have at least ${counted(minimum, origin)}`
}

function counted(count: number | bigint, origin: string): string {
  if (origin === 'number') return String(count)
  const noun = origin === 'string' ? 'character' : 'item'
  return `${count} ${noun}${Number(count) === 1 ? '' : 's'}`
}

const oneOf = (values: readonly unknown[]): string =>
  values.length === 1 ? JSON.stringify(values[0]) : `one of ${values.map(String).join(', ')}`

/** Joins the expectations of the alternatives without repetition. */
function unionMessage(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string {
  const { options, errors } = issue as { options?: readonly unknown[]; errors: z.core.$ZodIssue[][] }
  if (options !== undefined) {
    const { input, discriminator } = issue as { input?: unknown; discriminator?: string }
    return isMissing(input, discriminator) ? 'is required' : `must be ${oneOf(options)}`
  }
  const wanted = errors.flatMap(([first]) => /^must be (.+)$/.exec(first?.message ?? '')?.[1] ?? [])
  return wanted.length === 0 ? 'is not valid' : `must be ${[...new Set(wanted)].join(', or ')}`
}

const isMissing = (input: unknown, key: string | undefined): boolean =>
  key !== undefined && typeof input === 'object' && input !== null && (input as Record<string, unknown>)[key] === undefined
