import type { Page } from '@groundwork/sdk'
import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query'
import type { LiveEvent } from '../lib/module.ts'
import type { Base, Source } from './records.ts'

interface Shown {
  queries: QueryClient
  organizationId: string
}

/** Updates cached knowledge bases and sources with the record in an event. */
export function showEvent(event: LiveEvent, { queries, organizationId }: Shown): void {
  if (isOfSource(event) && event.type !== 'source.deleted') showSource(event.data, { queries, organizationId })
  if (event.type === 'base.updated') queries.setQueryData([organizationId, 'bases', event.data.id, 'base'], event.data)
}

function showSource(source: Source, { queries, organizationId }: Shown): void {
  const base: QueryKey = [organizationId, 'bases', source.baseId]
  queries.setQueryData<Source>([...base, 'sources', source.id, 'source'], (before) => before && source)
  queries.setQueriesData<InfiniteData<Page<Source>>>({ queryKey: [...base, 'sources', 'list'] }, (before) => replaced(before, source))
}

const replaced = (list: InfiniteData<Page<Source>> | undefined, source: Source): InfiniteData<Page<Source>> | undefined =>
  list && {
    ...list,
    pages: list.pages.map((page) => ({ ...page, data: page.data.map((known) => (known.id === source.id ? source : known)) })),
  }

/** Returns the keys of queries that an event makes stale, other than the record in the event. */
export function invalidatedBy(event: LiveEvent): readonly QueryKey[] {
  if (isOfSource(event)) {
    const { baseId, id } = event.data
    const counts: QueryKey[] = [
      ['bases', 'list'],
      ['bases', baseId, 'base'],
      ['bases', baseId, 'sources', 'list'],
    ]
    return event.type === 'source.processing' ? counts : [...counts, ['bases', baseId, 'sources', id], ['bases', baseId, 'reindexes']]
  }
  if (isOfBase(event))
    return [
      ['bases', 'list'],
      ['bases', event.data.id],
    ]
  return []
}

const isOfSource = (event: LiveEvent): event is Extract<LiveEvent, { data: Source }> & { type: `source.${string}` } =>
  event.type.startsWith('source.')
const isOfBase = (event: LiveEvent): event is LiveEvent & { data: Base } => event.type.startsWith('base.')
