import type { ContactChange } from '@groundwork/api'
import { useQuery } from '@tanstack/react-query'
import { createContext, useMemo } from 'react'
import { useWorkspace } from '../lib/workspace.ts'
import { historyKey } from './keys.ts'

/** Returns the latest change or confirmation of each field, by the name of the field, as far as the first page of the history goes. */
export function useFieldChanges(contactId: string): ReadonlyMap<string, ContactChange> {
  const { client, organization } = useWorkspace()
  const { data } = useQuery({
    queryKey: [organization.id, ...historyKey(contactId), 'latest'],
    queryFn: async ({ signal }) => (await client.contacts.history.list(contactId, { limit: 100 }, { signal }).page()).data,
  })
  return useMemo(() => latestByField(data ?? []), [data])
}

const latestByField = (changes: readonly ContactChange[]): ReadonlyMap<string, ContactChange> =>
  new Map(
    changes
      .toReversed()
      .flatMap((change) => [...change.changes.map(({ field }) => field), ...change.verified].map((field) => [field, change])),
  )

/** The result of `useFieldChanges` for the fields of the page. */
export const FieldChangesContext = createContext<ReadonlyMap<string, ContactChange>>(new Map())
