import { SearchFilter } from '@groundwork/api'
import { z } from 'zod'
import { AppError } from '../../lib/errors.ts'
import { issueMessage } from '../../lib/issue-message.ts'

const value = z.union([z.string(), z.number(), z.boolean(), z.array(z.union([z.string(), z.number()]))])

export const MetadataCondition = z.object({
  logical_operator: z.enum(['and', 'or']).nullish(),
  conditions: z
    .array(
      z.object({
        name: z.union([z.string(), z.array(z.string()).min(1).max(20)]),
        comparison_operator: z.string(),
        value: value.nullish(),
      }),
    )
    .max(50)
    .nullish(),
})
type Condition = NonNullable<z.output<typeof MetadataCondition>['conditions']>[number]

/**
 * Converts Dify's metadata conditions to a search filter; undefined without conditions. If a condition has several names, one
 * of them must match.
 * @throws AppError `validation_error`, field `metadata_condition`
 */
export function toSearchFilter({ logical_operator, conditions }: z.output<typeof MetadataCondition>): SearchFilter | undefined {
  if (conditions === null || conditions === undefined || conditions.length === 0) return undefined
  const { success, data, error } = SearchFilter.safeParse(
    { [logical_operator ?? 'and']: conditions.map(translated) },
    { error: issueMessage },
  )
  if (success) return data
  throw refused(error.issues[0]?.message ?? 'is not valid')
}

function translated({ name, comparison_operator, value: compared }: Condition): object {
  const compare = operators.get(comparison_operator)
  if (compare === undefined)
    throw refused(
      `has the operator ${comparison_operator.slice(0, 100)}, which is not supported; use one of ${[...operators.keys()].join(', ')}`,
    )
  const each = [name].flat().map((key) => compare(key, compared ?? undefined))
  return each.length === 1 ? (each[0] ?? {}) : { or: each }
}

type Compared = z.output<typeof value> | undefined
type Compare = (key: string, compared: Compared) => object

const operators = new Map<string, Compare>([
  ['is', (key, compared) => ({ key, eq: compared })],
  ['is not', (key, compared) => ({ not: { key, eq: compared } })],
  ['=', (key, compared) => ({ key, eq: asNumber(compared) })],
  ['≠', (key, compared) => ({ not: { key, eq: asNumber(compared) } })],
  ['in', (key, compared) => ({ key, in: [compared].flat() })],
  ['not in', (key, compared) => ({ not: { key, in: [compared].flat() } })],
  ['>', (key, compared) => ({ key, gt: asNumber(compared) })],
  ['≥', (key, compared) => ({ key, gte: asNumber(compared) })],
  ['<', (key, compared) => ({ key, lt: asNumber(compared) })],
  ['≤', (key, compared) => ({ key, lte: asNumber(compared) })],
  ['before', (key, compared) => ({ key, lt: compared })],
  ['after', (key, compared) => ({ key, gt: compared })],
  ['empty', (key) => ({ key, exists: false })],
  ['not empty', (key) => ({ key, exists: true })],
])

/** Dify sends every value as text, including numbers. */
const asNumber = (compared: Compared): Compared =>
  typeof compared === 'string' && /^-?\d+(?:\.\d+)?$/.test(compared) ? Number(compared) : compared

const refused = (message: string): AppError =>
  new AppError('validation_error', `metadata_condition ${message}`, { field: 'metadata_condition' })
