import { SearchFilter, text } from '@groundwork/api'
import { z } from 'zod'
import { AppError } from '../../lib/errors.ts'
import { issueMessage } from '../../lib/issue-message.ts'
import { parsed } from '../integration.ts'

const scalar = z.union([z.string(), z.number(), z.boolean()])

const Comparison = z.strictObject({
  type: z.enum(['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'nin']),
  key: text(1, 64),
  value: z.union([scalar, z.array(scalar)]),
})

const Compound = z.strictObject({ type: z.enum(['and', 'or']), filters: z.array(z.unknown()).min(1).max(50) })

/** The maximum depth of a search filter. */
const maxDepth = 5

/**
 * Converts a filter on attributes to a filter on the metadata of sources.
 * @throws AppError `validation_error`, field `filters`
 */
export function toSearchFilter(filters: unknown): SearchFilter {
  const { success, data, error } = SearchFilter.safeParse(translated(filters, 1), { error: issueMessage })
  if (success) return data
  throw new AppError('validation_error', `filters ${error.issues[0]?.message ?? 'is not valid'}`, { field: 'filters', cause: error })
}

function translated(filter: unknown, depth: number): object {
  if (depth > maxDepth)
    throw new AppError('validation_error', `filters can be nested at most ${maxDepth} levels deep`, { field: 'filters' })
  if (isCompound(filter)) {
    const { type, filters } = parsed(z.object({ filters: Compound }), { filters: filter }).filters
    return { [type]: filters.map((each) => translated(each, depth + 1)) }
  }
  const { type, key, value } = parsed(z.object({ filters: Comparison }), { filters: filter }).filters
  if (type === 'ne') return { not: { key, eq: value } }
  if (type === 'nin') return { not: { key, in: value } }
  return { key, [type]: value }
}

const isCompound = (filter: unknown): boolean =>
  typeof filter === 'object' && filter !== null && 'type' in filter && (filter.type === 'and' || filter.type === 'or')
