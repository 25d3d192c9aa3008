import { z } from 'zod'
import { exactlyOne, onlyWith, someWith } from './field-rules.ts'
import { exactNumber, text } from './schemas.ts'

/** What the metadata of a source must be like: one of `and`, `or`, `not`, or a condition on one key of it. */
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

/** Levels of a filter, a condition alone being one. */
const maxFilterDepth = 5
const maxFilterConditions = 50

const comparisons = ['eq', 'in', 'gt', 'gte', 'lt', 'lte', 'exists'] as const

const scalar = z.union([text(0, 500), exactNumber, z.boolean()], 'must be a text of up to 500 characters, a number, true or false')
const year = String.raw`(?:[1-9]\d{3}|0[1-9]\d{2}|00[1-9]\d|000[1-9])`
const leapYear = String.raw`(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)`
const day = String.raw`(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))`
const time = String.raw`T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)`
/** A date that exists, alone or with a time and its offset. `moment_of` in the database reads the same. */
const momentForm = new RegExp(`^(?:${leapYear}-02-29|${year}-${day})(?:${time})?$`)
const boundForm = 'must be a number, or a date or time with an offset as ISO 8601 has it'
const bound = z
  .union([exactNumber, z.string().regex(momentForm, boundForm)], boundForm)
  .meta({ examples: [100, '2026-05-25', '2026-05-25T20:14:00Z'] })

const filters = z.lazy(() => z.array(Node).min(1).max(maxFilterConditions))

const fields = z.strictObject({
  and: filters.optional(),
  or: filters.optional(),
  not: z.lazy(() => Node).optional(),
  key: text(1, 64).optional().meta({ description: 'Of the metadata' }),
  eq: scalar.optional().meta({ description: 'Its value, or one of its values where it is a list' }),
  in: z.array(scalar).min(1).max(100).optional().meta({ description: 'Any of these as eq' }),
  gt: bound.optional(),
  gte: bound.optional(),
  lt: bound.optional(),
  lte: bound.optional(),
  exists: z.boolean().optional().meta({ description: 'Whether the key is there' }),
})
const oneKind = exactlyOne(fields, ['and', 'or', 'not', 'key'], { field: 'key', message: 'is required unless there is and, or, or not' })
const condition = someWith(onlyWith(oneKind, 'key', comparisons), 'key', comparisons)

const Node: z.ZodType<SearchFilter, SearchFilter> = condition.meta({
  id: 'SearchFilter',
  description:
    `Nested ${maxFilterDepth} deep at most, with ${maxFilterConditions} conditions at most. ` +
    'One of and, or, not, or a key with what it is compared with, of which all must hold. Texts, numbers and true or false equal their own kind alone; gt to lte compare numbers, or dates and times as moments, a date being its midnight in UTC. A key that is not there fulfils exists: false and what not makes of the rest.',
  examples: [{ and: [{ key: 'product', in: ['bicycle', 'e-bike'] }, { not: { key: 'validUntil', lt: '2026-05-25' } }] }],
})

interface Place {
  readonly value: unknown
  readonly path: readonly (string | number)[]
  readonly depth: number
}

/** Looked at before the schema is, which would follow what is nested as deeply as a body can be. */
function sizeFault(filter: unknown): { path: (string | number)[]; message: string } | undefined {
  const places: Place[] = [{ value: filter, path: [], depth: 1 }]
  let conditions = 0
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    const { value, path, depth } = place
    if (typeof value !== 'object' || value === null) continue
    if (depth > maxFilterDepth) return { path: [...path], message: `is nested more than ${maxFilterDepth} deep` }
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

/** `Node`, with its limits. To callers it takes what `Node` takes, which the type of a preprocessed schema does not tell. */
export const SearchFilter = guarded as unknown as typeof Node
