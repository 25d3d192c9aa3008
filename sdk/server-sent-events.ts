export interface ServerSentEvent {
  /** The last event id: that of this event or, if it has none, of an earlier one; empty if there was none. */
  id: string
  /** The event type; `message` by default. */
  event: string
  data: string
}

/**
 * Returns a parser of server-sent events (WHATWG HTML, 9.2.6) for text in arbitrary chunks. Each call returns the events that
 * the chunk completes. Comments, `retry` and an unfinished last event are dropped.
 */
export function serverSentEvents(): (chunk: string) => ServerSentEvent[] {
  let rest = ''
  let atStart = true
  let afterReturn = false
  let id = ''
  let event = ''
  let data: string[] = []

  const readLine = (line: string): ServerSentEvent | undefined => {
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

  return (chunk) => {
    if (chunk === '') return []
    const text = atStart ? chunk.replace(/^\uFEFF/, '') : chunk
    atStart = false
    // CR ends a line. An LF that follows, possibly in the next chunk, belongs to the same line end.
    const lines = (rest + (afterReturn && text.startsWith('\n') ? text.slice(1) : text)).split(/\r\n|\r|\n/)
    afterReturn = chunk.endsWith('\r')
    rest = lines.pop() ?? ''
    return lines.flatMap((line) => readLine(line) ?? [])
  }
}
