/** Returns a comment as text. `place` is a cell or similar, `time` an ISO 8601 time. */
export function commentText(text: string, about: { author?: string | undefined; time?: string | undefined; place?: string }): string {
  const { author, time, place } = about
  const known = [author && `author: ${author}`, time && `time: ${time}`].filter(Boolean).join(', ')
  return `Comment${place ? ` on ${place}` : ''}${known ? ` (${known})` : ''}: ${text.trim()}`
}
