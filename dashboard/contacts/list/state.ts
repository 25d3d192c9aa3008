import type { ContactSort, ContactView, SearchFilter } from '@groundwork/api'
import { isFilterable, type ListSearch, type ListState } from './search.ts'

export const defaultSort: ContactSort = '-createdAt'
export const defaultColumns: readonly string[] = ['name', 'email', 'phone', 'tags', 'createdAt']

/** Returns the list that the search parameters mean. A view that is not loaded, or does not exist, counts as all contacts. */
export function stateOf({ view, edited, ...state }: ListSearch, views: readonly ContactView[]): ListState {
  const saved = edited === true ? undefined : views.find(({ id }) => id === view)
  return saved === undefined ? withoutDefaults(state) : stateOfView(saved)
}

export const isFiltered = ({ q, tag, owner, from, until, is, others }: ListState): boolean =>
  [q, tag, owner, from, until, is, others].some((value) => value !== undefined)

export const countFilters = ({ tag, owner, from, until, is = {}, others = [] }: ListState): number =>
  [tag, owner, from, until].filter((value) => value !== undefined).length + Object.keys(is).length + others.length

/** Returns whether two lists have the same contacts in the same order, and the same columns. */
export const isSameList = (one: ListState, other: ListState): boolean => canonical(one) === canonical(other)

const canonical = (state: ListState): string => JSON.stringify(viewOf(state))

/** What the page shows, as fields of a view. */
export const viewOf = (state: ListState) => ({
  filter: filterOf(state) ?? null,
  q: state.q ?? null,
  sort: (state.q === undefined ? state.sort : undefined) ?? defaultSort,
  columns: state.columns ?? [...defaultColumns],
})

/** Leaves out the default order and columns, so that the URL stays short. */
const withoutDefaults = ({ sort, columns, ...rest }: ListState): ListState => ({
  ...rest,
  ...(sort !== defaultSort && { sort }),
  ...(JSON.stringify(columns) !== JSON.stringify(defaultColumns) && { columns }),
})

/** Returns the filter of the API; undefined for all contacts. */
export function filterOf({ tag = [], owner, from, until, is = {}, others = [] }: ListState): SearchFilter | undefined {
  const conditions: SearchFilter[] = [
    ...tag.map((eq) => ({ key: 'tags', eq })),
    ...(owner === undefined ? [] : [{ key: 'ownerId', eq: owner }]),
    ...(from === undefined ? [] : [{ key: 'createdAt', gte: startOf(from, 0) }]),
    ...(until === undefined ? [] : [{ key: 'createdAt', lt: startOf(until, 1) }]),
    ...Object.entries(is).map(([key, eq]) => ({ key, eq })),
    ...others,
  ]
  return conditions.length > 1 ? { and: conditions } : conditions[0]
}

/** Returns the list of a view. Conditions that the filters of the page do not know stay in `others`. */
export function stateOfView({ filter, q, sort, columns }: ContactView): ListState {
  const state: ListState = {}
  const others: SearchFilter[] = []
  for (const condition of filter === null ? [] : isAlone(filter, ['and']) ? (filter.and ?? []) : [filter]) {
    if (!take(condition, state)) others.push(condition)
  }
  return withoutDefaults({
    ...state,
    ...(others.length > 0 && { others }),
    ...(q !== null && { q }),
    ...(sort !== null && { sort }),
    columns,
  })
}

const isAlone = (filter: SearchFilter, keys: readonly string[]): boolean =>
  Object.keys(filter).length === keys.length && keys.every((key) => key in filter)

/** Adds a condition to the filters of the page. Returns whether one of them means the same. */
function take(condition: SearchFilter, state: ListState): boolean {
  const { key = '', eq, gte, lt } = condition
  if (isAlone(condition, ['key', 'eq']) && isFilterable(key, eq) && state.is?.[key] === undefined) {
    state.is = { ...state.is, [key]: eq }
    return true
  }
  if (isAlone(condition, ['key', 'eq']) && typeof eq === 'string') {
    if (key === 'tags') {
      state.tag = [...(state.tag ?? []), eq]
      return true
    }
    if (key !== 'ownerId' || state.owner !== undefined) return false
    state.owner = eq
    return true
  }
  if (key !== 'createdAt') return false
  if (isAlone(condition, ['key', 'gte']) && state.from === undefined) state.from = dayStartingAt(gte, 0)
  else if (isAlone(condition, ['key', 'lt']) && state.until === undefined) state.until = dayStartingAt(lt, 1)
  else return false
  return (gte === undefined ? state.until : state.from) !== undefined
}

/** Returns midnight in the browser’s time zone, `daysLater` days after `day`. */
function startOf(day: string, daysLater: number): string {
  const start = new Date(`${day}T00:00:00`)
  start.setDate(start.getDate() + daysLater)
  return start.toISOString()
}

/** Returns the day with `startOf(day, daysLater) === at`; undefined if `at` is not midnight here. */
function dayStartingAt(at: unknown, daysLater: number): string | undefined {
  const start = new Date(String(at))
  if (Number.isNaN(start.getTime())) return undefined
  start.setDate(start.getDate() - daysLater)
  const pad = (part: number): string => String(part).padStart(2, '0')
  const day = `${String(start.getFullYear()).padStart(4, '0')}-${pad(start.getMonth() + 1)}-${pad(start.getDate())}`
  return startOf(day, daysLater) === at ? day : undefined
}
