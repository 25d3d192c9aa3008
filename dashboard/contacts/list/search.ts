import type { ContactSort, SearchFilter } from '@groundwork/api'
import { oneOf, optionalDay, optionalId, optionalSearch, optionalTexts } from '../../lib/search-params.ts'

export const sorts = [
  '-createdAt',
  'createdAt',
  '-updatedAt',
  'updatedAt',
  '-lastInteractionAt',
  'lastInteractionAt',
  'name',
  '-name',
] as const satisfies readonly ContactSort[]

export type FilterValue = string | number | boolean

/** The conditions, order and columns of the list. Days are inclusive and in the browser’s time zone. */
export interface ListState {
  q?: string | undefined
  tag?: string[] | undefined
  owner?: string | undefined
  from?: string | undefined
  until?: string | undefined
  /** Values that fields equal, by the keys of filters of the API, such as `companyId` and `customFields.…`. */
  is?: Readonly<Record<string, FilterValue>> | undefined
  /** Conditions that the filters of the page cannot show, from a view of the API. */
  others?: SearchFilter[] | undefined
  sort?: ContactSort | undefined
  columns?: string[] | undefined
}

/** The search parameters of the page. With `view` alone, the list is that of the view; with `edited`, the other parameters replace it. */
export interface ListSearch extends ListState {
  view?: string | undefined
  edited?: boolean | undefined
}

export const listSearch = (search: Record<string, unknown>): ListSearch => ({
  view: optionalId(search['view']),
  edited: search['edited'] === true ? true : undefined,
  q: optionalSearch(search['q']),
  tag: optionalTexts(search['tag']),
  owner: optionalId(search['owner'], 'usr'),
  from: optionalDay(search['from']),
  until: optionalDay(search['until']),
  is: valuesIn(search['is']),
  others: conditionsIn(search['others']),
  sort: oneOf(sorts, search['sort']),
  columns: optionalTexts(search['columns']),
})

/** Keys of fields for which the page has a filter. */
const keyForm = /^(?:companyId|language|source|consent\.(?:email|phone|sms|post)|customFields\..+)$/

/** Returns whether the page has a filter for a value of the field. */
export const isFilterable = (key: string, value: unknown): value is FilterValue =>
  keyForm.test(key) && ['string', 'number', 'boolean'].includes(typeof value)

function valuesIn(value: unknown): ListState['is'] {
  if (typeof value !== 'object' || value === null) return undefined
  const known = Object.entries(value).filter((entry): entry is [string, FilterValue] => isFilterable(...entry))
  return known.length === 0 ? undefined : Object.fromEntries(known)
}

const conditionsIn = (value: unknown): SearchFilter[] | undefined =>
  Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'object' && each !== null)
    ? (value as SearchFilter[])
    : undefined
