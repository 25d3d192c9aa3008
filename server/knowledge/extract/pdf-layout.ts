import type { ParsedPage } from '@llamaindex/liteparse'
import { alignedTables } from './pdf-layout-aligned-tables.ts'
import type { Row } from './pdf-layout-cells.ts'
import { blocksOf, type Typography } from './pdf-layout-blocks.ts'
import { drawnBlocks } from './pdf-layout-drawn-lines.ts'
import { around, contains, heightOf, overlap, widthOf, type Box } from './pdf-layout-boxes.ts'
import { lineOf, linesOf, type Line } from './pdf-layout-lines.ts'
import { inReadingOrder } from './pdf-layout-order.ts'
import { pieceOf, piecesOfLine, type Piece } from './pdf-layout-pieces.ts'
import { upright } from './pdf-layout-rotation.ts'
import { drawnFrames, networks, ruledTables } from './pdf-layout-ruled-tables.ts'
import { rulingsOf } from './pdf-layout-rulings.ts'
import { runningRuns, type PageRuns } from './pdf-layout-running-lines.ts'
import { runsOfPages, type Run } from './pdf-layout-runs.ts'
import type { FoundTable } from './pdf-layout-table-text.ts'
import type { LayoutBlock, PageLayout } from './pdf-layout-types.ts'
import type { PdfLine } from './pdf-lines.ts'

/**
 * Returns the blocks of each page in reading order, from the positions and fonts of its text and its drawn lines: without running
 * lines, first the tables, then the columns and frames, then paragraphs, lists and code in each of them. Pages with
 * `drawnLines` keep the order of these lines.
 */
export function layoutPages(parsed: readonly ParsedPage[], drawnLines: ReadonlyMap<number, readonly PdfLine[]> = new Map()): PageLayout[] {
  const pages = parsed.map(upright)
  const allRuns = runsOfPages(pages)
  const all = pages.map(({ pageNum, width, height }, at): PageRuns => ({ page: pageNum, width, height, runs: allRuns[at] ?? [] }))
  const running = runningRuns(all)
  const typography = typographyOf(allRuns.flat())
  return all.map((page, at) => {
    const lines = drawnLines.get(page.page)
    const runs = page.runs.filter((run) => !running.has(run))
    const parsedPage = pages[at]
    const blocks = lines ? drawnBlocks(lines, page, running) : parsedPage ? blocksOfPage(parsedPage, runs, typography) : []
    return { page: page.page, width: page.width, height: page.height, blocks }
  })
}

function typographyOf(runs: readonly Run[]): Typography {
  const letters = (of: readonly Run[]): number => of.reduce((sum, { text }) => sum + text.length, 0)
  const all = letters(runs)
  const sizes = new Map<number, number>()
  for (const { fontSize, text } of runs) sizes.set(fontSize, (sizes.get(fontSize) ?? 0) + text.length)
  const commonest = Math.max(0, ...sizes.values())
  const sizesVary = commonest < 0.2 * all && sizes.size > 10
  return { isTypewritten: sizesVary || letters(runs.filter(({ monospace }) => monospace)) > 0.8 * all, sizesVary }
}

/** A piece of a page: text, a table, or a frame with its own pieces. */
interface Part extends Piece {
  /** The line, if the part is a whole line. */
  readonly line?: Line
  readonly table?: FoundTable
  readonly frame?: readonly Part[]
}

