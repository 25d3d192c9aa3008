import type { Cue } from './transcript.ts'

/** A cue as it is shown, line by line. */
export interface ShownCue extends Omit<Cue, 'text'> {
  readonly lines: readonly string[]
}

const shareThatTells = 0.25

/**
 * Removes repetitions of rolling captions: live captions repeat the lines of the previous cue and add to them. Decided for the
 * whole file, since in other files a repeated line was spoken twice.
 */
export function withoutRepeats(shown: readonly ShownCue[]): Cue[] {
  const repeats = shown.map((cue, at) => repeatedWords(shown[at - 1], cue))
  const rolls = repeats.filter((words) => words > 0).length > shown.length * shareThatTells
  return shown.flatMap(({ lines, ...cue }, at) => {
    const words = wordsOf(lines)
    const text = rolls ? words.slice(repeats[at]).join(' ') : lines.join('\n')
    return text === '' ? [] : [{ ...cue, text }]
  })
}

/** Returns the number of words at the start of a cue that the previous cue showed last: whole lines, or at least three words. */
function repeatedWords(before: ShownCue | undefined, cue: ShownCue): number {
  if (!before || cue.start - before.end > 1) return 0
  const lines = overlap(before.lines, cue.lines)
  if (lines > 0) return wordsOf(cue.lines.slice(0, lines)).length
  const shown = wordsOf(before.lines)
  const words = overlap(shown, wordsOf(cue.lines))
  return words >= 3 || words === shown.length ? words : 0
}

/** Returns the length of the longest suffix of one list that the other begins with. */
function overlap(ending: readonly string[], beginning: readonly string[]): number {
  for (let length = Math.min(ending.length, beginning.length); length > 0; length--)
    if (beginning.slice(0, length).every((item, at) => item === ending[ending.length - length + at])) return length
  return 0
}

function wordsOf(lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split(/\s+/)).filter(Boolean)
}
