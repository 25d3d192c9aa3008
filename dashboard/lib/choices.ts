import { queryOptions } from '@tanstack/react-query'
import type { Workspace } from './workspace.ts'

export interface Named {
  id: string
  name: string
}

/** The maximum number of options shown at a time. */
export const shownAtMost = 100
/** The maximum number of records that are loaded as options. */
const maxChoices = 1_000
const page = { limit: 100 }

/** Loads the records of a list as options. */
async function choicesOf(list: AsyncIterable<Named>): Promise<Named[]> {
  const choices: Named[] = []
  for await (const { id, name } of list) {
    choices.push({ id, name })
    if (choices.length === maxChoices) break
  }
  return choices
}

/** Knowledge bases as options. */
export const baseChoicesQuery = ({ client, organization }: Workspace) =>
  queryOptions({
    queryKey: [organization.id, 'bases', 'list', 'choices'],
    queryFn: ({ signal }) => choicesOf(client.bases.list(page, { signal })),
  })

export const sourceChoicesQuery = ({ client, organization }: Workspace, baseId: string) =>
  queryOptions({
    queryKey: [organization.id, 'bases', baseId, 'sources', 'choices'],
    enabled: organization.scopes.includes('sources:read'),
    queryFn: ({ signal }) => choicesOf(client.bases.sources.list(baseId, page, { signal })),
  })

/** Members and tokens as options, as far as the user may see them. */
export const actorChoicesQuery = ({ client, organization }: Workspace) =>
  queryOptions({
    queryKey: [organization.id, 'actors'],
    queryFn: async ({ signal }) => {
      const may = (scope: 'members:read' | 'tokens:read'): boolean => organization.scopes.includes(scope)
      const [members, tokens] = await Promise.all([
        may('members:read') ? choicesOf(client.members.list(page, { signal })) : [],
        may('tokens:read') ? choicesOf(client.tokens.list(page, { signal })) : [],
      ])
      return { members, tokens }
    },
  })