function blocksOfPage(page: ParsedPage, all: readonly Run[], typography: Typography): LayoutBlock[] {
  const runs = all.filter(({ isRotated }) => !isRotated)
  const rulings = rulingsOf(page)
  const drawn = networks(rulings)
  const ruled = ruledTables(runs, drawn, rulings)
  const lines = linesOf(without(runs, ruled))
  const rows = lines.map((line): Row => ({ line, pieces: piecesOfLine(line) }))
  const aligned = alignedTables(rows, rulings)
  const inAligned = new Set(aligned.flatMap((table) => table.runs))
  const parts: Part[] = [
    ...[...ruled, ...aligned].map((table): Part => ({ ...pieceOf(table.runs), ...around([table]), table })),
    ...rows
      .filter(
        ({
          line: {
            runs: [first],
          },
        }) => first && !inAligned.has(first),
      )
      .flatMap(partsOfRow),
  ]
  const aside = all.filter((run) => run.isRotated && !isAtSide(run, page)).map((run) => lineOf([run]))
  return [
    ...partBlocks(framed(parts, [...rulings.frames, ...drawnFrames(drawn)], page), page.pageNum, typography),
    ...aside.map((line): LayoutBlock => ({ kind: 'paragraph', page: page.pageNum, lines: [line], text: line.text })),
  ]
}

function partsOfRow({ line, pieces }: Row): readonly Part[] {
  const [piece] = pieces
  return piece && pieces.length === 1 ? [{ ...piece, line }] : pieces
}

/** Returns the lines of parts: known lines, unless parts of a line are read together. */
function linesOfParts(parts: readonly Part[]): Line[] {
  const known = parts.flatMap(({ line }) => line ?? [])
  return known.length === parts.length ? known : linesOf(parts.flatMap(({ runs }) => runs))
}

/** Rotated text at the left or right edge is a stamp. */
function isAtSide({ left, right }: Run, { width }: ParsedPage): boolean {
  return right < 0.08 * width || left > 0.92 * width
}

function without(runs: readonly Run[], tables: readonly FoundTable[]): Run[] {
  const taken = new Set(tables.flatMap((table) => table.runs))
  return runs.filter((run) => !taken.has(run))
}

/** Puts the parts inside a frame into one part, which is read as a whole: at least two lines, and less than most of the page. */
function framed(parts: readonly Part[], frames: readonly Box[], { width, height }: ParsedPage): Part[] {
  let left = [...parts]
  for (const frame of frames.toSorted((a, b) => widthOf(b) * heightOf(b) - widthOf(a) * heightOf(a))) {
    if (widthOf(frame) * heightOf(frame) > 0.6 * width * height) continue
    const inside = left.filter((part) => contains(frame, part))
    if (inside.length < 2 || inside.length === left.length || !isWhole(frame, inside, left)) continue
    left = [
      ...left.filter((part) => !inside.includes(part)),
      { ...pieceOf(inside.flatMap(({ runs }) => runs)), ...frame, frame: inside, isBox: true },
    ]
  }
  return left
}

/** Returns whether a frame has at least two lines and cuts none: backgrounds of single words and slices of a box do not count. */
function isWhole(frame: Box, inside: readonly Part[], all: readonly Part[]): boolean {
  const size = inside[0]?.fontSize ?? 0
  if (heightOf(around(inside)) < 2 * size) return false
  const { top, bottom } = around(inside)
  return all.every(
    (part) =>
      (inside.includes(part) && part.left > frame.left - 3 && part.right < frame.right + 3) ||
      (!inside.includes(part) &&
        (overlap([part.top, part.bottom], [top, bottom]) < 0.3 * heightOf(part) ||
          part.right < frame.left - size ||
          part.left > frame.right + size)),
  )
}

function partBlocks(parts: readonly Part[], page: number, typography: Typography): LayoutBlock[] {
  return inReadingOrder(parts).flatMap((group) => {
    const blocks: LayoutBlock[] = []
    let text: Part[] = []
    const flush = (): void => {
      blocks.push(...blocksOf(linesOfParts(text), page, typography))
      text = []
    }
    for (const part of group) {
      if (!part.table && !part.frame) {
        text.push(part)
        continue
      }
      flush()
      if (part.table) blocks.push({ kind: 'table', page, lines: linesOf(part.table.runs), text: part.table.text })
      else blocks.push(...partBlocks(part.frame ?? [], page, typography))
    }
    flush()
    return blocks
  })
}
