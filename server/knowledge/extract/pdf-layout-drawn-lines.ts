import { around, contains } from './pdf-layout-boxes.ts'
import { lineOf } from './pdf-layout-lines.ts'
import type { PageRuns } from './pdf-layout-running-lines.ts'
import type { Run } from './pdf-layout-runs.ts'
import type { LayoutBlock, LayoutLine } from './pdf-layout-types.ts'
import type { PdfLine } from './pdf-lines.ts'
import { drawnParagraphs } from './pdf-paragraphs.ts'

/**
 * Returns the paragraphs of a page from PDFium's lines in drawing order, for right-to-left scripts. Their fonts are those of the
 * runs at the same place.
 */
export function drawnBlocks(lines: readonly PdfLine[], { page, height, runs }: PageRuns, running: ReadonlySet<Run>): LayoutBlock[] {
  const known = new Map<PdfLine, LayoutLine>()
  for (const line of lines) {
    const box = { left: line.left - 1, right: line.right + 1, top: height - line.top - 1, bottom: height - line.bottom + 1 }
    const inside = runs.filter((run) => contains(box, run))
    if (inside.some((run) => running.has(run))) continue
    const font =
      inside.length > 0 ? lineOf(inside) : { fontSize: line.top - line.bottom, bold: false, italic: false, monospace: false, fontName: '' }
    const { fontSize, bold, italic, monospace, fontName } = font
    known.set(line, { ...around([box]), text: line.text, fontSize, bold, italic, monospace, fontName })
  }
  return drawnParagraphs([...known.keys()], (line, other) => isSameFont(known.get(line), known.get(other))).map(
    (paragraph): LayoutBlock => ({
      kind: 'paragraph',
      page,
      lines: paragraph.lines.flatMap((line) => known.get(line) ?? []),
      text: paragraph.text,
    }),
  )
}

function isSameFont(line: LayoutLine | undefined, other: LayoutLine | undefined): boolean {
  return (
    line !== undefined && other !== undefined && Math.abs(line.fontSize - other.fontSize) < 0.08 * line.fontSize && line.bold === other.bold
  )
}
