import { queryOptions } from '@tanstack/react-query'
import { pagesOf } from '../lib/pages.ts'
import type { Workspace } from '../lib/workspace.ts'

/** Of all queries of companies. */
export const companiesKey = ['companies'] as const

export const companiesQuery = ({ client, organization }: Workspace, q: string | undefined) =>
  pagesOf([organization.id, ...companiesKey, 'list', q], ({ query, signal }) =>
    client.companies.list({ ...query, ...(q !== undefined && { q }), limit: 100 }, { signal }).page(),
  )

/** The contacts of a company, by name. The key is one of filtered lists of contacts, which events make stale. */
export const contactsOfCompanyQuery = ({ client, organization }: Workspace, companyId: string) =>
  pagesOf([organization.id, 'contacts', 'list', 'filtered', { companyId }], ({ query, signal }) =>
    client.contacts.list({ ...query, companyId, sort: 'name', limit: 50 }, { signal }).page(),
  )

/** The companies that can be restored. */
export const deletedCompaniesQuery = ({ client, organization }: Workspace, q: string | undefined) =>
  pagesOf([organization.id, ...companiesKey, 'deleted', q ?? ''], ({ query, signal }) =>
    client.companies.deleted.list({ ...query, ...(q !== undefined && { q }), limit: 50 }, { signal }).page(),
  )

/** The open pairs of companies that are probably the same, newest first. */
export const companyDuplicatesQuery = ({ client, organization }: Workspace) =>
  pagesOf([organization.id, ...companiesKey, 'duplicates'], ({ query, signal }) =>
    client.companies.duplicates.list({ ...query, limit: 50 }, { signal }).page(),
  )

export const companyDuplicateCountQuery = ({ client, organization }: Workspace) =>
  queryOptions({
    queryKey: [organization.id, ...companiesKey, 'duplicates', 'count'],
    queryFn: ({ signal }) => client.companies.duplicates.count({}, { signal }),
  })
