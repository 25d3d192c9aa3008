import { createHash } from 'node:crypto'
import type { Readable, Writable } from 'node:stream'
import { once } from 'node:events'

/**
 * Reads and writes tar archives (POSIX.1-1988, "ustar") with regular files only. A size of 8 GB and more is written in base 256, as
 * GNU tar does. `tar -tf` lists such an archive.
 */

const blockBytes = 512

export interface ArchiveWriter {
  /**
   * Adds a file with exactly `sizeBytes` bytes. Returns the SHA-256 of its content, in hexadecimal.
   * @throws Error if the content has another size
   */
  add(name: string, sizeBytes: number, content: AsyncIterable<Uint8Array> | Uint8Array): Promise<string>
  /** Writes the end of the archive; the stream stays open. */
  end(): Promise<void>
  /** Bytes written so far. */
  readonly bytes: number
}

export function archiveWriter(target: Writable, modifiedAt: Date): ArchiveWriter {
  let bytes = 0
  // `write` throws the error.
  target.on('error', () => undefined)
  const write = async (chunk: Uint8Array): Promise<void> => {
    bytes += chunk.length
    // Also an error from before this writer was made.
    if (target.errored !== null) throw target.errored
    if (!target.write(chunk)) await once(target, 'drain')
  }
  return {
    get bytes() {
      return bytes
    },
    async add(name, sizeBytes, content) {
      await write(header(name, sizeBytes, modifiedAt))
      const hash = createHash('sha256')
      let seen = 0
      for await (const chunk of content instanceof Uint8Array ? [content] : content) {
        seen += chunk.length
        hash.update(chunk)
        await write(chunk)
      }
      if (seen !== sizeBytes) throw new Error(`${name} has ${seen} bytes instead of ${sizeBytes}: it was changed while it was read`)
      await write(Buffer.alloc(paddingOf(sizeBytes)))
      return hash.digest('hex')
    },
    end: () => write(Buffer.alloc(2 * blockBytes)),
  }
}

const paddingOf = (sizeBytes: number): number => (blockBytes - (sizeBytes % blockBytes)) % blockBytes

function header(name: string, sizeBytes: number, modifiedAt: Date): Buffer {
  const block = Buffer.alloc(blockBytes)
  const [prefix, rest] = splitName(name)
  block.write(rest, 0)
  block.write('0000600\0', 100)
  block.write('0000000\0', 108)
  block.write('0000000\0', 116)
  if (sizeBytes < 8 ** 11) block.write(`${sizeBytes.toString(8).padStart(11, '0')}\0`, 124)
  else {
    block.writeUInt8(0x80, 124)
    block.writeBigUInt64BE(BigInt(sizeBytes), 128)
  }
  const seconds = Math.floor(modifiedAt.getTime() / 1000)
  block.write(`${seconds.toString(8).padStart(11, '0')}\0`, 136)
  block.write('0', 156)
  block.write('ustar\0', 257)
  block.write('00', 263)
  block.write(prefix, 345)
  block.write(`${checksumOf(block).toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

/** A name of more than 100 bytes is split at a slash: up to 155 bytes before it, up to 100 after it. */
function splitName(name: string): [prefix: string, rest: string] {
  if (Buffer.byteLength(name) <= 100) return ['', name]
  for (let at = name.indexOf('/'); at > 0; at = name.indexOf('/', at + 1)) {
    const [prefix, rest] = [name.slice(0, at), name.slice(at + 1)]
    if (Buffer.byteLength(prefix) <= 155 && rest !== '' && Buffer.byteLength(rest) <= 100) return [prefix, rest]
  }
  throw new Error(`the name is too long for a tar archive: ${name}`)
}

/** The sum of all bytes, with the checksum itself as spaces. */
function checksumOf(block: Buffer): number {
  let sum = 0
  for (let at = 0; at < blockBytes; at++) sum += at >= 148 && at < 156 ? 0x20 : (block[at] ?? 0)
  return sum
}

export interface ArchiveEntry {
  readonly name: string
  readonly sizeBytes: number
  /** Read it completely before the next entry. */
  readonly content: AsyncIterable<Buffer>
}

/** Reads the entries of an archive in order. Throws an Error that names the position if the archive is damaged or incomplete. */
export async function* readArchive(source: Readable): AsyncGenerator<ArchiveEntry> {
  const bytes = byteReader(source)
  while (true) {
    const block = await bytes.exactly(blockBytes)
    if (block.every((byte) => byte === 0)) return
    const stored = Number.parseInt(textAt(block, 148, 8).trim(), 8)
    if (stored !== checksumOf(block)) throw new Error(`The archive is damaged before byte ${bytes.position()}.`)
    const prefix = textAt(block, 345, 155)
    const rest = textAt(block, 0, 100)
    const sizeBytes = sizeOf(block)
    let left = sizeBytes
    async function* content(): AsyncGenerator<Buffer> {
      while (left > 0) {
        const chunk = await bytes.atMost(left)
        left -= chunk.length
        yield chunk
      }
    }
    yield { name: prefix === '' ? rest : `${prefix}/${rest}`, sizeBytes, content: content() }
    while (left > 0) left -= (await bytes.atMost(left)).length
    await bytes.exactly(paddingOf(sizeBytes))
  }
}

const textAt = (block: Buffer, at: number, length: number): string => {
  const field = block.subarray(at, at + length)
  const end = field.indexOf(0)
  return field.toString('utf8', 0, end < 0 ? length : end)
}

const sizeOf = (block: Buffer): number =>
  block[124] === 0x80 ? Number(block.readBigUInt64BE(128)) : Number.parseInt(textAt(block, 124, 12).trim(), 8)

interface ByteReader {
  exactly(count: number): Promise<Buffer>
  /** Returns at least one byte. */
  atMost(count: number): Promise<Buffer>
  position(): number
}

function byteReader(source: Readable): ByteReader {
  const chunks = source[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  let position = 0
  const atMost = async (count: number): Promise<Buffer> => {
    while (rest.length === 0) {
      const { value, done } = await chunks.next()
      if (done === true) throw new Error(`The archive is incomplete: it ends after ${position} bytes.`)
      rest = Buffer.from(value as Buffer)
    }
    const taken = rest.subarray(0, count)
    rest = rest.subarray(taken.length)
    position += taken.length
    return taken
  }
  const exactly = async (count: number): Promise<Buffer> => {
    const parts: Buffer[] = []
    for (let left = count; left > 0;) {
      const part = await atMost(left)
      parts.push(part)
      left -= part.length
    }
    return Buffer.concat(parts)
  }
  return { exactly, atMost, position: () => position }
}
