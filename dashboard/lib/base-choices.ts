import { queryOptions } from '@tanstack/react-query'
import type { Workspace } from './workspace.ts'

/** More than this many are not chosen from in a list. */
const choicesAtMost = 100

export interface BaseChoice {
  id: string
  name: string
}

/** Names of the bases that something can be limited to. */
export const baseChoicesQuery = ({ client, organization }: Workspace) =>
  queryOptions({
    queryKey: [organization.id, 'bases', 'list', 'choices'],
    queryFn: async ({ signal }): Promise<BaseChoice[]> =>
      (await client.bases.list({ limit: choicesAtMost }, { signal }).page()).data.map(({ id, name }) => ({ id, name })),
  })
