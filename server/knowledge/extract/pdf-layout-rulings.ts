import type { ParsedPage } from '@llamaindex/liteparse'
import { heightOf, widthOf, type Box } from './pdf-layout-boxes.ts'

/** A horizontal or vertical line: its position across, and its ends. */
export interface Ruling {
  readonly at: number
  readonly from: number
  readonly to: number
}

export interface Rulings {
  readonly horizontal: readonly Ruling[]
  readonly vertical: readonly Ruling[]
  /** Drawn or filled rectangles that are smaller than the page. */
  readonly frames: readonly Box[]
  /** Boxes around drawings with curves. */
  readonly curves: readonly Box[]
}

/** Thickest rectangle that is a line. */
const maxThickness = 3
/** Drawings with more lines are figures. */
const maxRulings = 4000

/** Returns the lines of a page, drawn as such or as thin rectangles, and the edges of its rectangles. */
export function rulingsOf({ vectorGraphics, width, height }: ParsedPage): Rulings {
  const horizontal: Ruling[] = []
  const vertical: Ruling[] = []
  const frames: Box[] = []
  const curves: Box[] = []
  const { lines = [], shapes = [] } = vectorGraphics ?? {}
  if (lines.length + shapes.length > maxRulings) return { horizontal, vertical, frames, curves }
  for (const { x1, y1, x2, y2 } of lines) {
    if (Math.abs(y1 - y2) < 1) horizontal.push({ at: (y1 + y2) / 2, from: Math.min(x1, x2), to: Math.max(x1, x2) })
    else if (Math.abs(x1 - x2) < 1) vertical.push({ at: (x1 + x2) / 2, from: Math.min(y1, y2), to: Math.max(y1, y2) })
  }
  for (const { bbox, hasCurve } of shapes) {
    const box = { left: bbox.x, top: bbox.y, right: bbox.x + bbox.width, bottom: bbox.y + bbox.height }
    if (bbox.width * bbox.height > 0.8 * width * height) continue
    if (heightOf(box) <= maxThickness && widthOf(box) > 8)
      horizontal.push({ at: (box.top + box.bottom) / 2, from: box.left, to: box.right })
    else if (widthOf(box) <= maxThickness && heightOf(box) > 4)
      vertical.push({ at: (box.left + box.right) / 2, from: box.top, to: box.bottom })
    else if (widthOf(box) > 20 && heightOf(box) > 8) {
      frames.push(box)
      if (hasCurve) curves.push(box)
      if (hasCurve) continue
      horizontal.push({ at: box.top, from: box.left, to: box.right }, { at: box.bottom, from: box.left, to: box.right })
      vertical.push({ at: box.left, from: box.top, to: box.bottom }, { at: box.right, from: box.top, to: box.bottom })
    }
  }
  return { horizontal: merged(horizontal), vertical: merged(vertical), frames, curves }
}

/** Joins lines that continue each other or lie on each other. */
function merged(rulings: readonly Ruling[]): Ruling[] {
  const result: { at: number; from: number; to: number }[] = []
  for (const ruling of rulings.toSorted((a, b) => a.at - b.at || a.from - b.from)) {
    const known = result.findLast((one) => ruling.at - one.at < 1.5 && ruling.from < one.to + 3 && ruling.to > one.from - 3)
    if (known && ruling.at - known.at < 1.5) {
      known.from = Math.min(known.from, ruling.from)
      known.to = Math.max(known.to, ruling.to)
    } else result.push({ ...ruling })
  }
  return result
}
