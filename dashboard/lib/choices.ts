import { queryOptions } from '@tanstack/react-query'
import type { Workspace } from './workspace.ts'

export interface Named {
  id: string
  name: string
}

/** So many of those that fit what is typed are shown at once. */
export const shownAtMost = 100
/** Of a list that has more, the others are not offered. */
const choicesAtMost = 1_000
/** So many a request. */
const page = { limit: 100 }

/** What a list has, to choose from by name. */
async function choicesOf(list: AsyncIterable<Named>): Promise<Named[]> {
  const choices: Named[] = []
  for await (const { id, name } of list) {
    choices.push({ id, name })
    if (choices.length === choicesAtMost) break
  }
  return choices
}

/** Bases that something can be limited to. */
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

/** Who can have changed something: members and tokens, as far as they may be seen. */
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
