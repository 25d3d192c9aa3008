import { pagesOf } from '../lib/pages.ts'
import type { Workspace } from '../lib/workspace.ts'
import { isFiltered, toQuery, type ContactFilter } from './filter.ts'

const pageSize = 100

/** Lists of everybody take news from events as they come; of a filtered list only the service knows what is in it. */
export const allKey = ['contacts', 'list', 'all'] as const
export const filteredKey = ['contacts', 'list', 'filtered'] as const
export const timelineKey = (id: string) => ['contacts', id, 'timeline'] as const

/** The first page has the count of all. */
export const contactsQuery = ({ client, organization }: Workspace, filter: ContactFilter) =>
  pagesOf([organization.id, ...(isFiltered(filter) ? [...filteredKey, filter] : allKey)], ({ query, signal }) =>
    client.contacts
      .list({ ...toQuery(filter), ...query, limit: pageSize, ...(query.cursor === undefined && { count: true }) }, { signal })
      .page(),
  )

export const timelineQuery = ({ client, organization }: Workspace, id: string) =>
  pagesOf([organization.id, ...timelineKey(id)], ({ query, signal }) => client.contacts.timeline.list(id, query, { signal }).page())
