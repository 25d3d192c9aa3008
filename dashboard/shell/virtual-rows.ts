import { useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState, type RefCallback, type RefObject } from 'react'

interface VirtualRows {
  /** Goes to what holds the rows. */
  container: RefObject<HTMLElement | null>
  items: readonly VirtualItem[]
  /** Room above and below for the rows that are not there. */
  before: number
  after: number
  /** Goes to each row, which has `data-index`. */
  measure: RefCallback<HTMLElement>
}

/** Rows of a list that scrolls with the page: those within sight are there, and a few around them. */
export function useVirtualRows(count: number, estimatedHeight: number): VirtualRows {
  const container = useRef<HTMLElement>(null)
  const [top, setTop] = useState(0)
  // What stands above grows and shrinks, and the page with it.
  useLayoutEffect(() => {
    const look = (): void => {
      if (container.current !== null) setTop(Math.round(container.current.getBoundingClientRect().top + window.scrollY))
    }
    look()
    const sizes = new ResizeObserver(look)
    sizes.observe(document.body)
    return () => sizes.disconnect()
  }, [])
  const virtualizer = useWindowVirtualizer({ count, estimateSize: () => estimatedHeight, overscan: 12, scrollMargin: top })
  const items = virtualizer.getVirtualItems()
  return {
    container,
    items,
    before: (items[0]?.start ?? top) - top,
    after: virtualizer.getTotalSize() - ((items.at(-1)?.end ?? top) - top),
    measure: virtualizer.measureElement,
  }
}
