import type { Page } from 'playwright-core'

/**
 * Returns what is wrong with the layout of a page: sideways scrolling of the page or a dialog, text that an ancestor cuts off without an ellipsis, texts
 * over each other, and text in columns too narrow for a word.
 */
export const layoutFaults = (page: Page): Promise<string[]> => page.evaluate(`(${findFaults})()`)

// A string, because functions of a test file could refer to its modules, which the page does not have.
const findFaults = String.raw`() => {
  const faults = []
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth > clientWidth) {
    const over = [...document.querySelectorAll('body *')].filter((element) => element.getBoundingClientRect().right > clientWidth + 1)
    faults.push('scrolls sideways by ' + (scrollWidth - clientWidth) + ' px: ' + over.slice(-1).map(named).join())
  }
  for (const dialog of document.querySelectorAll('[role=dialog]')) {
    if (dialog.scrollWidth > dialog.clientWidth + 1) faults.push('the dialog scrolls sideways by ' + (dialog.scrollWidth - dialog.clientWidth) + ' px')
  }
  const texts = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const node = walker.currentNode
    const element = node.parentElement
    if (node.data.trim() === '' || element.closest('svg, script, style, noscript, option, .mantine-VisuallyHidden-root')) continue
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const rects = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1)
    if (rects.length === 0) continue
    const shown = cutBy(element, rects, node.data)
    if (shown !== null) texts.push({ element, rects: shown, text: node.data.trim(), layer: layerOf(element) })
  }
  for (const { element, rects, text } of texts) {
    const width = Math.max(...rects.map((rect) => rect.right)) - Math.min(...rects.map((rect) => rect.left))
    if (rects.length > 3 && text.length > 8 && width < 48) faults.push('narrow column of ' + Math.round(width) + ' px, ' + rects.length + ' lines: ' + named(element))
  }
  texts.sort((one, other) => one.rects[0].top - other.rects[0].top)
  for (const [index, one] of texts.entries()) {
    for (const other of texts.slice(index + 1, index + 200)) {
      if (one.element.contains(other.element) || other.element.contains(one.element) || one.layer !== other.layer) continue
      if (one.rects.some((a) => other.rects.some((b) => overlap(a, b)))) faults.push('overlap: ' + named(one.element) + ' and ' + named(other.element))
    }
  }
  return [...new Set(faults)]

  function named(element) {
    const text = element.textContent.trim().slice(0, 40)
    return '<' + element.tagName.toLowerCase() + ' class="' + String(element.className).slice(0, 60) + '"> ' + text + ' in ' + element.parentElement.tagName.toLowerCase() + '.' + String(element.parentElement.className).slice(0, 50)
  }
  function overlap(a, b) {
    return Math.min(a.right, b.right) - Math.max(a.left, b.left) > 3 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 5
  }
  // Returns the dialog, menu or bar above the page that has the element; null for the page itself.
  function layerOf(element) {
    for (let each = element; each !== null; each = each.parentElement)
      if (each.matches('[role=menu], [role=dialog], [role=listbox], [role=tooltip], [data-portal]') || ['fixed', 'sticky'].includes(getComputedStyle(each).position)) return each
    return null
  }
  // Returns the parts in view of ancestors; null if nothing is.
  function cutBy(element, rects, text) {
    let shown = rects
    let isEllipsis = false
    for (let each = element; each !== document.body && each !== null; each = each.parentElement) {
      const style = getComputedStyle(each)
      if (style.position === 'absolute' && (style.clip !== 'auto' || each.offsetWidth <= 1)) return null
      // A button below a passage shows all of it.
      isEllipsis ||= style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none' || each.matches('.cut-passage')
      if (style.overflowX === 'visible' && style.overflowY === 'visible') continue
      const box = each.getBoundingClientRect()
      const scrolls = /auto|scroll/.test(style.overflowX + style.overflowY)
      const outside = shown.filter((rect) => rect.right > box.right + 2 || rect.left < box.left - 2 || rect.bottom > box.bottom + 3)
      if (outside.length > 0 && !isEllipsis && !scrolls && box.width > 1 && box.height > 1)
        faults.push('cut off by <' + each.tagName.toLowerCase() + ' class="' + String(each.className).slice(0, 60) + '">: ' + named(element))
      shown = shown
        .map((rect) => ({ left: Math.max(rect.left, box.left), right: Math.min(rect.right, box.right), top: Math.max(rect.top, box.top), bottom: Math.min(rect.bottom, box.bottom) }))
        .filter((rect) => rect.right > rect.left && rect.bottom > rect.top)
      if (shown.length === 0) return null
    }
    return shown
  }
}`
