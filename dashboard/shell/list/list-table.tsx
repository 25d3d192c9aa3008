import './list.css'
import type { Page } from '@groundwork/sdk'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { rowsOf } from '../../lib/pages.ts'
import { DataTable, type DataTableProps } from '../data-table.tsx'
import { Loaded, SkeletonRows } from '../states.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { useListKeys } from './use-list-keys.ts'

interface ListTableProps<T> extends Omit<DataTableProps<T>, 'rows' | 'more' | 'selection' | 'endless'> {
  query: UseInfiniteQueryResult<InfiniteData<Page<T>>>
  /** Shown if there are no rows. */
  empty: ReactNode
  /** Searches and sorts the rows in the browser. All pages are loaded for it. Undefined without a search and an order. */
  local?: ((rows: readonly T[]) => readonly T[]) | undefined
  /** The name of the selection, such as “Selected sources”. */
  selectionLabel?: string
  /** Renders the actions on selected rows. Without it, rows cannot be selected. */
  bulk?: ((rows: readonly T[], clear: () => void) => ReactNode) | undefined
  /** Creates a record, with the key `c`. */
  onCreate?: (() => void) | undefined
}

/** A list of records for a paginated query: its rows can be selected for bulk actions, also with the keyboard. */
export function ListTable<T>({ query, empty, onCreate, local, ...table }: ListTableProps<T>) {
  const list = useRef<HTMLDivElement>(null)
  useListKeys(list, onCreate)
  useAllPages(query, local !== undefined)
  return (
    <div ref={list}>
      <Loaded query={query} skeleton={<SkeletonRows />}>
        {(data) => {
          const rows = local === undefined ? rowsOf(data) : local(rowsOf(data))
          return rows.length === 0 ? empty : <Rows rows={rows} more={query} {...table} />
        }}
      </Loaded>
    </div>
  )
}

/** Loads the pages of a list one after the other. */
function useAllPages<T>(
  { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage }: ListTableProps<T>['query'],
  isWanted: boolean,
): void {
  const mayLoad = isWanted && hasNextPage && !isFetching && !isFetchNextPageError
  useEffect(() => {
    if (mayLoad) void fetchNextPage()
  }, [mayLoad, fetchNextPage])
}

type RowsProps<T> = Omit<ListTableProps<T>, 'query' | 'empty' | 'onCreate' | 'local'> & Pick<DataTableProps<T>, 'rows' | 'more'>

function Rows<T>({ selectionLabel = '', bulk, ...table }: RowsProps<T>) {
  const { rows, idOf } = table
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  // Rows can leave the list, for example when another filter is set.
  const selected = rows.filter((row) => chosen.has(idOf(row)))
  const clear = (): void => setChosen(new Set())
  return (
    <>
      <DataTable
        endless
        {...table}
        {...(bulk !== undefined && { selection: { selected: new Set(selected.map(idOf)), onChange: setChosen } })}
      />
      {bulk !== undefined && selected.length > 0 && (
        <SelectionBar label={selectionLabel} count={selected.length} onClear={clear}>
          {bulk(selected, clear)}
        </SelectionBar>
      )}
    </>
  )
}
