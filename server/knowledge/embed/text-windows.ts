/** Splits a text into as few parts of at most `limit` characters as possible, of nearly equal length, between words if there are any. */
export function textWindows(text: string, limit: number): string[] {
  const windows: string[] = []
  let rest = text
  while (rest.length > limit) {
    const share = Math.ceil(rest.length / Math.ceil(rest.length / limit))
    const at = cutBefore(rest, share)
    windows.push(rest.slice(0, at))
    rest = rest.slice(at)
  }
  windows.push(rest)
  return windows
}

/** Returns the last word boundary in the second half of the limit; otherwise the limit, but never inside a surrogate pair. */
function cutBefore(text: string, most: number): number {
  const space = text.slice(0, most).search(/\s\S*$/)
  if (space > most / 2) return space + 1
  return most > 1 && /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most
}
