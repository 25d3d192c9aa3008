/** The terms of a chunk as the search engine stores them, for the score of a candidate. */
export interface PackedChunk {
  readonly language: string
  readonly model: string
  /** Number of terms. */
  readonly length: number
  /** Hash of each distinct term, see `termHash`. */
  readonly hashes: Uint32Array
  /** Its frequency. */
  readonly frequencies: Uint16Array
}

/** Returns a 32-bit hash of a term of a language, FNV-1a (Fowler, Noll and Vo). Two terms of a chunk rarely have the same one. */
export function termHash(language: string, term: string): number {
  let hash = 0x811c9dc5
  for (const text of [language, ' ', term])
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** Bytes of a hash and a frequency. */
const entryBytes = 6

/** Encodes a chunk in base64. */
export function packChunk({
  language,
  model,
  length,
  frequencies,
}: Pick<PackedChunk, 'language' | 'model' | 'length'> & { readonly frequencies: ReadonlyMap<string, number> }): string {
  const names = Buffer.from(`${language}\n${model}`)
  const packed = Buffer.alloc(6 + names.length + frequencies.size * entryBytes)
  packed.writeUInt32LE(length, 0)
  packed.writeUInt16LE(names.length, 4)
  names.copy(packed, 6)
  let offset = 6 + names.length
  for (const [term, frequency] of frequencies) {
    packed.writeUInt32LE(termHash(language, term), offset)
    packed.writeUInt16LE(Math.min(frequency, 0xffff), offset + 4)
    offset += entryBytes
  }
  return packed.toString('base64')
}

/** Decodes the result of `packChunk`. @throws RangeError for other data */
export function unpackChunk(text: string): PackedChunk {
  const packed = Buffer.from(text, 'base64')
  const names = packed.readUInt16LE(4)
  const [language = '', model = ''] = packed.toString('utf8', 6, 6 + names).split('\n')
  const count = Math.floor((packed.length - 6 - names) / entryBytes)
  const [hashes, frequencies] = [new Uint32Array(count), new Uint16Array(count)]
  for (let at = 0, offset = 6 + names; at < count; at++, offset += entryBytes) {
    hashes[at] = packed.readUInt32LE(offset)
    frequencies[at] = packed.readUInt16LE(offset + 4)
  }
  return { language, model, length: packed.readUInt32LE(0), hashes, frequencies }
}
