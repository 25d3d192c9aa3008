import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { LiveEvent } from '../lib/module.ts'

/** The time of the last event that changed what searches find, by knowledge base. */
type Changes = Readonly<Record<string, number>>

const keyOf = (organizationId: string) => ['playground-changes', organizationId] as const

/** Only events write these data. They are kept while a page shows them. */
export const changesQuery = (organizationId: string) =>
  queryOptions({ queryKey: keyOf(organizationId), queryFn: (): Changes => ({}), enabled: false, initialData: {} })

/** Notes that searches in a knowledge base find other passages from now on. */
export function noteChange(event: LiveEvent, { queries, organizationId }: { queries: QueryClient; organizationId: string }): void {
  if (event.type !== 'source.completed' && event.type !== 'source.deleted') return
  const { baseId } = event.data
  queries.setQueryData<Changes>(keyOf(organizationId), (before) => ({ ...before, [baseId]: Date.now() }))
}
