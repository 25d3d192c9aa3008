/** A separator line: `From `, an address, and a time with its year. */
const separator = /^From \S+ .*\b\d{4}\b/

/** Returns whether bytes are a mailbox of at least two messages, or one by its name. */
export function isMailbox(bytes: Uint8Array, fileName = ''): boolean {
  const starts = messageStarts(bytes)
  return starts[0] === 0 && (starts.length > 1 || /\.mbox$|^mbox$/i.test(fileName))
}

/** Returns the offsets of the messages; none if the file does not begin with one. */
export function messageStarts(bytes: Uint8Array): number[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const starts: number[] = []
  for (let at = 0; at !== -1; at = nextCandidate(buffer, at)) {
    if (beginsMessage(buffer, at)) starts.push(at)
    else if (at === 0) return []
  }
  return starts
}

function nextCandidate(buffer: Buffer, after: number): number {
  const found = buffer.indexOf('\nFrom ', after)
  return found === -1 ? -1 : found + 1
}

/** Returns whether a separator line begins here: after an empty line, before a header field. */
function beginsMessage(buffer: Buffer, at: number): boolean {
  if (at > 0 && !/\n\r?\n$/.test(buffer.toString('latin1', Math.max(0, at - 3), at))) return false
  const [line = '', next = ''] = buffer.toString('latin1', at, at + 2048).split(/\r?\n/, 2)
  return separator.test(line) && /^[!-9;-~]+:/.test(next)
}
