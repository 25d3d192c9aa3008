import { z } from 'zod'
import { exactlyOne, onlyWith, someWith } from './field-rules.ts'
import { exactNumber, text } from './schemas.ts'

/** Filter on the metadata of sources: one of `and`, `or`, `not`, or a condition on one key. */
export interface SearchFilter {
  and?: SearchFilter[] | undefined
  or?: SearchFilter[] | undefined
  not?: SearchFilter | undefined
  key?: string | undefined
  eq?: string | number | boolean | undefined
  in?: (string | number | boolean)[] | undefined
  gt?: string | number | undefined
  gte?: string | number | undefined
  lt?: string | number | undefined
  lte?: string | number | undefined
  exists?: boolean | undefined
}

/** Maximum nesting depth of a filter; a single condition has depth 1. */
const maxFilterDepth = 5
const maxFilterConditions = 50

const comparisons = ['eq', 'in', 'gt', 'gte', 'lt', 'lte', 'exists'] as const

const scalar = z.union([text(0, 500), exactNumber, z.boolean()], 'must be a text of at most 500 characters, a number, true or false')
const year = String.raw`(?:[1-9]\d{3}|0[1-9]\d{2}|00[1-9]\d|000[1-9])`
const leapYear = String.raw`(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)`
const day = String.raw`(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))`
const time = String.raw`T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)`
/** An existing date, alone or with a time and its offset. `moment_of` in the database parses the same form. */
const momentForm = new RegExp(`^(?:${leapYear}-02-29|${year}-${day})(?:${time})?$`)
const boundForm = 'must be a number, an ISO 8601 date, or an ISO 8601 time with an offset'
const bound = z
  .union([exactNumber, z.string().regex(momentForm, boundForm)], boundForm)
  .meta({ examples: [100, '2026-05-25', '2026-05-25T20:14:00Z'] })

const filters = z.lazy(() => z.array(Node).min(1).max(maxFilterConditions))

const fields = z.strictObject({
  and: filters.optional().describe('All of these filters must hold, 1 to 50.'),
  or: filters.optional().describe('At least one of these filters must hold, 1 to 50.'),
  not: z
    .lazy(() => Node)
    .optional()
    .describe('This filter must not hold.'),
  key: text(1, 64)
    .optional()
    .meta({ description: 'Metadata key of the condition.', examples: ['product'] }),
  eq: scalar.optional().describe('The value equals this one, or a list contains it. Types and case must match.'),
  in: z
    .array(scalar)
    .min(1)
    .max(100)
    .optional()
    .describe('The value equals one of these, or a list contains one of them. At most 100 values.'),
  gt: bound.optional().describe('The number, date or time is greater than this one.'),
  gte: bound.optional().describe('The number, date or time is greater than or equal to this one.'),
  lt: bound.optional().describe('The number, date or time is less than this one.'),
  lte: bound.optional().describe('The number, date or time is less than or equal to this one.'),
  exists: z.boolean().optional().describe('true: the key must be present; false: it must be absent.'),
})
const oneKind = exactlyOne(fields, ['and', 'or', 'not', 'key'], { field: 'key', message: 'is required unless and, or, or not is given' })
const condition = someWith(onlyWith(oneKind, 'key', comparisons), 'key', comparisons)

const Node: z.ZodType<SearchFilter, SearchFilter> = condition.meta({
  id: 'SearchFilter',
  description:
    'Condition on the metadata of sources: exactly one of `and`, `or`, `not` and `key`. Several comparisons of one key must all hold. ' +
    'A missing key, or a value of another type, satisfies only `exists: false` and negations. A date counts as midnight UTC. ' +
    `At most ${maxFilterDepth} levels and ${maxFilterConditions} conditions.`,
  examples: [{ and: [{ key: 'product', in: ['bicycle', 'e-bike'] }, { not: { key: 'validUntil', lt: '2026-05-25' } }] }],
})

interface Place {
  readonly value: unknown
  readonly path: readonly (string | number)[]
  readonly depth: number
}

/** Checks depth and size before the schema does, because the schema would recurse as deeply as the body is nested. */
function sizeFault(filter: unknown): { path: (string | number)[]; message: string } | undefined {
  const places: Place[] = [{ value: filter, path: [], depth: 1 }]
  let conditions = 0
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    const { value, path, depth } = place
    if (typeof value !== 'object' || value === null) continue
    if (depth > maxFilterDepth) return { path: [...path], message: `is nested more than ${maxFilterDepth} levels deep` }
    if ('key' in value && ++conditions > maxFilterConditions)
      return { path: [], message: `has more than ${maxFilterConditions} conditions` }
    for (const [kind, inner] of Object.entries(value)) {
      if (kind === 'not') places.push({ value: inner, path: [...path, kind], depth: depth + 1 })
      if ((kind !== 'and' && kind !== 'or') || !Array.isArray(inner)) continue
      if (inner.length > maxFilterConditions) return { path: [...path, kind], message: `has more than ${maxFilterConditions} parts` }
      for (const [at, each] of inner.entries()) places.push({ value: each, path: [...path, kind, at], depth: depth + 1 })
    }
  }
  return undefined
}

const guarded = z.preprocess((filter, check) => {
  const fault = sizeFault(filter)
  if (fault !== undefined) check.addIssue({ code: 'custom', ...fault })
  return filter
}, Node)

/** `Node` with its limits. The cast restores the input type, which preprocessing loses. */
export const SearchFilter = guarded as unknown as typeof Node
