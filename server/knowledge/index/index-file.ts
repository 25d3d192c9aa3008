import { open, type FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { BaseIndex, type GenerationRange } from './base-index.ts'
import { Segment, renumbered } from './inverted-index.ts'
import { FloatVectors } from './vectors.ts'

/**
 * A copy of an index in a file: the sections of `sectionsOf` one after the other, the header as JSON, and the footer. Numbers are
 * little-endian, as in memory. Each block of the sections has a checksum, and so has the header.
 */

/** Increased when the layout changes, or the meaning of a number such as the hash of a term. Files of other versions are not read. */
const formatVersion = 1
const magic = Buffer.from('GWINDEX\n')
/** Length and checksum of the header, and the magic bytes. */
const footerBytes = 8 + magic.length
/** Bytes with one checksum, and of one read. */
const blockBytes = 4 * 2 ** 20

/** A generation in a file. */
export interface FileGeneration extends Pick<GenerationRange, 'generation' | 'hasVectors' | 'languages'> {
  readonly chunks: number
  /** Consecutive chunks with the same competence of the embedding model. */
  readonly parts: readonly { readonly competence: number; readonly chunks: number }[]
  readonly isInverted: boolean
  /** Tells whether a database has this generation: numbers of generations are used again after a restore, ids of chunks are not. */
  readonly firstChunk: { readonly ordinal: number; readonly id: string }
}

export interface FileHeader {
  readonly version: number
  /** Competence of the embedding model in the languages of the chunks. */
  readonly competences: Readonly<Record<string, number>>
  /** Null without vectors. */
  readonly dimensions: number | null
  readonly generations: readonly FileGeneration[]
  readonly segments: readonly { readonly terms: number; readonly entries: number }[]
  /** CRC-32 of each block. */
  readonly checksums: readonly number[]
}

/** The file is damaged, or of another version of the program. */
export class UnreadableIndexFile extends Error {}

const wrongChecksum = 'A checksum is wrong.'

/** An index file that is open for reading. */
export interface IndexFile {
  readonly header: FileHeader
  /** @throws UnreadableIndexFile if a checksum is wrong */
  readIndex(): Promise<BaseIndex>
  /**
   * Compares all checksums.
   * @throws UnreadableIndexFile if one is wrong
   */
  check(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens an index file and reads its header.
 * @throws UnreadableIndexFile if the header is damaged or of another version; ENOENT if there is no such file
 */
export async function openIndexFile(path: string): Promise<IndexFile> {
  const handle = await open(path)
  try {
    const { header, contentBytes } = await readHeader(handle)
    return {
      header,
      readIndex: () => readContent(handle, header),
      check: () => checkBlocks(handle, header, contentBytes),
      close: () => handle.close(),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Returns the header, and the size of the sections. */
async function readHeader(handle: FileHandle): Promise<{ header: FileHeader; contentBytes: number }> {
  const { size } = await handle.stat()
  const footer = await readAt(handle, Buffer.alloc(footerBytes), size - footerBytes)
  const length = footer.readUInt32LE(0)
  const contentBytes = size - footerBytes - length
  if (!footer.subarray(8).equals(magic) || contentBytes < 0) throw new UnreadableIndexFile('This is no index file.')
  const bytes = await readAt(handle, Buffer.alloc(length), contentBytes)
  if (crc32(bytes) !== footer.readUInt32LE(4)) throw new UnreadableIndexFile('The header is damaged.')
  const header = JSON.parse(bytes.toString()) as FileHeader
  if (header.version !== formatVersion) throw new UnreadableIndexFile(`The file has version ${header.version}, not ${formatVersion}.`)
  return { header, contentBytes }
}

async function readAt<T extends Uint8Array>(handle: FileHandle, into: T, position: number): Promise<T> {
  for (let at = 0; at < into.length;) {
    const { bytesRead } = position < 0 ? { bytesRead: 0 } : await handle.read(into, at, into.length - at, position + at)
    if (bytesRead === 0) throw new UnreadableIndexFile('The file is incomplete.')
    at += bytesRead
  }
  return into
}

/** Reads the sections in order and checks each block. */
async function readContent(handle: FileHandle, { generations, dimensions, segments, checksums }: FileHeader): Promise<BaseIndex> {
  let [position, checksum, block] = [0, 0, 0]
  const isRight = (): boolean => checksum === checksums[block]
  const fill = async (target: Uint8Array): Promise<void> => {
    for (let at = 0; at < target.length;) {
      const part = target.subarray(at, at + Math.min(target.length - at, blockBytes - (position % blockBytes)))
      await readAt(handle, part, position)
      checksum = crc32(part, checksum)
      at += part.length
      position += part.length
      if (position % blockBytes > 0) continue
      if (!isRight()) throw new UnreadableIndexFile(wrongChecksum)
      checksum = 0
      block += 1
    }
  }
  const chunks = generations.reduce((sum, each) => sum + each.chunks, 0)
  const content = {
    ranges: rangesOf(generations),
    lengths: new Int32Array(chunks),
    ordinals: new Int32Array(chunks),
    vectors: dimensions === null ? null : new FloatVectors(dimensions),
    segments: segments.map(({ terms, entries }) => new Segment(new Float64Array(terms), new Uint32Array(terms), entries)),
  }
  content.vectors?.reserve(chunks)
  for (const section of sectionsOf(content, chunks)) await fill(section)
  if (position % blockBytes > 0 && !isRight()) throw new UnreadableIndexFile(wrongChecksum)
  return BaseIndex.of(content)
}

async function checkBlocks(handle: FileHandle, { checksums }: FileHeader, contentBytes: number): Promise<void> {
  for (const [block, checksum] of checksums.entries()) {
    const from = block * blockBytes
    const bytes = await readAt(handle, Buffer.allocUnsafe(Math.min(blockBytes, contentBytes - from)), from)
    if (crc32(bytes) !== checksum) throw new UnreadableIndexFile(wrongChecksum)
  }
}

function rangesOf(generations: readonly FileGeneration[]) {
  let next = 0
  return generations.map(({ chunks, parts, firstChunk: _firstChunk, ...generation }) => {
    const from = next
    const ranges = parts.map((part) => ({ competence: part.competence, from: next, to: (next += part.chunks) }))
    return { ...generation, parts: ranges, from, to: from + chunks }
  })
}

interface Sections {
  readonly lengths: Int32Array
  readonly ordinals: Int32Array
  readonly vectors: FloatVectors | null
  readonly segments: readonly Segment[]
}

/** The sections of a file, as the memory that they are read into. */
function* sectionsOf({ lengths, ordinals, vectors, segments }: Sections, chunks: number): Generator<Uint8Array> {
  yield bytesOf(lengths)
  yield bytesOf(ordinals)
  if (vectors !== null) {
    yield vectors.binary.bytesOf(0, chunks)
    yield vectors.bytesOf(0, chunks)
  }
  for (const segment of segments) yield* segmentSections(segment)
}

function* segmentSections({ hashes, ends, chunks, frequencies }: Segment): Generator<Uint8Array> {
  for (const numbers of [hashes, ends, chunks, frequencies]) yield bytesOf(numbers)
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array => new Uint8Array(buffer, byteOffset, byteLength)

/** What a file says besides the index. */
export interface FileDescription extends Pick<FileHeader, 'competences'> {
  /** The first chunk of each live generation. */
  readonly firstChunks: ReadonlyMap<number, FileGeneration['firstChunk']>
}

/**
 * Writes the live chunks of an index to a new file. The index may change meanwhile: the file has the chunks that are live at the call.
 * It is not synced to the device, because checksums reveal what a power failure leaves.
 * @throws the signal's reason after an abort
 */
export async function writeIndexFile(
  path: string,
  index: BaseIndex,
  { competences, firstChunks }: FileDescription,
  signal: AbortSignal,
): Promise<void> {
  const ranges = index.ranges.filter(({ generation }) => firstChunks.has(generation))
  const { vectors, segments, size } = index
  // Chunks without vectors may be behind its end.
  vectors?.reserve(size)
  const notInverted = new Set(index.notInverted.map(({ generation }) => generation))
  const numbers = numbersOf(ranges, size)
  const lengths = ranges.map(({ from, to }) => index.lengths.slice(from, to))
  const ordinals = ranges.map(({ from, to }) => index.ordinals.slice(from, to))
  const handle = await open(path, 'wx', 0o600)
  try {
    const blocks = new BlockWriter(handle, signal)
    for (const part of [...lengths, ...ordinals]) await blocks.add(bytesOf(part))
    for (const kind of vectors === null ? [] : [vectors.binary, vectors])
      for (const { from, to } of ranges)
        for (let at = from; at < to; at += rowsAtOnce) await blocks.add(kind.bytesOf(at, Math.min(at + rowsAtOnce, to)).slice())
    const written: FileHeader['segments'][number][] = []
    for (const segment of segments) {
      const live = renumbered(segment, numbers)
      for (const section of segmentSections(live)) await blocks.add(section)
      written.push({ terms: live.hashes.length, entries: live.size })
    }
    const checksums = await blocks.end()
    const header: FileHeader = {
      version: formatVersion,
      competences,
      dimensions: vectors?.dimensions ?? null,
      generations: ranges.flatMap(({ generation, hasVectors, languages, parts, from, to }) => {
        const firstChunk = firstChunks.get(generation)
        const sizes = parts.map((part) => ({ competence: part.competence, chunks: part.to - part.from }))
        const isInverted = !notInverted.has(generation)
        return firstChunk === undefined
          ? []
          : [{ generation, hasVectors, languages, parts: sizes, chunks: to - from, isInverted, firstChunk }]
      }),
      segments: written,
      checksums,
    }
    const bytes = Buffer.from(JSON.stringify(header))
    const footer = Buffer.alloc(footerBytes)
    footer.writeUInt32LE(bytes.length, 0)
    footer.writeUInt32LE(crc32(bytes), 4)
    magic.copy(footer, 8)
    await handle.appendFile(Buffer.concat([bytes, footer]))
  } finally {
    await handle.close()
  }
}

/** Vectors that are copied at once, before the memory of the index can move. */
const rowsAtOnce = 1024

/** Returns the number in the file of each chunk number; -1 for chunks that are not in these ranges. */
function numbersOf(ranges: readonly GenerationRange[], size: number): Int32Array {
  const numbers = new Int32Array(size).fill(-1)
  let next = 0
  for (const { from, to } of ranges) for (let chunk = from; chunk < to; chunk++) numbers[chunk] = next++
  return numbers
}

/** Collects bytes into blocks. */
class BlockWriter {
  readonly #handle: FileHandle
  readonly #signal: AbortSignal
  readonly #block = Buffer.allocUnsafe(blockBytes)
  readonly #checksums: number[] = []
  #used = 0

  constructor(handle: FileHandle, signal: AbortSignal) {
    this.#handle = handle
    this.#signal = signal
  }

  async add(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      const part = bytes.subarray(at, at + Math.min(bytes.length - at, blockBytes - this.#used))
      this.#block.set(part, this.#used)
      this.#used += part.length
      at += part.length
      if (this.#used === blockBytes) await this.#flush()
    }
  }

  /** Writes the last block, and returns the checksums of all. */
  async end(): Promise<number[]> {
    if (this.#used > 0) await this.#flush()
    return this.#checksums
  }

  async #flush(): Promise<void> {
    this.#signal.throwIfAborted()
    const block = this.#block.subarray(0, this.#used)
    this.#checksums.push(crc32(block))
    await this.#handle.appendFile(block)
    this.#used = 0
  }
}
