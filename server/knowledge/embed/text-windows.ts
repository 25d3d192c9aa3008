/** Splits a text into parts of at most `limit` characters and of similar length, between words if there are any. */
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

/** Returns the last word boundary in the second half of `maxLength`; otherwise `maxLength`, but never inside a surrogate pair. */
function cutBefore(text: string, maxLength: number): number {
  const space = text.slice(0, maxLength).search(/\s\S*$/)
  if (space > maxLength / 2) return space + 1
  return maxLength > 1 && /[\uD800-\uDBFF]/.test(text.charAt(maxLength - 1)) ? maxLength - 1 : maxLength
}
