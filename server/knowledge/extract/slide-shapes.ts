import type { Part } from './draft.ts'
import { linearFormula } from './formula.ts'
import { gridTable, type GridCell } from './table.ts'
import { all, at, find, isElement, textOf, type XmlElement } from './xml.ts'

/** An element of a slide: parts, or a reference to a chart file. */
export type Shape = { readonly kind: 'parts'; readonly parts: readonly Part[] } | { readonly kind: 'chart'; readonly relation: string }

interface Paragraph {
  readonly text: string
  readonly level: number
  /** `-`, or `1.` for numbered items; null for running text; undefined if the layout decides. */
  readonly marker: '-' | '1.' | null | undefined
}

/** Fields that repeat on every slide. */
const furniture = ['sldNum', 'dt', 'ftr', 'hdr']

/** Returns the shapes of a tree with groups expanded, in file order. */
export function shapesOf(tree: XmlElement | undefined): Shape[] {
  return (tree?.children ?? []).filter(isElement).flatMap(shapeOf)
}

function shapeOf(element: XmlElement): Shape[] {
  if (find(nonVisual(element), 'cNvPr')[0]?.attributes['hidden'] === '1') return []
  switch (element.name) {
    case 'sp':
      return isPlaceholder(element, furniture) ? [] : [{ kind: 'parts', parts: textParts(element) }]
    case 'grpSp':
      return shapesOf(element)
    case 'AlternateContent':
      return shapesOf(at(element, 'Choice') ?? at(element, 'Fallback'))
    case 'graphicFrame':
      return frame(at(element, 'graphic', 'graphicData'))
    case 'pic':
      return [{ kind: 'parts', parts: pictureParts(element) }]
    default:
      return []
  }
}

/** Returns whether the shape fills a placeholder of one of these types; a placeholder without a type is for content. */
export function isPlaceholder(shape: XmlElement, types: readonly string[]): boolean {
  const place = find(nonVisual(shape), 'ph')[0]
  return place !== undefined && types.includes(place.attributes['type'] ?? 'obj')
}

function nonVisual(shape: XmlElement): XmlElement | undefined {
  return shape.children.filter(isElement).find(({ name }) => name.startsWith('nv'))
}

function textParts(shape: XmlElement): Part[] {
  const paragraphs = paragraphsOf(at(shape, 'txBody')).filter(({ text }) => text.trim())
  if (isPlaceholder(shape, ['title', 'ctrTitle'])) {
    const text = paragraphs.map((paragraph) => paragraph.text).join(' ')
    return text ? [{ kind: 'heading', level: 1, text }] : []
  }
  const content = isPlaceholder(shape, ['body', 'obj'])
  const parts: Part[] = []
  const numbers: number[] = []
  for (const { text, level, marker } of paragraphs) {
    const mark = marker === undefined && content && paragraphs.length > 1 ? '-' : marker
    numbers.length = mark === '1.' ? level + 1 : Math.min(numbers.length, level)
    if (!mark) {
      parts.push({ kind: 'paragraph', text })
      continue
    }
    if (mark === '1.') numbers[level] = (numbers[level] ?? 0) + 1
    const line = `${'  '.repeat(level)}${mark === '1.' ? `${numbers[level]}.` : '-'} ${text.replace(/\s+/g, ' ').trim()}`
    const last = parts.at(-1)
    if (last?.kind === 'list') parts[parts.length - 1] = { ...last, text: `${last.text}\n${line}` }
    else parts.push({ kind: 'list', text: line })
  }
  return parts
}

export function paragraphsOf(body: XmlElement | undefined): Paragraph[] {
  return all(body, 'p').map((paragraph) => {
    const properties = at(paragraph, 'pPr')
    return { text: runs(paragraph), level: Math.min(8, Number(properties?.attributes['lvl']) || 0), marker: markerOf(properties) }
  })
}

function markerOf(properties: XmlElement | undefined): Paragraph['marker'] {
  if (at(properties, 'buNone')) return null
  if (at(properties, 'buAutoNum')) return '1.'
  return at(properties, 'buChar') || at(properties, 'buBlip') ? '-' : undefined
}

function runs(paragraph: XmlElement | undefined): string {
  return (paragraph?.children ?? []).filter(isElement).map(runText).join('')
}

function runText(run: XmlElement): string {
  switch (run.name) {
    case 'br':
      return '\n'
    case 'r':
      return textOf(at(run, 't'))
    case 'fld':
      return run.attributes['type'] === 'slidenum' ? '' : textOf(at(run, 't'))
    case 'm':
      return find(run, 'oMath').map(linearFormula).join('\n')
    case 'AlternateContent':
      return runs(at(run, 'Choice') ?? at(run, 'Fallback'))
    default:
      return run.name === 'pPr' || run.name === 'endParaRPr' ? '' : find(run, 't').map(textOf).join('')
  }
}

function frame(data: XmlElement | undefined): Shape[] {
  const chart = at(data, 'chart')?.attributes['r:id']
  if (chart !== undefined) return [{ kind: 'chart', relation: chart }]
  const table = at(data, 'tbl')
  return table ? [{ kind: 'parts', parts: [{ kind: 'table', text: tableText(table) }] }] : []
}

function tableText(table: XmlElement): string {
  const grid: GridCell[][] = []
  for (const row of all(table, 'tr')) {
    const line: GridCell[] = []
    all(row, 'tc').forEach((cell, column) => {
      const { hMerge, vMerge } = cell.attributes
      const text = paragraphsOf(at(cell, 'txBody'))
        .map((paragraph) => paragraph.text)
        .join(' ')
      const before = hMerge === '1' ? line[column - 1] : vMerge === '1' ? grid.at(-1)?.[column] : undefined
      line.push({ text: before?.text ?? text, goesOn: hMerge === '1' })
    })
    grid.push(line)
  }
  return gridTable(grid)
}

function pictureParts(picture: XmlElement): Part[] {
  const text = altText(find(nonVisual(picture), 'cNvPr')[0]?.attributes['descr'])
  return text ? [{ kind: 'paragraph', text }] : []
}

/** Returns the description of a picture, if it is neither a file name nor generated. */
export function altText(description: string | undefined): string {
  const text = (description ?? '').replace(/\s*Description automatically generated[\s\S]*$/i, '').trim()
  return /^\S+\.\w{3,4}$/.test(text) || /^(?:image|picture|graphic|photo|bild|grafik|imagen?)\s*\d*$/i.test(text) ? '' : text
}
