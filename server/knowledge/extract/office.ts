import { toDocument, type Block, type Cell, type Inline, type List, type Table } from '@firecrawl/anydoc'
import { SourceError } from '../../lib/errors.ts'
import type { Draft, ExtractInput, Part } from './draft.ts'
import { joinTexts, linkText, struckText } from './inline.ts'
import { officeTitle } from './office-title.ts'
import { gridTable } from './table.ts'

/**
 * Extracts Office documents, OpenDocument, RTF and EPUB, by anydoc. @throws SourceError corrupt_file, encrypted_file,
 * too_large, unsupported_type
 */
export async function extractOffice({ bytes }: ExtractInput): Promise<Draft> {
  const document = await toDocument(bytes).catch((error: unknown) => {
    throw refusal(error)
  })
  const notes = document.notes.flatMap((note) => note.blocks.flatMap(partsOf))
  return { parts: [...document.blocks.flatMap(partsOf), ...notes], title: officeTitle(bytes) }
}

function refusal(error: unknown): SourceError {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'encrypted') return new SourceError('encrypted_file', 'The file is protected by a password.', { cause: error })
  if (code === 'resourceLimit') return new SourceError('too_large', 'The file unpacks to more than is read.', { cause: error })
  if (code === 'unsupported') return new SourceError('unsupported_type', 'Files of this type cannot be read.', { cause: error })
  return new SourceError('corrupt_file', 'The file is damaged: its parts do not follow its format.', { cause: error })
}

function partsOf(block: Block): Part[] {
  switch (block.kind) {
    case 'heading':
      return [{ kind: 'heading', level: block.level ?? 1, text: inline(block.content) }]
    case 'paragraph':
      return [{ kind: 'paragraph', text: inline(block.content) }]
    case 'list':
      return block.list ? [{ kind: 'list', text: listLines(block.list, '').join('\n') }] : []
    case 'table':
      return block.table ? tableParts(block.table) : []
    case 'blockQuote':
      return (block.blocks ?? []).flatMap(partsOf)
    case 'codeBlock':
      return [{ kind: 'code', text: block.text ?? '' }]
    default:
      return []
  }
}

const inline = (content: readonly Inline[] | undefined): string => joinTexts((content ?? []).map(inlineText))

function inlineText({ kind, text = '', style, content, target }: Inline): string {
  if (kind === 'lineBreak') return '\n'
  if (kind === 'image') return ''
  if (kind === 'link') return linkText(text + inline(content), target?.value ?? null)
  return (style?.strike === true ? struckText(text) : text) + inline(content)
}

function listLines(list: List, indent: string): string[] {
  return list.items.flatMap((item, at) => {
    const marker = item.markerLabel ?? (list.marker === 'bullet' ? '-' : `${list.start + at}.`)
    const lines = item.blocks.flatMap((block) =>
      block.kind === 'list' && block.list ? listLines(block.list, `${indent}  `) : linesOf(block).map((line) => `${indent}  ${line}`),
    )
    const [first, ...rest] = lines
    return first === undefined ? [] : [`${indent}${marker} ${first.trimStart()}`, ...rest]
  })
}

function linesOf(block: Block): string[] {
  return partsOf(block).flatMap(({ text }) => text.split('\n').filter((line) => line.trim()))
}

/** A table with one column, or one that positions text on the page, is a frame. */
function tableParts(table: Table): Part[] {
  if (table.kind === 'layout' || table.grid.every((row) => row.length < 2))
    return table.grid.flat().flatMap(({ cell }) => (cell?.blocks ?? []).flatMap(partsOf))
  const grid = table.grid.map((row) =>
    row.map((slot, column) => ({
      text: cellText(slot.cell ?? table.grid[slot.originRow ?? -1]?.[slot.originCol ?? -1]?.cell),
      goesOn: !slot.cell && (slot.originCol ?? column) < column,
    })),
  )
  return [{ kind: 'table', text: gridTable(grid) }]
}

/** Returns the text of a cell as one line, also that of the tables inside it. */
function cellText(cell: Cell | undefined): string {
  return (cell?.blocks ?? [])
    .flatMap((block) => (block.table ? block.table.grid.flat().map((slot) => cellText(slot.cell)) : linesOf(block)))
    .filter(Boolean)
    .join(' ')
}
