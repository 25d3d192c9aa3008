import { around, heightOf, overlap } from './pdf-layout-boxes.ts'
import type { Run } from './pdf-layout-runs.ts'
import type { LayoutLine } from './pdf-layout-types.ts'

/** A line with its runs from left to right. */
export interface Line extends LayoutLine {
  readonly isMostlyMonospace: boolean
  readonly runs: readonly Run[]
}

/** Joins runs at the same height. Returns the lines from top to bottom. */
export function linesOf(runs: readonly Run[]): Line[] {
  const rows: { top: number; bottom: number; runs: Run[] }[] = []
  for (const chain of chainsOf(runs).toSorted((a, b) => a.top + a.bottom - b.top - b.bottom)) {
    const row = rows
      .slice(-3)
      .find((one) => overlap([one.top, one.bottom], [chain.top, chain.bottom]) > 0.55 * Math.min(heightOf(one), heightOf(chain)))
    if (!row) {
      rows.push({ top: chain.top, bottom: chain.bottom, runs: [...chain.runs] })
      continue
    }
    row.runs.push(...chain.runs)
    const main = longest(row.runs)
    row.top = main.top
    row.bottom = main.bottom
  }
  return rows.map((row) => lineOf(row.runs.toSorted((a, b) => a.left - b.left))).toSorted((a, b) => a.top - b.top)
}

interface Chain {
  readonly top: number
  readonly bottom: number
  readonly runs: readonly Run[]
}

/** Joins runs that follow and continue each other: the lines of a skewed scan rise or fall. */
function chainsOf(runs: readonly Run[]): Chain[] {
  const chains: Run[][] = []
  for (const run of runs) {
    const last = chains.at(-1)
    const before = last?.at(-1)
    const gap = before ? run.left - before.right : Infinity
    const continues =
      before !== undefined &&
      gap > -0.5 * before.fontSize &&
      gap < 2 * before.fontSize &&
      overlap([before.top, before.bottom], [run.top, run.bottom]) > 0.5 * Math.min(heightOf(before), heightOf(run))
    if (last && continues) last.push(run)
    else chains.push([run])
  }
  return chains.map((chain) => {
    const { top, bottom } = longest(chain)
    return { top, bottom, runs: chain }
  })
}

function longest(runs: readonly Run[]): Run {
  return runs.reduce((found, run) => (run.text.length > found.text.length ? run : found))
}

export function lineOf(runs: readonly Run[]): Line {
  const main = longest(runs)
  let [size, bold, italic, monospace] = [0, 0, 0, 0]
  for (const run of runs) {
    const { length } = run.text
    size += length
    if (run.bold) bold += length
    if (run.italic) italic += length
    if (isMonospace(run)) monospace += length
  }
  return {
    ...around(runs),
    text: textOf(runs),
    fontSize: main.fontSize,
    bold: bold > 0.9 * size,
    italic: italic > 0.9 * size,
    monospace: monospace > 0.9 * size,
    isMostlyMonospace: monospace > 0.5 * size,
    fontName: main.fontName,
    runs,
  }
}

/** Box-drawing characters are often of another font. */
function isMonospace({ monospace, text }: Run): boolean {
  return monospace || /^[\s\u2500-\u257F]*$/.test(text)
}

/** Joins runs with a space where they are apart. Superscripts and punctuation of another font stay at their word. */
export function textOf(runs: readonly Run[]): string {
  return runs.reduce((text, run, at) => {
    const before = runs[at - 1]
    const apart = before !== undefined && run.left - before.right > 0.12 * Math.min(run.fontSize, before.fontSize)
    return text + (apart && !text.endsWith(' ') ? ' ' : '') + run.text
  }, '')
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303F\uFF00-\uFFEF]/u

/** Joins the texts of lines. Hyphenated words are joined; in scripts without spaces, a line end is no space. */
export function joinLines(texts: readonly string[]): string {
  return texts.reduce((text, next) => {
    if (text === '') return next
    if (/\p{L}\u00AD$/u.test(text) || (/\p{Ll}-$/u.test(text) && /^\p{Ll}/u.test(next))) return text.slice(0, -1) + next
    return unspaced.test(text.at(-1) ?? '') && unspaced.test(next.charAt(0)) ? text + next : `${text} ${next}`
  }, '')
}
