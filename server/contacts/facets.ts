import type { SearchFilter } from '@groundwork/api'
import { sql } from 'kysely'
import { selectSql, type Context } from '../context.ts'
import { digitRanges } from './digit-ranges.ts'

/** A value that a filter compares with equality. Without `value`, the field has any. */
export interface Facet {
  readonly field: string
  readonly value?: unknown
}

/** More contacts are not collected: reading contacts in the order of the list until a page is full takes less time. */
const maxContacts = 2500

/**
 * Returns the ids of contacts with one facet of each element; undefined if there are many. They only narrow a search: other contacts can be
 * among them.
 */
export async function contactsWithFacets(ctx: Context, wanted: readonly (readonly Facet[])[]): Promise<string[] | undefined> {
  if (wanted.length === 0) return undefined
  const [row] = await selectSql(
    ctx,
    sql<{ ids: string[] | null }>`select contacts_with_facets(${JSON.stringify(wanted)}::jsonb, ${maxContacts}::integer) as ids`,
  )
  return row?.ids ?? undefined
}

const isFacet = (key: string): boolean =>
  ['firstName', 'lastName', 'jobTitle', 'language', 'source', 'ownerId', 'tags', 'timeZone'].includes(key) ||
  /^(?:consent\.\w+|address\..+|customFields\..+)$/.test(key)

/** Fields of which it is not stored that they have a value. */
const onlyValues = /^(?:firstName|lastName|consent\..*)$/

/** Returns facets of which each contact that matches the filter has one of each element. */
export function facetsOfFilter({ and, or, key, ...comparisons }: SearchFilter): Facet[][] {
  if (and !== undefined) return and.flatMap(facetsOfFilter)
  if (or !== undefined) {
    const firsts = or.map((each) => facetsOfFilter(each)[0])
    return firsts.includes(undefined) ? [] : [firsts.flatMap((first = []) => first)]
  }
  if (key === undefined || !isFacet(key)) return []
  const { eq, in: any, exists } = comparisons
  if (eq === undefined && any === undefined) {
    if (exists === false || onlyValues.test(key)) return []
    return key.startsWith('customFields.') ? [rangeFacets(key, comparisons)] : [[{ field: key }]]
  }
  const values = eq === undefined ? (any ?? []) : [eq]
  // A channel without consent is unknown.
  if (key.startsWith('consent.') && values.includes('unknown')) return []
  return [values.map((value) => ({ field: key, value: key === 'ownerId' ? uuidIn(value) : value }))]
}

/** Returns whether the facets of a filter say all that it does. */
export function isOnlyFacets({ and, or, not, key, ...comparisons }: SearchFilter): boolean {
  if (not !== undefined) return false
  if (and !== undefined) return and.every(isOnlyFacets)
  if (or !== undefined) return or.every((each) => isOnlyFacets(each) && facetsOfFilter(each).length === 1)
  const isValue = Object.keys(comparisons).every((name) => name === 'eq' || name === 'in' || name === 'exists')
  return isValue && Object.keys(comparisons).length === 1 && facetsOfFilter({ key, ...comparisons }).length === 1
}

const uuidIn = (id: unknown): unknown => (typeof id === 'string' ? id.slice(-36) : id)

type Bounds = Pick<SearchFilter, 'gt' | 'gte' | 'lt' | 'lte'>

/** Returns facets of which each number or date of a custom field within the bounds has one. */
export function rangeFacets(field: string, { gt, gte, lt, lte }: Bounds): Facet[] {
  const mins = [gt, gte].flatMap((bound) => (bound === undefined ? [] : [lowest(bound)]))
  const maxs = [lt, lte].flatMap((bound) => (bound === undefined ? [] : [highest(bound)]))
  if (mins.length + maxs.length === 0) return [{ field }]
  return digitRanges(Math.max(...mins), Math.min(...maxs)).map((value) => ({ field, value }))
}

const dayMs = 86_400_000
const lastDay = Date.UTC(9999, 11, 31)

/** A date counts as the number of its eight digits. A time belongs to another date in another time zone. */
const lowest = (bound: string | number): number => (typeof bound === 'number' ? bound : dateDigits(Date.parse(bound) - dayMs))
const highest = (bound: string | number): number =>
  typeof bound === 'number' ? bound : dateDigits(Math.min(Date.parse(bound) + dayMs, lastDay))

const dateDigits = (time: number): number => Number(new Date(time).toISOString().slice(0, 10).replaceAll('-', ''))
