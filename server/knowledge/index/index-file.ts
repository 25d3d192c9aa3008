import { open, type FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { BaseIndex, type GenerationRange } from './base-index.ts'
import { bytesOf, MemorySegment, mergedTerms, StoredSegment, type Segment, type SegmentTerms } from './inverted-index.ts'
import { PositionedFile, UnreadableIndexFile, wrongChecksum } from './positioned-file.ts'
import { bytesOfVector, FloatVectors, type StoredVectors } from './vectors.ts'

/**
 * A copy of an index in a file: the vectors and postings (`data`), of which a search in a large index reads only those that it
 * needs; everything else of the index (`front`), with a checksum of each vector and of the postings of each term; the header as
 * JSON; and the footer. Numbers are little-endian, as in memory. Each block of data and front has a checksum, and so has the header.
 */

/** Increased when the layout changes, or the meaning of a number such as the hash of a term. Files of other versions are not read. */
const formatVersion = 2
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
  readonly data: Part
  /** Follows the data. */
  readonly front: Part
}

/** A part of a file. */
interface Part {
  readonly bytes: number
  /** CRC-32 of each block. */
  readonly checksums: readonly number[]
}

/** An index file that is open for reading. */
export interface IndexFile {
  readonly header: FileHeader
  readonly bytes: number
  /**
   * Returns the index.
   * @param byPosition leaves vectors and postings in the file, which stays open for the searches
   * @throws UnreadableIndexFile if a checksum is wrong; with `byPosition`, a search can throw it too
   */
  readIndex(byPosition: boolean): Promise<BaseIndex>
  /**
   * Compares all checksums.
   * @throws UnreadableIndexFile if one is wrong
   */
  check(): Promise<void>
  close(): void
}

/**
 * Opens an index file and reads its header.
 * @throws UnreadableIndexFile if the header is damaged or of another version; ENOENT if there is no such file
 */
export async function openIndexFile(path: string): Promise<IndexFile> {
  const file = await PositionedFile.at(path)
  let isShared = false
  try {
    const header = await readHeader(file)
    return {
      header,
      bytes: file.bytes,
      readIndex(byPosition) {
        isShared = byPosition
        return readContent(file, header, byPosition)
      },
      async check() {
        for (const [part, position] of partsOf(header)) {
          const reader = new PartReader(file, part, position)
          const block = Buffer.allocUnsafe(blockBytes)
          for (let at = 0; at < part.bytes; at += blockBytes) await reader.read(block.subarray(0, Math.min(blockBytes, part.bytes - at)))
        }
      },
      close() {
        if (!isShared) file.close()
      },
    }
  } catch (error) {
    file.close()
    throw error
  }
}

const partsOf = ({ data, front }: FileHeader): [part: Part, position: number][] => [
  [data, 0],
  [front, data.bytes],
]

async function readHeader(file: PositionedFile): Promise<FileHeader> {
  const footer = await file.read(Buffer.alloc(footerBytes), file.bytes - footerBytes)
  const length = footer.readUInt32LE(0)
  const position = file.bytes - footerBytes - length
  if (!footer.subarray(8).equals(magic) || position < 0) throw new UnreadableIndexFile('This is no index file.')
  const bytes = await file.read(Buffer.alloc(length), position)
  if (crc32(bytes) !== footer.readUInt32LE(4)) throw new UnreadableIndexFile('The header is damaged.')
  const header = JSON.parse(bytes.toString()) as FileHeader
  if (header.version !== formatVersion) throw new UnreadableIndexFile(`The file has version ${header.version}, not ${formatVersion}.`)
  if (header.data.bytes + header.front.bytes !== position) throw new UnreadableIndexFile('The file is incomplete.')
  return header
}

/** Reads a part from its beginning to its end, and checks each block. */
class PartReader {
  readonly #file: PositionedFile
  readonly #part: Part
  readonly #start: number
  #read = 0
  #block = 0
  #checksum = 0

  constructor(file: PositionedFile, part: Part, start: number) {
    this.#file = file
    this.#part = part
    this.#start = start
  }

