/** Framing and building of PostgreSQL protocol 3.0 messages: one byte of type, four of length (itself included), body. */

export const SSL_REQUEST = 80877103
export const GSS_REQUEST = 80877104
export const CANCEL_REQUEST = 80877102

/** Severity `ERROR` leaves the connection usable, `FATAL` announces its end. */
export interface Refusal {
  code: string
  message: string
  severity?: 'ERROR' | 'FATAL'
}

/** Cuts a byte stream into messages. A message stays in pieces until it is whole, so a large one is copied once. */
export class MessageReader {
  #chunks: Buffer[] = []
  #length = 0

  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#length += chunk.length
  }

  /** The next message with a type byte, or null until more bytes arrive. Throws RangeError on an impossible length. */
  next(): Buffer | null {
    return this.#take(1)
  }

  /** The next message of the opening phase, which has no type byte. */
  nextStartup(): Buffer | null {
    return this.#take(0)
  }

  #take(typeBytes: 0 | 1): Buffer | null {
    const header = this.#peek(typeBytes + 4)
    if (header === null) return null
    const length = header.readInt32BE(typeBytes)
    if (length < 4) throw new RangeError(`message length ${length}`)
    const whole = this.#peek(typeBytes + length)
    if (whole === null) return null
    this.#chunks = [whole.subarray(typeBytes + length)]
    this.#length -= typeBytes + length
    return whole.subarray(0, typeBytes + length)
  }

  /** At least `size` bytes from the front in one buffer. */
  #peek(size: number): Buffer | null {
    if (this.#length < size) return null
    const [first] = this.#chunks
    if (first !== undefined && first.length >= size) return first
    const joined = Buffer.concat(this.#chunks)
    this.#chunks = [joined]
    return joined
  }
}

/** The messages of a buffer that holds only whole ones. */
export function* messages(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length;) {
    const end = at + 1 + bytes.readInt32BE(at + 1)
    yield bytes.subarray(at, end)
    at = end
  }
}

export function typeOf(message: Buffer): string {
  return String.fromCharCode(message[0] ?? 0)
}

/** The zero-terminated string at `at`, and where the next field begins. */
export function stringAt(message: Buffer, at: number): { text: string; next: number } {
  const end = message.indexOf(0, at)
  if (end < 0) throw new RangeError('unterminated string')
  return { text: message.toString('utf8', at, end), next: end + 1 }
}

export function build(type: string, ...parts: (string | Uint8Array)[]): Buffer {
  const bodies = parts.map((part) => (typeof part === 'string' ? Buffer.from(`${part}\0`) : part))
  const body = Buffer.concat(bodies)
  const message = Buffer.allocUnsafe(5 + body.length)
  message.write(type, 0, 'latin1')
  message.writeInt32BE(4 + body.length, 1)
  body.copy(message, 5)
  return message
}

export function query(sql: string): Buffer {
  return build('Q', sql)
}

export function sync(): Buffer {
  return build('S')
}

export function closeStatement(name: string): Buffer {
  return build('C', Buffer.from('S'), name)
}

/** `status`: I idle, T in a transaction, E in a failed one. */
export function readyForQuery(status: 'I' | 'T' | 'E'): Buffer {
  return build('Z', Buffer.from(status))
}

export function errorResponse({ code, message, severity = 'ERROR' }: Refusal): Buffer {
  return build('E', `S${severity}`, `V${severity}`, `C${code}`, `M${message}`, Buffer.from([0]))
}

/** `message` with `prefix` put into it at `at`. */
export function insertAt(message: Buffer, at: number, prefix: Buffer): Buffer {
  const longer = Buffer.concat([message.subarray(0, at), prefix, message.subarray(at)])
  longer.writeInt32BE(longer.length - 1, 1)
  return longer
}

/** The text values of every DataRow in a reply. */
export function textRows(reply: Buffer): (string | null)[][] {
  const rows: (string | null)[][] = []
  for (const message of messages(reply)) {
    if (typeOf(message) !== 'D') continue
    const row: (string | null)[] = []
    let at = 7
    for (let field = message.readInt16BE(5); field > 0; field--) {
      const length = message.readInt32BE(at)
      at += 4
      row.push(length < 0 ? null : message.toString('utf8', at, at + length))
      at += Math.max(length, 0)
    }
    rows.push(row)
  }
  return rows
}

/** The pieces in one buffer of its own, which may be transferred to another thread. */
export function joinOwned(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

/** What to transfer with bytes that `joinOwned` made: their memory is nobody else's. */
export function ownedBuffer(bytes: Uint8Array): ArrayBuffer[] {
  return bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : []
}

export function quoteLiteral(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`
  return text.includes('\\') ? ` E${quoted.replaceAll('\\', '\\\\')}` : quoted
}

export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** A statement that fails with this error. */
export function raise({ code, message }: Refusal): Buffer {
  const block = `BEGIN RAISE EXCEPTION USING ERRCODE = ${quoteLiteral(code)}, MESSAGE = ${quoteLiteral(message)}; END`
  return query(`DO ${quoteLiteral(block)}`)
}
