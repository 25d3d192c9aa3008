import type { ContactChange } from '@groundwork/api'
import { useQuery } from '@tanstack/react-query'
import { useWorkspace } from '../lib/workspace.ts'
import { historyKey } from './keys.ts'

/** Returns the latest change or confirmation of each field, by the name of the field, as far as the first page of the history goes. */
export function useFieldChanges(contactId: string): ReadonlyMap<string, ContactChange> {
  const { client, organization } = useWorkspace()
  const { data = [] } = useQuery({
    queryKey: [organization.id, ...historyKey(contactId), 'latest'],
    queryFn: async ({ signal }) => (await client.contacts.history.list(contactId, { limit: 100 }, { signal }).page()).data,
  })
  return new Map(
    data
      .toReversed()
      .flatMap((change) => [...change.changes.map(({ field }) => field), ...change.verified].map((field) => [field, change])),
  )
}
