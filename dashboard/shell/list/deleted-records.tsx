import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import type { Page as ApiPage } from '@groundwork/sdk'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { dayOf } from '../../lib/formats.ts'
import type { GuideName } from '../../lib/guides.ts'
import type { Column } from '../data-table.tsx'
import { SearchInput } from '../filter-inputs.tsx'
import { Page } from '../page.tsx'
import { toLink, type Crumb } from '../page-link.ts'
import { PagedTable } from '../paged-table.tsx'
import { RelativeTime } from '../relative-time.tsx'
import { EmptyState } from '../states.tsx'

interface DeletedRecord {
  id: string
  deletedAt: string
  restorableUntil: string
}

interface DeletedRecordsProps<T> {
  guide: GuideName
  /** The list that the records were in. */
  list: Crumb
  words: {
    title: string
    about: string
    search: string
    none: string
    noneFound: string
    noneHelp: string
    clear: string
    columns: { deleted: string; until: string; action: string }
  }
  /** The search text in the URL. */
  q: string | undefined
  onSearch: (text: string | undefined) => void
  query: UseInfiniteQueryResult<InfiniteData<ApiPage<T>>>
  /** The columns before the times. */
  columns: readonly Column<T>[]
  nameOf: (record: T) => string
  /** Renders the button that restores a record. */
  restore: (record: T) => ReactNode
}

/** A page with the records that can be restored, the last deleted first. */
export function DeletedRecords<T extends DeletedRecord>(props: DeletedRecordsProps<T>) {
  const { guide, list, words, q, onSearch, query, columns, nameOf, restore } = props
  const isEmpty = q === undefined && query.data?.pages[0]?.data.length === 0
  const clear = q !== undefined && (
    <Button variant="default" onClick={() => onSearch(undefined)}>
      {words.clear}
    </Button>
  )
  return (
    <Page guide={guide} title={words.title} description={words.about} crumbs={[list]}>
      {!isEmpty && (
        <div role="search">
          <SearchInput label={words.search} value={q} onChange={onSearch} />
        </div>
      )}
      <PagedTable
        query={query}
        empty={
          <EmptyState icon={IconTrash} title={q === undefined ? words.none : words.noneFound} action={clear}>
            {words.noneHelp}
          </EmptyState>
        }
        label={words.title}
        columns={[
          ...columns,
          { key: 'deleted', header: words.columns.deleted, cell: ({ deletedAt }) => <RelativeTime at={deletedAt} /> },
          { key: 'until', header: words.columns.until, cell: ({ restorableUntil }) => dayOf(restorableUntil) },
          { key: 'restore', header: words.columns.action, cell: restore, align: 'right' },
        ]}
        idOf={({ id }) => id}
        nameOf={nameOf}
      />
    </Page>
  )
}

/** A link to the records that can be restored. */
export function DeletedLink({ label, to }: Pick<Crumb, 'label' | 'to'>) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" size={36} aria-label={label} renderRoot={(props) => <Link {...props} {...toLink(to, {})} />}>
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
