const opening = '<think>'
const closing = '</think>'

/** Leaves out the thoughts with which some models begin a reply: `<think>…</think>`. */
export async function* withoutThoughts(parts: AsyncIterable<string>): AsyncGenerator<string> {
  let begin: string | null = ''
  let isThinking = false
  for await (const part of parts) {
    if (begin === null) {
      yield part
      continue
    }
    begin += part
    isThinking ||= begin.trimStart().startsWith(opening)
    if (isThinking) {
      const end = begin.indexOf(closing)
      // The end of the thoughts can be spread over two parts.
      if (end < 0) begin = opening + begin.slice(-closing.length)
      else {
        yield begin.slice(end + closing.length)
        begin = null
      }
    } else if (!opening.startsWith(begin.trimStart())) {
      yield begin
      begin = null
    }
  }
  if (begin !== null && !isThinking) yield begin
}
