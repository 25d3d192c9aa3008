import { useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, useState, type RefCallback, type RefObject } from 'react'

interface VirtualRows {
  /** The ref of the element that contains the rows. */
  container: RefObject<HTMLElement | null>
  items: readonly VirtualItem[]
  /** The height of the rows that are not rendered above and below, in pixels. */
  before: number
  after: number
  /** The ref of each row. Rows need the attribute `data-index`. */
  measure: RefCallback<HTMLElement>
}

/** A row to scroll to. A new object scrolls again, also to the same row. */
export interface RowTarget {
  index: number
  /** Whether the row receives the keyboard focus. */
  focus?: boolean
}

/**
 * Virtualizes the rows of a list that scrolls with the page. Renders the visible rows and a few around them.
 * @param target the row to scroll to when it changes
 */
export function useVirtualRows(count: number, estimatedHeight: number, target: RowTarget | undefined): VirtualRows {
  const container = useRef<HTMLElement>(null)
  const [top, setTop] = useState(0)
  // The height of the content above the list can change.
  useLayoutEffect(() => {
    const update = (): void => {
      if (container.current !== null) setTop(Math.round(container.current.getBoundingClientRect().top + window.scrollY))
    }
    update()
    const observer = new ResizeObserver(update)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])
  const virtualizer = useWindowVirtualizer({ count, estimateSize: () => estimatedHeight, overscan: 8, scrollMargin: top })
  const isMeasured = top > 0
  useEffect(() => {
    if (target === undefined || !isMeasured) return undefined
    const { index, focus = false } = target
    return scrollIntoView(
      () => container.current?.querySelector<HTMLElement>(`[data-index="${index}"]`) ?? null,
      () => virtualizer.getOffsetForIndex(index, 'center')?.[0] ?? 0,
      focus,
    )
  }, [virtualizer, target, isMeasured])
  const items = virtualizer.getVirtualItems()
  return {
    container,
    items,
    before: (items[0]?.start ?? top) - top,
    after: virtualizer.getTotalSize() - ((items.at(-1)?.end ?? top) - top),
    measure: virtualizer.measureElement,
  }
}

const stableFrames = 10
const maxFrames = 120

/**
 * Scrolls to the estimated position of a row until the row is rendered, then to the row, until it stays visible for 10 frames.
 * One scroll is not enough, because the row moves while the rows above it are measured.
 * @returns a function that stops scrolling
 */
function scrollIntoView(findRow: () => HTMLElement | null, estimatedTop: () => number, focus: boolean): () => void {
  let frames = 0
  let stable = 0
  const step = (): void => {
    const row = findRow()
    const isVisible = row !== null && isInUpperHalf(row)
    stable = isVisible ? stable + 1 : 0
    if (focus && row !== null && !row.contains(document.activeElement)) {
      row.tabIndex = -1
      row.focus({ preventScroll: true })
    }
    if (row === null) window.scrollTo({ top: estimatedTop() })
    else if (!isVisible) row.scrollIntoView({ block: 'center' })
    frames += 1
    if (stable < stableFrames && frames < maxFrames) next = requestAnimationFrame(step)
  }
  let next = requestAnimationFrame(step)
  return () => cancelAnimationFrame(next)
}

/** Returns whether the top of a row is in the upper 60 % of the viewport, so that the text below it is visible. */
function isInUpperHalf(row: Element): boolean {
  const { top } = row.getBoundingClientRect()
  return top >= 0 && top < 0.6 * window.innerHeight
}
