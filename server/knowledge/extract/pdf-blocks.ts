import type { LayoutBlock } from '@llamaindex/liteparse'
import type { Part } from './draft.ts'
import { markdownTable } from './table.ts'

/** Converts a block of liteparse's layout to a part; none for rules and figures. */
export function partOf(block: LayoutBlock, page: number): Part[] {
  switch (block.kind) {
    case 'heading':
      return [{ kind: 'heading', level: block.level ?? 1, text: plain(block.text ?? ''), page }]
    case 'paragraph':
      return [{ kind: 'paragraph', text: plain(block.text ?? ''), page }]
    case 'list_item':
      return [
        {
          kind: 'list',
          text: `${'  '.repeat(block.level ?? 0)}${block.ordered ? (block.marker ?? '1.') : '-'} ${plain(block.text ?? '')}`,
          page,
        },
      ]
    case 'code':
    case 'grid_fallback':
      return linesParts(block.lines ?? [], page)
    case 'table':
      return [
        {
          kind: 'table',
          text: markdownTable([block.header ?? [], ...(block.rows ?? [])].map((row) => row.map((cell) => plain(cell.text)))),
          page,
        },
      ]
    default:
      return []
  }
}

/** Converts verbatim lines. Justified prose is sometimes classified as code; long lines of words reveal it. */
function linesParts(lines: readonly string[], page: number): Part[] {
  const prose = lines.filter((line) => (line.match(/\p{L}{2,}/gu)?.length ?? 0) > 5 && !/[{};=<>]|\s{4,}\S/.test(line.trim()))
  if (prose.length < 3 || prose.length < lines.length * 0.6) return [{ kind: 'code', text: lines.join('\n'), page }]
  return [{ kind: 'paragraph', text: unwrap(lines), page }]
}

function unwrap(lines: readonly string[]): string {
  return lines
    .map((line) => line.trim())
    .join('\n')
    .replace(/(\p{Ll})-\n(?=\p{Ll})/gu, '$1')
    .replaceAll('\n', ' ')
}

/** Removes liteparse's Markdown: asterisks around bold and italic runs, and escapes. */
function plain(text: string): string {
  return text
    .replace(/(?<![\\*])(\*{1,3})(?=[^\s*])((?:\\\*|[^*])*?[^\s*\\])\1(?!\*)/g, '$2')
    .replace(/<br\s*\/?>/g, ' ')
    .replace(/\\([*_`[\]|<>#~])/g, '$1')
}

/** dblatex under Python 3 writes the literal of an empty byte string around each box-drawing character. */
export function withoutLiterals(part: Part): Part {
  return { ...part, text: part.text.replace(/b(?:''|’’)(?=[\u2500-\u257F])|(?<=[\u2500-\u257F])b(?:''|’’)/g, '') }
}
