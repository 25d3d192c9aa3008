import type { FlowLine, Heading } from './pdf-headings.ts'

/** The lines of a heading. */
interface HeadingLines {
  readonly from: number
  readonly to: number
  readonly text: string
}

/**
 * Returns headings with levels: the larger or bolder the font, the closer to 1. Among headings with numbers such as `2.3.1`,
 * the number of parts decides.
 */
export function headingLevels(flow: readonly FlowLine[], headings: readonly HeadingLines[]): Heading[] {
  const styles = headings.map((heading) => styleOf(flow, heading))
  const ranks = rankOf(styles)
  const depths = headings.map(({ text }) => depthOf(text))
  const ranked = styles.map((style) => ranks.get(style) ?? 1)
  const top = Math.min(
    ...depths.flatMap((depth, at) => (depth === 1 ? [ranked[at] ?? 1] : [])),
    ...(depths.includes(1) ? [] : impliedTopLevels(depths, ranked)),
  )
  return headings.map(({ from, to }, at) => {
    const depth = depths[at] ?? 0
    const level = depth > 0 && Number.isFinite(top) ? top + depth - 1 : (ranked[at] ?? 1)
    return { from, to, level: Math.min(6, Math.max(1, level)) }
  })
}

/** For each numbered heading, returns the level that depth 1 would then have. */
function impliedTopLevels(depths: readonly number[], ranked: readonly number[]): number[] {
  return depths.flatMap((depth, at) => (depth > 1 ? [Math.max(1, (ranked[at] ?? 1) - depth + 1)] : []))
}

/** Returns the style of a heading as a number: four times its font size, rounded to an even number, plus 1 for bold. */
function styleOf(flow: readonly FlowLine[], { from, to }: HeadingLines): number {
  const lines = flow.slice(from, to).map(({ line }) => line)
  const size = Math.max(...lines.map(({ fontSize }) => fontSize))
  return Math.round(size * 2) * 2 + (lines.some(({ bold }) => bold) ? 1 : 0)
}

/**
 * Ranks styles from 1, the largest. Sizes that differ by at most 4 % share a rank, and a style of a single heading has the rank of
 * the next larger one.
 */
function rankOf(styles: readonly number[]): Map<number, number> {
  const ranks = new Map<number, number>()
  let rank = 0
  let last: number | null = null
  for (const style of [...new Set(styles)].toSorted((a, b) => b - a)) {
    const isSame = last !== null && style % 2 === last % 2 && last - style <= 0.04 * last
    const isSingle = styles.indexOf(style) === styles.lastIndexOf(style)
    if (rank === 0 || !(isSame || isSingle)) {
      rank++
      last = style
    }
    ranks.set(style, rank)
  }
  return ranks
}

/** Returns the depth of a number: 1 for `2 Scope`, 3 for `2.3.1 Scope`, 0 without a number. */
function depthOf(text: string): number {
  const number = /^(?:(?:section|abschnitt|§)\s*)?((?:\d{1,3}|[A-Z](?=\.\d))(?:\.\d{1,3})*)[.)]?\s+\p{L}/iu.exec(text)?.[1]
  return number === undefined ? 0 : number.split('.').length
}
