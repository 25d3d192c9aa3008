import { overlap, type Box } from './pdf-layout-boxes.ts'
import { joinLines } from './pdf-layout-lines.ts'
import type { Run, Word } from './pdf-layout-runs.ts'

/** A table as Markdown, and the runs that it consists of. */
export interface FoundTable extends Box {
  readonly runs: readonly Run[]
  readonly text: string
}

/** Returns the words of a cell as one line. */
export function cellText(words: readonly Word[]): string {
  const lines: { top: number; bottom: number; words: Word[] }[] = []
  for (const word of words.toSorted((a, b) => a.top + a.bottom - b.top - b.bottom)) {
    const last = lines.at(-1)
    if (last && overlap([last.top, last.bottom], [word.top, word.bottom]) > 0.5 * Math.min(last.bottom - last.top, word.bottom - word.top))
      last.words.push(word)
    else lines.push({ top: word.top, bottom: word.bottom, words: [word] })
  }
  return joinLines(lines.map((line) => lineText(line.words.toSorted((a, b) => a.left - b.left))))
}

/** Words of different runs may touch: a superscript, or a character of another font. */
function lineText(words: readonly Word[]): string {
  return words.reduce((text, word, at) => {
    const before = words[at - 1]
    const apart = before !== undefined && word.left - before.right > 0.08 * (word.bottom - word.top)
    return text + (apart ? ' ' : '') + word.text
  }, '')
}
