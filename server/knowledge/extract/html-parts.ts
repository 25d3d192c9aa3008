import type { Part } from './draft.ts'
import { isElement, parseHtml, type HtmlElement, type HtmlNode } from './html-dom.ts'
import { removePageControls } from './html-page-controls.ts'
import { joinTexts, linkText, struckText } from './inline.ts'
import { gridTable, type GridCell } from './table.ts'

/** Cells that spans of a table can fill; beyond it, spans are ignored. */
const maxSpannedCells = 100_000

const dropped = new Set(
  'script style noscript template head title meta link svg canvas iframe object embed audio video map select button input textarea datalist progress meter dialog annotation annotation-xml'.split(
    ' ',
  ),
)
const inlineTags = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rp rt ruby s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)
const hiddenStyle =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|font-size\s*:\s*0(?:px|pt|em|rem|%)?\s*(?:;|!|$)|opacity\s*:\s*0(?:\.0+)?\s*(?:;|!|$))/i

/** Returns the visible text of an HTML fragment as parts. */
export function htmlParts(html: string): Part[] {
  const { body } = parseHtml(html)
  removePageControls(body)
  return partsOf(body)
}

/** Returns the visible text below an element in document order. Block elements end a part, inline elements do not. */
export function partsOf(root: HtmlElement): Part[] {
  const parts: Part[] = []
  let line: string[] = []
  const flush = (): void => {
    const text = joinTexts(line)
    line = []
    if (text.trim()) parts.push({ kind: 'paragraph', text })
  }
  const add = (made: readonly Part[]): void => {
    flush()
    for (const part of made) parts.push(part)
  }
  const walk = (node: HtmlNode): void => {
    if (node.nodeType === 3) return void line.push(collapse(node.textContent ?? ''))
    if (!isElement(node) || isHidden(node)) return
    const tag = node.localName
    if (isLine(node)) return void line.push(inlineText(node))
    if (tag === 'br') return void line.push('\n')
    if (/^h[1-6]$/.test(tag)) return add([{ kind: 'heading', level: Number(tag[1]), text: inlineText(node) }])
    if (tag === 'pre' || tag === 'listing' || tag === 'xmp') return add([{ kind: 'code', text: preformatted(node) }])
    if ((tag === 'ul' || tag === 'ol') && isPlainList(node)) return add([{ kind: 'list', text: listLines(node, '').join('\n') }])
    if (tag === 'table' && isDataTable(node)) return add(tableParts(node))
    const inline = inlineTags.has(tag)
    if (!inline) flush()
    for (const child of node.childNodes) walk(child)
    if (inline) return
    if (tag === 'td' || tag === 'th') line.push(' ')
    flush()
  }
  for (const child of root.childNodes) walk(child)
  flush()
  return parts
}

export function isHidden(element: HtmlElement): boolean {
  return (
    dropped.has(element.localName) ||
    element.getAttribute('hidden') !== null ||
    element.getAttribute('aria-hidden') === 'true' ||
    hiddenStyle.test(element.getAttribute('style') ?? '')
  )
}

/** Returns whether an element is struck text or leads to an address, without blocks inside. */
const isLine = (element: HtmlElement): boolean =>
  (isStruck(element) || /^\s*(?:tel|mailto):/i.test(element.getAttribute('href') ?? '')) &&
  [...element.querySelectorAll('*')].every(({ localName }) => inlineTags.has(localName))

const isStruck = (element: HtmlElement): boolean =>
  ['del', 's', 'strike'].includes(element.localName) || /text-decoration[^;]*:[^;]*line-through/i.test(element.getAttribute('style') ?? '')

/** Returns one line of text, with block elements inside separated by spaces. */
export function inlineText(node: HtmlNode): string {
  if (node.nodeType === 3) return collapse(node.textContent ?? '')
  if (!isElement(node) || isHidden(node)) return ''
  if (node.localName === 'br') return ' '
  const text = joinTexts([...node.childNodes].map(inlineText))
  const shown = isStruck(node) ? struckText(text) : node.localName === 'a' ? linkText(text, node.getAttribute('href')) : text
  return inlineTags.has(node.localName) ? shown : ` ${shown} `
}

