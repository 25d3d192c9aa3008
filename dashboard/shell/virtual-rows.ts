import { useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, useState, type RefCallback, type RefObject } from 'react'

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

/**
 * Rows of a list that scrolls with the page: those within sight are there, and a few around them.
 * @param scrollTo which one is brought into sight, when that changes
 */
export function useVirtualRows(count: number, estimatedHeight: number, scrollTo: number | undefined): VirtualRows {
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
  const virtualizer = useWindowVirtualizer({ count, estimateSize: () => estimatedHeight, overscan: 8, scrollMargin: top })
  const isPlaced = top > 0
  useEffect(() => {
    if (scrollTo === undefined || !isPlaced) return undefined
    return bringIntoSight(
      () => container.current?.querySelector(`[data-index="${scrollTo}"]`) ?? null,
      () => virtualizer.getOffsetForIndex(scrollTo, 'center')?.[0] ?? 0,
    )
  }, [virtualizer, scrollTo, isPlaced])
  const items = virtualizer.getVirtualItems()
  return {
    container,
    items,
    before: (items[0]?.start ?? top) - top,
    after: virtualizer.getTotalSize() - ((items.at(-1)?.end ?? top) - top),
    measure: virtualizer.measureElement,
  }
}

const calmFrames = 10
const mostFrames = 120

/**
 * Scrolls to where the row should be until it is there, then to the row, until it stays in sight: those above it move it as
 * they get their own heights.
 * @returns what ends it
 */
function bringIntoSight(row: () => Element | null, about: () => number): () => void {
  let frames = 0
  let calm = 0
  const look = (): void => {
    const there = row()
    const isSeen = there !== null && isInSight(there)
    calm = isSeen ? calm + 1 : 0
    if (there === null) window.scrollTo({ top: about() })
    else if (!isSeen) there.scrollIntoView({ block: 'center' })
    frames += 1
    if (calm < calmFrames && frames < mostFrames) next = requestAnimationFrame(look)
  }
  let next = requestAnimationFrame(look)
  return () => cancelAnimationFrame(next)
}

/** Whether its beginning is in the upper half or so, where it can be read on. */
function isInSight(row: Element): boolean {
  const { top } = row.getBoundingClientRect()
  return top >= 0 && top < 0.6 * window.innerHeight
}
