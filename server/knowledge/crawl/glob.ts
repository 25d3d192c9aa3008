/**
 * Returns whether a glob matches the whole text: `*` matches within a path segment, `**` matches anything, `{a,b}` either
 * alternative, every other character matches itself. Takes time proportional to the product of both lengths for any pattern.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  const start = Array.from({ length: text.length + 1 }, (_, at) => at === 0)
  return afterPattern(start, text, pattern)[text.length] === true
}

/** Returns, for each number of characters, whether the pattern can match up to there from a position that is `reached`. */
function afterPattern(reached: readonly boolean[], text: string, pattern: string): readonly boolean[] {
  for (const part of pattern.split(/(\{[^{}]*\}|\*+)/)) {
    if (part.startsWith('{')) reached = afterAnyOf(reached, text, part.slice(1, -1).split(','))
    else if (part.startsWith('*')) reached = afterStar(reached, text, part.length > 1)
    else reached = afterLiteral(reached, text, part)
  }
  return reached
}

function afterAnyOf(reached: readonly boolean[], text: string, alternatives: readonly string[]): boolean[] {
  const each = alternatives.map((alternative) => afterPattern(reached, text, alternative))
  return reached.map((_, at) => each.some((ends) => ends[at] === true))
}

function afterStar(reached: readonly boolean[], text: string, acrossSegments: boolean): boolean[] {
  const after: boolean[] = []
  for (let at = 0; at <= text.length; at++) {
    after[at] = reached[at] === true || (after[at - 1] === true && (acrossSegments || text[at - 1] !== '/'))
  }
  return after
}

function afterLiteral(reached: readonly boolean[], text: string, literal: string): boolean[] {
  return reached.map((_, at) => at >= literal.length && reached[at - literal.length] === true && text.endsWith(literal, at))
}
