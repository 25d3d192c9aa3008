import { around, median, type Box } from './pdf-layout-boxes.ts'
import type { Line } from './pdf-layout-lines.ts'
import type { Run } from './pdf-layout-runs.ts'

/** A part of a page that no column separates: runs close to each other on a line, or a table or frame as a whole. */
export interface Piece extends Box {
  readonly runs: readonly Run[]
  readonly fontSize: number
  /** True for text in a frame. */
  readonly isBox?: boolean
}

/** Runs closer than this share of the font size belong together; gaps between columns are wider. */
const joinedGap = 0.6

/** Joins runs on one line that are close to each other. */
export function piecesOfLine({ runs }: Line): Piece[] {
  const pieces: Run[][] = []
  for (const run of runs) {
    const last = pieces.at(-1)
    const before = last?.at(-1)
    if (last && before && run.left - before.right < joinedGap * Math.max(run.fontSize, before.fontSize)) last.push(run)
    else pieces.push([run])
  }
  return pieces.map(pieceOf)
}

export function pieceOf(runs: readonly Run[]): Piece {
  return { ...around(runs), runs, fontSize: median(runs.map(({ fontSize }) => fontSize)) }
}
