import { queryOptions } from '@tanstack/react-query'
import { pagesOf } from '../lib/pages.ts'
import type { Workspace } from '../lib/workspace.ts'
import { savedViewsQuery } from '../shell/list/saved-views.ts'
import { activitiesKey, allKey, consentKey, filteredKey, historyKey, suggestionsKey, timelineKey, viewsKey } from './keys.ts'
import type { ListState } from './list/search.ts'
import { defaultSort, filterOf, isFiltered } from './list/state.ts'

const pageSize = 100

/** Requests the total count with the first page only. */
export function contactsQuery({ client, organization }: Workspace, state: ListState) {
  const { q, sort = defaultSort } = state
  const filter = filterOf(state)
  if (!isFiltered(state))
    return pagesOf([organization.id, ...(sort === defaultSort ? allKey : [...filteredKey, sort])], ({ query, signal }) =>
      client.contacts.list({ sort, ...query, limit: pageSize, ...(query.cursor === undefined && { count: true }) }, { signal }).page(),
    )
  return pagesOf([organization.id, ...filteredKey, q, filter, sort], async ({ query, signal }) => {
    const { data, nextCursor, total } = await client.contacts.search(
      {
        ...query,
        ...(q === undefined ? { sort } : { q }),
        ...(filter !== undefined && { filter }),
        limit: pageSize,
        count: query.cursor === undefined,
      },
      { signal },
    )
    return { data: data.map(({ contact }) => contact), nextCursor, ...(total !== null && { totalCount: total }) }
  })
}

/** Returns the ids of all contacts that a search finds. */
export async function idsFound({ client }: Workspace, { q, ...state }: ListState): Promise<string[]> {
  const filter = filterOf(state)
  const body = { limit: pageSize, ...(q !== undefined && { q }), ...(filter !== undefined && { filter }) }
  const ids: string[] = []
  let cursor: string | null = null
  do {
    const page: { data: { contact: { id: string } }[]; nextCursor: string | null } = await client.contacts.search({
      ...body,
      ...(cursor !== null && { cursor }),
    })
    ids.push(...page.data.map(({ contact }) => contact.id))
    cursor = page.nextCursor
  } while (cursor !== null)
  return ids
}

export const viewsQuery = ({ client, organization }: Workspace) => savedViewsQuery([organization.id, ...viewsKey], client.contactViews.list)

export const activitiesQuery = ({ client, organization }: Workspace, id: string) =>
  pagesOf([organization.id, ...activitiesKey(id)], ({ query, signal }) =>
    client.contacts.activities.list(id, { ...query, limit: 10 }, { signal }).page(),
  )

export const suggestionsQuery = ({ client, organization }: Workspace, id: string) =>
  pagesOf([organization.id, ...suggestionsKey(id)], ({ query, signal }) =>
    client.contacts.suggestions.list(id, { ...query, status: 'pending', limit: 10 }, { signal }).page(),
  )

export const timelineQuery = ({ client, organization }: Workspace, id: string) =>
  pagesOf([organization.id, ...timelineKey(id)], ({ query, signal }) => client.contacts.timeline.list(id, query, { signal }).page())

export const historyQuery = ({ client, organization }: Workspace, id: string, field: string) =>
  pagesOf([organization.id, ...historyKey(id), field], ({ query, signal }) =>
    client.contacts.history.list(id, { ...query, field, limit: 20 }, { signal }).page(),
  )

export const consentQuery = ({ client, organization }: Workspace, id: string) =>
  queryOptions({ queryKey: [organization.id, ...consentKey(id)], queryFn: ({ signal }) => client.contacts.consent.get(id, { signal }) })

export const consentHistoryQuery = ({ client, organization }: Workspace, id: string) =>
  pagesOf([organization.id, ...consentKey(id), 'history'], ({ query, signal }) =>
    client.contacts.consent.history.list(id, { ...query, limit: 20 }, { signal }).page(),
  )