  async read(target: Uint8Array): Promise<void> {
    for (let at = 0; at < target.length;) {
      const bytes = target.subarray(at, at + Math.min(target.length - at, blockBytes - (this.#read % blockBytes)))
      await this.#file.read(bytes, this.#start + this.#read)
      this.#checksum = crc32(bytes, this.#checksum)
      at += bytes.length
      this.#read += bytes.length
      if (this.#read % blockBytes > 0 && this.#read < this.#part.bytes) continue
      if (this.#checksum !== this.#part.checksums[this.#block++]) throw new UnreadableIndexFile(wrongChecksum)
      this.#checksum = 0
    }
  }
}

async function readContent(file: PositionedFile, header: FileHeader, byPosition: boolean): Promise<BaseIndex> {
  const { generations, dimensions, data, front } = header
  const chunks = generations.reduce((sum, each) => sum + each.chunks, 0)
  const vectorBytes = dimensions === null ? 0 : bytesOfVector(dimensions)
  const vectorChecksums = new Uint32Array(dimensions === null ? 0 : chunks)
  const stored = byPosition ? storedVectors(file, { count: chunks, bytesEach: vectorBytes, checksums: vectorChecksums }) : undefined
  const vectors = dimensions === null ? null : new FloatVectors(dimensions, { stored })
  vectors?.reserve(chunks)
  const [lengths, ordinals] = [new Int32Array(chunks), new Int32Array(chunks)]
  const reader = new PartReader(file, front, data.bytes)
  for (const numbers of [lengths, ordinals]) await reader.read(bytesOf(numbers))
  if (vectors !== null) await reader.read(vectors.binary.bytesOf(0, chunks))
  await reader.read(bytesOf(vectorChecksums))
  const terms: (SegmentTerms & { readonly entries: number })[] = []
  for (const segment of header.segments) {
    const [hashes, ends, checksums] = [new Float64Array(segment.terms), new Uint32Array(segment.terms), new Uint32Array(segment.terms)]
    for (const numbers of [hashes, ends, checksums]) await reader.read(bytesOf(numbers))
    terms.push({ hashes, ends, checksums, entries: segment.entries })
  }
  const content = { ranges: rangesOf(generations), lengths, ordinals, vectors, isStored: byPosition }
  const vectorsEnd = chunks * vectorBytes
  if (byPosition) return BaseIndex.of({ ...content, segments: storedSegments(file, terms, vectorsEnd) })
  const dataReader = new PartReader(file, data, 0)
  for (const bytes of vectors?.bytesOf(0, chunks) ?? []) await dataReader.read(bytes)
  const segments = terms.map(({ hashes, ends, entries }) => new MemorySegment(hashes, ends, entries))
  for (const segment of segments) for (const section of entriesOf(segment)) await dataReader.read(section)
  return BaseIndex.of({ ...content, segments })
}

/** Vectors at the beginning of a file. The checksum of each is compared when it is read first. */
function storedVectors(
  file: PositionedFile,
  { count, bytesEach, checksums }: { count: number; bytesEach: number; checksums: Uint32Array },
): StoredVectors {
  const isChecked = new Uint8Array(count)
  return {
    count,
    read(first, into) {
      file.readNow(into, first * bytesEach)
      for (let at = 0; at < into.length; at += bytesEach) {
        const vector = first + at / bytesEach
        if (isChecked[vector] === 1) continue
        if (crc32(into.subarray(at, at + bytesEach)) !== checksums[vector]) throw new UnreadableIndexFile(wrongChecksum)
        isChecked[vector] = 1
      }
    },
  }
}

function storedSegments(
  file: PositionedFile,
  terms: readonly (SegmentTerms & { readonly entries: number })[],
  position: number,
): StoredSegment[] {
  let next = position
  return terms.map(({ entries, ...segment }) => {
    const chunksAt = next
    const frequenciesAt = chunksAt + entries * Int32Array.BYTES_PER_ELEMENT
    next = frequenciesAt + entries * Uint16Array.BYTES_PER_ELEMENT
    return new StoredSegment(segment, (from, { chunks, frequencies }) => {
      file.readNow(bytesOf(chunks), chunksAt + from * chunks.BYTES_PER_ELEMENT)
      file.readNow(bytesOf(frequencies), frequenciesAt + from * frequencies.BYTES_PER_ELEMENT)
    })
  })
}

const entriesOf = ({ chunks, frequencies }: MemorySegment): Uint8Array[] => [bytesOf(chunks), bytesOf(frequencies)]

function rangesOf(generations: readonly FileGeneration[]) {
  let next = 0
  return generations.map(({ chunks, parts, firstChunk: _firstChunk, ...generation }) => {
    const from = next
    const ranges = parts.map((part) => ({ competence: part.competence, from: next, to: (next += part.chunks) }))
    return { ...generation, parts: ranges, from, to: from + chunks }
  })
}

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
    const data = new PartWriter(handle, signal)
    const vectorChecksums = new Uint32Array(vectors === null ? 0 : ranges.reduce((sum, { from, to }) => sum + to - from, 0))
    if (vectors !== null) {
      const { bytesEach } = vectors
      let next = 0
      for (const { from, to } of ranges)
        for (const some of vectors.copies(from, to)) {
          for (let at = 0; at < some.length; at += bytesEach) vectorChecksums[next++] = crc32(some.subarray(at, at + bytesEach))
          await data.add(some)
        }
    }
    const terms = segments.length === 0 ? [] : [await addPostings(data, segments, numbers)]
    const dataPart = await data.end()
    const front = new PartWriter(handle, signal)
    for (const part of [...lengths, ...ordinals]) await front.add(bytesOf(part))
    if (vectors !== null)
      for (const { from, to } of ranges)
        for (let at = from; at < to; at += rowsAtOnce) await front.add(vectors.binary.bytesOf(at, Math.min(at + rowsAtOnce, to)).slice())
    await front.add(bytesOf(vectorChecksums))
    for (const { hashes, ends, checksums } of terms)
      for (const numbersOfTerms of [hashes, ends, checksums]) await front.add(bytesOf(numbersOfTerms))
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
      segments: terms.map(({ ends }) => ({ terms: ends.length, entries: ends.at(-1) ?? 0 })),
      data: dataPart,
      front: await front.end(),
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

/**
 * Adds the postings of all segments as those of one, so that a search reads each of its terms at once: first the chunks of all terms,
 * then the frequencies.
 */
async function addPostings(data: PartWriter, segments: readonly Segment[], numbers: Int32Array): Promise<SegmentTerms> {
  const [hashes, ends, checksums]: [number[], number[], number[]] = [[], [], []]
  for (const { hash, chunks } of mergedTerms(segments, numbers)) {
    hashes.push(hash)
    ends.push((ends.at(-1) ?? 0) + chunks.length)
    checksums.push(crc32(bytesOf(chunks)))
    await data.add(bytesOf(chunks))
  }
  let at = 0
  for (const { frequencies } of mergedTerms(segments, numbers)) {
    const bytes = bytesOf(frequencies)
    checksums[at] = crc32(bytes, checksums[at])
    at += 1
    await data.add(bytes)
  }
  return { hashes: Float64Array.from(hashes), ends: Uint32Array.from(ends), checksums: Uint32Array.from(checksums) }
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

/** Appends a part to a file, in blocks. */
class PartWriter {
  readonly #handle: FileHandle
  readonly #signal: AbortSignal
  readonly #block = Buffer.allocUnsafe(blockBytes)
  readonly #checksums: number[] = []
  #used = 0
  #bytes = 0

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

  /** Writes the last block. */
  async end(): Promise<Part> {
    if (this.#used > 0) await this.#flush()
    return { bytes: this.#bytes, checksums: this.#checksums }
  }

  async #flush(): Promise<void> {
    this.#signal.throwIfAborted()
    const block = this.#block.subarray(0, this.#used)
    this.#checksums.push(crc32(block))
    await this.#handle.appendFile(block)
    this.#bytes += this.#used
    this.#used = 0
  }
}
