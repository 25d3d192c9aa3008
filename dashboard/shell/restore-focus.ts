/** Where the focus was, in the page or in a dialog or menu above it. */
interface Place {
  element: HTMLElement
  layer: Element
  ancestors: Element[]
}

const layers = '[role=dialog], [role=menu]'
/** Elements that can stand in for one that was removed from them. */
const containers = 'section, fieldset, form, [role=region], [role=search], [role=dialog]'
/** A button whose request has not ended. */
const underway = '[data-loading]:disabled'
/** Dialogs and fields that move the focus themselves do so earlier. */
const delayMs = 60

/**
 * Moves the focus when the browser drops it, because the element that had it was removed, hidden or disabled: to the element that had it
 * before a dialog was opened, to a button whose request has ended, to the section of a removed element, or to the heading of the page.
 * Without this, screen readers begin at the top of the page. Returns a function that stops it.
 */
export function restoreFocus(): () => void {
  // The last place of each layer, the newest one last.
  let places: Place[] = []
  let timer: number | undefined
  const isLost = (): boolean => document.activeElement === null || document.activeElement === document.body
  const restore = (): void => {
    timer = undefined
    if (!isLost()) return
    const place = places.findLast(({ layer }) => layer.isConnected && isShown(layer))
    if (place === undefined) return
    if (isShown(place.element) && place.element.matches(underway)) return
    if (canFocus(place.element)) place.element.focus({ preventScroll: true })
    else {
      const container = place.ancestors.find((each) => each.matches(containers) && isShown(each)) ?? document.querySelector('h1')
      if (container instanceof HTMLElement) focusOn(container)
    }
  }
  const check = (): void => {
    if (places.length > 0 && timer === undefined && isLost()) timer = window.setTimeout(restore, delayMs)
  }
  const enter = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLElement)) return
    const layer = target.closest(layers) ?? document.body
    places = [
      ...places.filter((place) => place.layer !== layer && place.layer.isConnected),
      { element: target, layer, ancestors: ancestorsOf(target) },
    ]
  }
  const leave = ({ target }: FocusEvent): void => {
    // A click beside an element takes the focus away on purpose.
    requestAnimationFrame(() => {
      const last = places.at(-1)?.element
      if (last !== undefined && last === target && isLost() && canFocus(last)) places = []
    })
  }
  const observer = new MutationObserver(check)
  observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled', 'style', 'hidden'] })
  document.addEventListener('focusin', enter)
  document.addEventListener('focusout', leave)
  return () => {
    observer.disconnect()
    window.clearTimeout(timer)
    document.removeEventListener('focusin', enter)
    document.removeEventListener('focusout', leave)
  }
}

const isShown = (element: Element): boolean => element.getClientRects().length > 0

const canFocus = (element: Element): boolean => isShown(element) && !element.matches(':disabled')

function ancestorsOf(element: Element): Element[] {
  const parent = element.parentElement
  return parent === null ? [] : [parent, ...ancestorsOf(parent)]
}

function focusOn(container: HTMLElement): void {
  if (!container.hasAttribute('tabindex')) container.tabIndex = -1
  container.focus({ preventScroll: true })
}
