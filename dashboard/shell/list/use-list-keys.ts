import { useEffect, type RefObject } from 'react'

/**
 * Handles the keys of a list while no text is typed: `/` searches, `j` and `k` move to the next and the former row, `x` selects the row,
 * and `c` creates a record. Enter opens the link that has the focus. A key after `g` belongs to the shortcuts of pages.
 */
export function useListKeys(list: RefObject<HTMLElement | null>, create: (() => void) | undefined): void {
  useEffect(() => {
    let previous = ''
    const onKey = (event: KeyboardEvent): void => {
      const { key } = event
      const isPageKey = previous === 'g'
      previous = key
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isPageKey || isTyping(event.target)) return
      const action = {
        '/': focusSearch,
        c: create,
        j: () => moveBy(list.current, 1),
        k: () => moveBy(list.current, -1),
        x: () => select(),
      }[key]
      if (action === undefined) return
      event.preventDefault()
      action()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [list, create])
}

const focusSearch = (): void => document.querySelector<HTMLElement>('#content input[type=search]')?.focus()

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest('input:not([type=checkbox]), textarea, select, [role=dialog], [role=menu]') !== null)

const currentRow = (): HTMLElement | null => document.activeElement?.closest<HTMLElement>('[data-index]') ?? null

/** Focuses the link of the next row, or of the first one in view. */
function moveBy(list: HTMLElement | null, step: number): void {
  if (list === null) return
  const index = currentRow()?.dataset['index']
  const rows = [...list.querySelectorAll<HTMLElement>('[data-index]')]
  const row =
    index === undefined
      ? rows.find((each) => each.getBoundingClientRect().top >= 0)
      : rows.find((each) => each.dataset['index'] === String(Number(index) + step))
  const link = row?.querySelector<HTMLElement>('.row-link') ?? row?.querySelector<HTMLElement>('a, button, select, input')
  link?.focus({ preventScroll: true })
  row?.scrollIntoView({ block: 'nearest' })
}

const select = (): void => currentRow()?.querySelector<HTMLInputElement>('input[type=checkbox]')?.click()
