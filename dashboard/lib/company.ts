import { queryOptions } from '@tanstack/react-query'
import type { Workspace } from './workspace.ts'

/** Structural sharing is off because `etagOf` knows the version of the original response object only. */
export const companyQuery = ({ client, organization }: Workspace, id: string) =>
  queryOptions({
    queryKey: [organization.id, 'companies', id],
    queryFn: ({ signal }) => client.companies.get(id, { signal }),
    structuralSharing: false,
  })
