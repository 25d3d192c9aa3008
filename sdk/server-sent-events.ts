export interface ServerSentEvent {
  /** The id in force, which is that of an earlier event where this one has none; empty when there was none yet. */
  id: string
  /** `message` when it names none. */
  event: string
  data: string
}

/**
 * Reads server-sent events (WHATWG HTML, 9.2.6) out of text that comes in pieces cut anywhere: each call takes a piece and
 * gives the events that it completes. Comments and `retry` are dropped, as is an event that the stream ends within.
 */
export function serverSentEvents(): (piece: string) => ServerSentEvent[] {
  let rest = ''
  let atStart = true
  let afterReturn = false
  let id = ''
  let event = ''
  let data: string[] = []

  const take = (line: string): ServerSentEvent | undefined => {
    if (line === '') {
      const made = data.length === 0 ? undefined : { id, event: event === '' ? 'message' : event, data: data.join('\n') }
      ;[event, data] = ['', []]
      return made
    }
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'data') data.push(value)
    else if (field === 'event') event = value
    else if (field === 'id' && !value.includes('\0')) id = value
    return undefined
  }

  return (piece) => {
    if (piece === '') return []
    const text = atStart ? piece.replace(/^\uFEFF/, '') : piece
    atStart = false
    // A line that ended with CR is over; an LF that follows, maybe in this piece, belongs to that end.
    const lines = (rest + (afterReturn && text.startsWith('\n') ? text.slice(1) : text)).split(/\r\n|\r|\n/)
    afterReturn = piece.endsWith('\r')
    rest = lines.pop() ?? ''
    return lines.flatMap((line) => take(line) ?? [])
  }
}
