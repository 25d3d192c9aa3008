import type { ContactSort, SearchFilter } from '@groundwork/api'
import { oneOf, optionalDay, optionalText, optionalTexts } from '../../lib/search-params.ts'

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

/** The conditions, order and columns of the list. Days are inclusive and in the browser’s time zone. */
export interface ListState {
  q?: string | undefined
  tag?: string[] | undefined
  owner?: string | undefined
  from?: string | undefined
  until?: string | undefined
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
  view: optionalText(search['view']),
  edited: search['edited'] === true ? true : undefined,
  q: optionalText(search['q']),
  tag: optionalTexts(search['tag']),
  owner: optionalText(search['owner']),
  from: optionalDay(search['from']),
  until: optionalDay(search['until']),
  others: conditionsIn(search['others']),
  sort: oneOf(sorts, search['sort']),
  columns: optionalTexts(search['columns']),
})

const conditionsIn = (value: unknown): SearchFilter[] | undefined =>
  Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'object' && each !== null)
    ? (value as SearchFilter[])
    : undefined
