/**
 * Returns whether a glob matches the whole text: `*` matches within a path segment, `**` matches anything, every other
 * character matches itself. Takes time proportional to the product of both lengths for any pattern.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  const parts = pattern.split(/(\*+)/)
  // `reached[at]`: the parts so far can match the first `at` characters.
  let reached = Array.from({ length: text.length + 1 }, (_, at) => at === 0)
  for (const part of parts) reached = part.startsWith('*') ? afterStar(reached, text, part.length > 1) : afterLiteral(reached, text, part)
  return reached[text.length] === true
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
