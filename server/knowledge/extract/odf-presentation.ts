import { SourceError } from '../../lib/errors.ts'
import type { Draft, ExtractInput, Part } from './draft.ts'
import { openPackage } from './office-package.ts'
import { officeTitle } from './office-title.ts'
import { gridTable, type GridCell } from './table.ts'
import { all, at, find, isElement, type XmlElement } from './xml.ts'

/** Extracts OpenDocument presentations (ODF 1.3, part 3): slides as pages, their titles as headings, then text, lists, tables and notes. */
export function extractOdfPresentation({ bytes }: ExtractInput): Draft {
  const file = openPackage(bytes)
  if (all(at(file.xml('META-INF/manifest.xml'), 'manifest'), 'file-entry').some((entry) => at(entry, 'encryption-data')))
    throw new SourceError('encrypted_file', 'The file is protected by a password.')
  const markers = new Map([...find(file.xml('styles.xml'), 'list-style'), ...find(file.xml('content.xml'), 'list-style')].map(levelsOf))
  const slides = find(at(file.xml('content.xml'), 'document-content', 'body', 'presentation'), 'page')
  return {
    parts: slides.flatMap((slide, index) =>
      [...shapes(slide, markers), ...notes(at(slide, 'notes'))].map((part) => ({ ...part, page: index + 1 })),
    ),
    title: officeTitle(bytes),
    pages: slides.length,
  }
}

function shapes(parent: XmlElement, markers: Markers): Part[] {
  return parent.children.filter(isElement).flatMap((shape) => {
    if (shape.name === 'notes') return []
    if (shape.name === 'frame') return frame(shape, markers)
    return shape.name === 'g' ? shapes(shape, markers) : blocks(shape, markers)
  })
}

function frame(element: XmlElement, markers: Markers): Part[] {
  const table = at(element, 'table')
  if (table) return [{ kind: 'table', text: tableText(table) }]
  const box = at(element, 'text-box')
  const text = box ? blocks(box, markers) : []
  if (element.attributes['presentation:class'] !== 'title') return text
  const title = text.map((part) => part.text).join(' ')
  return title ? [{ kind: 'heading', level: 1, text: title }] : []
}

function blocks(element: XmlElement, markers: Markers): Part[] {
  return element.children.filter(isElement).flatMap((child): Part[] => {
    if (child.name === 'list') return listParts(child, markers)
    return child.name === 'p' || child.name === 'h' ? [{ kind: 'paragraph', text: line(child) }] : []
  })
}

/** Items without a marker in their style are paragraphs. */
function listParts(list: XmlElement, markers: Markers): Part[] {
  const style = markers.get(list.attributes['style-name'] ?? '') ?? []
  const items = listItems(list, 0)
  if (items.every(({ level }) => style[level] === null)) return items.map(({ text }) => ({ kind: 'paragraph', text }))
  const numbers: number[] = []
  const lines = items.map(({ text, level }) => {
    numbers.length = Math.min(numbers.length, level + 1)
    numbers[level] = (numbers[level] ?? 0) + 1
    return `${'  '.repeat(level)}${style[level] === '1.' ? `${numbers[level]}.` : '-'} ${text.replace(/\s+/g, ' ').trim()}`
  })
  return [{ kind: 'list', text: lines.join('\n') }]
}

function listItems(list: XmlElement, level: number): { text: string; level: number }[] {
  return all(list, 'list-item').flatMap((item) =>
    item.children.filter(isElement).flatMap((child) => {
      if (child.name === 'list') return listItems(child, level + 1)
      const text = line(child)
      return text.trim() ? [{ text, level }] : []
    }),
  )
}

/** The markers of each list level by the name of the list style; null for none. */
type Markers = ReadonlyMap<string, readonly ('-' | '1.' | null)[]>

function levelsOf(style: XmlElement): [name: string, levels: ('-' | '1.' | null)[]] {
  const levels: ('-' | '1.' | null)[] = []
  for (const { name, attributes } of style.children.filter(isElement)) {
    const format = attributes['num-format'] ?? ''
    const bullet = attributes['bullet-char'] ?? ''
    levels[Number(attributes['level'] ?? 1) - 1] = name === 'list-level-style-number' ? (format ? '1.' : null) : bullet.trim() ? '-' : null
  }
  return [style.attributes['name'] ?? '', levels]
}

function tableText(table: XmlElement): string {
  const grid: GridCell[][] = []
  find(table, 'table-row').forEach((row, y) => {
    const cells = row.children.filter(isElement)
    cells.forEach((cell, x) => {
      if (cell.name !== 'table-cell') return
      const text = find(cell, 'p').map(line).join(' ')
      const [width, height] = ['number-columns-spanned', 'number-rows-spanned'].map((name) =>
        Math.min(50, Number(cell.attributes[name] ?? 1)),
      )
      for (let down = 0; down < (height ?? 1); down++)
        for (let right = 0; right < (width ?? 1); right++) (grid[y + down] ??= [])[x + right] = { text, goesOn: right > 0 }
    })
    grid[y] ??= []
  })
  return gridTable(grid)
}

function notes(element: XmlElement | undefined): Part[] {
  const text = find(element, 'p').map(line).join('\n')
  return text.trim() ? [{ kind: 'paragraph', text: `Notes: ${text}` }] : []
}

/** Returns the text of a paragraph, in which runs of spaces, tabs and breaks are elements. */
function line(element: XmlElement): string {
  return element.children
    .map((child) => {
      if (!isElement(child)) return child
      if (child.name === 's' || child.name === 'tab') return ' '
      if (child.name === 'line-break') return '\n'
      return child.name === 'page-number' || child.name === 'annotation' ? '' : line(child)
    })
    .join('')
}
