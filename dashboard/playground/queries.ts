import type { SearchReply } from '@groundwork/api'
import { queryOptions } from '@tanstack/react-query'
import type { Workspace } from '../lib/workspace.ts'
import { bodyOf, type Asked } from './asked.ts'

/**
 * Runs a search. The key does not start with the organization id, so that events and reconnects do not repeat the search:
 * each search is written to the search log.
 */
export const answerQuery = ({ client, organization }: Workspace, baseIds: readonly string[], asked: Asked) =>
  queryOptions({
    queryKey: ['playground', organization.id, baseIds, asked],
    enabled: asked.q !== undefined && baseIds.length > 0,
    staleTime: Infinity,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    queryFn: async ({ signal }): Promise<SearchReply & { askedAt: number }> => {
      const askedAt = Date.now()
      const body = { ...bodyOf(asked), explain: true }
      const [baseId, ...others] = baseIds
      const reply =
        baseId !== undefined && others.length === 0
          ? await client.bases.search(baseId, body, { signal })
          : await client.search({ baseIds: [...baseIds], ...body }, { signal })
      return { ...reply, askedAt }
    },
  })