function collapse(text: string): string {
  return text.replace(/[^\S\u00A0]+/g, ' ')
}

function preformatted(node: HtmlNode): string {
  if (node.nodeType === 3) return node.textContent ?? ''
  if (!isElement(node) || isHidden(node)) return ''
  if (node.localName === 'br') return '\n'
  const text = [...node.childNodes].map(preformatted).join('')
  const ownLine = ['div', 'p', 'li', 'tr'].includes(node.localName)
  return ownLine && !text.endsWith('\n') ? `${text}\n` : text
}

/** Returns whether the items of a list are lines of text rather than page layout. */
function isPlainList(list: HtmlElement): boolean {
  return list.querySelector('h1, h2, h3, h4, h5, h6, table, pre, article, section') === null
}

function listLines(list: HtmlElement, indent: string): string[] {
  let number = Number(list.getAttribute('start') ?? 1) || 1
  return [...list.childNodes].flatMap((item) => {
    if (!isElement(item)) return item.nodeType === 3 && item.textContent?.trim() ? [`${indent}- ${collapse(item.textContent).trim()}`] : []
    if (isHidden(item)) return []
    if (item.localName === 'ul' || item.localName === 'ol') return listLines(item, `${indent}  `)
    const nested = [...item.childNodes].filter(isElement).filter(({ localName }) => localName === 'ul' || localName === 'ol')
    const own = [...item.childNodes].filter((node) => !nested.some((inner) => inner === node))
    const text = own.map(inlineText).join('').replace(/\s+/g, ' ').trim()
    const marker = list.localName === 'ol' ? `${number++}.` : '-'
    return [...(text ? [`${indent}${marker} ${text}`] : []), ...nested.flatMap((inner) => listLines(inner, text ? `${indent}  ` : indent))]
  })
}

/** Returns whether a table contains values rather than page layout: at least two columns, and no table, heading or long list in a cell. */
function isDataTable(table: HtmlElement): boolean {
  if (table.getAttribute('role') === 'presentation') return false
  if (table.querySelector('table, h1, h2, h3, pre, article') !== null && table.querySelector('th') === null) return false
  return rowsOf(table).some((row) => row.filter((cell) => inlineText(cell).trim()).length > 1)
}

function rowsOf(table: HtmlElement): HtmlElement[][] {
  const rows = [...table.querySelectorAll('tr')].filter((row) => nearest(row, 'table') === table && !isHidden(row))
  return rows.map((row) =>
    [...row.childNodes].filter(isElement).filter((cell) => (cell.localName === 'td' || cell.localName === 'th') && !isHidden(cell)),
  )
}

function nearest(element: HtmlElement, tag: string): HtmlElement | null {
  let at = element.parentNode
  while (at && at.localName !== tag) at = at.parentNode
  return at
}

function tableParts(table: HtmlElement): Part[] {
  const caption = [...table.childNodes].filter(isElement).find(({ localName }) => localName === 'caption')
  const text = gridTable(spread(rowsOf(table)))
  return [...(caption ? [{ kind: 'paragraph' as const, text: inlineText(caption) }] : []), { kind: 'table', text }]
}

/** Returns cells by column. A cell is repeated in every row and column that it spans, so that each row can stand alone. */
function spread(rows: readonly (readonly HtmlElement[])[]): (GridCell | undefined)[][] {
  const grid: (GridCell | undefined)[][] = rows.map(() => [])
  let room = maxSpannedCells
  rows.forEach((row, y) => {
    let x = 0
    for (const cell of row) {
      while (grid[y]?.[x] !== undefined) x++
      const text = inlineText(cell)
      const lines = grid.slice(y, y + span(cell, 'rowspan'))
      const width = row.length === 1 ? 1 : span(cell, 'colspan')
      room -= lines.length * width
      const spans = room > 0
      for (const line of spans ? lines : lines.slice(0, 1))
        for (let dx = 0; dx < (spans ? width : 1); dx++) line[x + dx] = { text, goesOn: dx > 0 }
      x += spans ? width : 1
    }
  })
  return grid.map((line) => Array.from(line))
}

function span(cell: HtmlElement, name: string): number {
  return Math.min(100, Math.max(1, Number(cell.getAttribute(name)) || 1))
}
