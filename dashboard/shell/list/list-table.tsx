import './list.css'
import type { Page } from '@groundwork/sdk'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useRef, useState, type ReactNode } from 'react'
import { rowsOf } from '../../lib/pages.ts'
import { DataTable, type DataTableProps } from '../data-table.tsx'
import { Loaded, SkeletonRows } from '../states.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { useListKeys } from './use-list-keys.ts'

interface ListTableProps<T> extends Omit<DataTableProps<T>, 'rows' | 'more' | 'selection' | 'endless'> {
  query: UseInfiniteQueryResult<InfiniteData<Page<T>>>
  /** Shown if there are no rows. */
  empty: ReactNode
  /** The name of the selection, such as “Selected sources”. */
  selectionLabel: string
  /** Renders the actions on selected rows. Without it, rows cannot be selected. */
  bulk?: ((rows: readonly T[], clear: () => void) => ReactNode) | undefined
  /** Creates a record, with the key `c`. */
  onCreate?: (() => void) | undefined
}

/** A list of records for a paginated query: its rows can be selected for bulk actions, also with the keyboard. */
export function ListTable<T>({ query, empty, onCreate, ...table }: ListTableProps<T>) {
  const list = useRef<HTMLDivElement>(null)
  useListKeys(list, onCreate)
  return (
    <div ref={list}>
      <Loaded query={query} skeleton={<SkeletonRows />}>
        {(data) => (rowsOf(data).length === 0 ? empty : <Rows rows={rowsOf(data)} more={query} {...table} />)}
      </Loaded>
    </div>
  )
}

type RowsProps<T> = Omit<ListTableProps<T>, 'query' | 'empty' | 'onCreate'> & Pick<DataTableProps<T>, 'rows' | 'more'>

function Rows<T>({ selectionLabel, bulk, ...table }: RowsProps<T>) {
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
