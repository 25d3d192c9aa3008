import type { ReactNode } from 'react'
import { useVirtualRows, type RowTarget } from './virtual-rows.ts'

interface VirtualListProps<T> {
  label: string
  rows: readonly T[]
  idOf: (row: T) => string
  /** The estimated height of a row in pixels. */
  rowHeight: number
  gap?: number
  scrollTo?: RowTarget | undefined
  children: (row: T, index: number) => ReactNode
}

/** A list of any length. Only rows near the viewport are in the DOM. */
export function VirtualList<T>({ label, rows, idOf, rowHeight, gap = 8, scrollTo, children }: VirtualListProps<T>) {
  const { container, items, before, after, measure } = useVirtualRows(rows.length, rowHeight, scrollTo)
  return (
    <div role="list" aria-label={label} ref={(element) => void (container.current = element)}>
      <div role="presentation" style={{ height: before }} />
      {items.map(({ index }) => {
        const row = rows[index]
        return (
          row !== undefined && (
            <div
              key={idOf(row)}
              role="listitem"
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              data-index={index}
              ref={measure}
              style={{ paddingBottom: gap }}
            >
              {children(row, index)}
            </div>
          )
        )
      })}
      <div role="presentation" style={{ height: after }} />
    </div>
  )
}
