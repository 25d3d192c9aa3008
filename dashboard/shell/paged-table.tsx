import type { Page } from '@groundwork/sdk'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { rowsOf } from '../lib/pages.ts'
import { DataTable, type DataTableProps } from './data-table.tsx'
import { Loaded, SkeletonRows } from './states.tsx'

interface PagedTableProps<T> extends Omit<DataTableProps<T>, 'rows' | 'more'> {
  query: UseInfiniteQueryResult<InfiniteData<Page<T>>>
  /** Shown if there are no rows. */
  empty: ReactNode
  skeleton?: ReactNode
}

/** A table for a paginated query. */
export function PagedTable<T>({ query, empty, skeleton = <SkeletonRows />, ...table }: PagedTableProps<T>) {
  return (
    <Loaded query={query} skeleton={skeleton}>
      {(data) => (rowsOf(data).length === 0 ? empty : <DataTable rows={rowsOf(data)} more={query} {...table} />)}
    </Loaded>
  )
}
