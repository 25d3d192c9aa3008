import { constants, inflateSync } from 'node:zlib'

const expandedLimit = 128 * 2 ** 20

/**
 * Returns whether a stream other than an image expands to more than `expandedLimit`; the parser would need several times that.
 * Deflate expands at most 1032 times, so short streams with a single filter need no check.
 */
export function expandsTooFar(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = file.indexOf('stream'); at !== -1; at = file.indexOf('stream', at + 6)) {
    const before = file.toString('latin1', Math.max(0, at - 400), at)
    const dictionary = before.split(/endobj|endstream/).at(-1) ?? ''
    const filters = dictionary.match(/\/(FlateDecode|Fl)\b/g)?.length ?? 0
    if (filters === 0 || /\/Subtype\s*\/Image/.test(dictionary)) continue
    const end = file.indexOf('endstream', at)
    const start = at + (file[at + 6] === 13 ? 8 : 7)
    if (inflatesBeyond(file.subarray(start, end === -1 ? file.length : end), filters)) return true
    at = end === -1 ? file.length : end + 3
  }
  return false
}

function inflatesBeyond(stream: Buffer, filters: number): boolean {
  let data = stream
  for (let layer = 0; layer < Math.min(filters, 4); layer++) {
    if (layer === filters - 1 && data.length * 1032 < expandedLimit) return false
    try {
      data = inflateSync(data, { maxOutputLength: expandedLimit, finishFlush: constants.Z_SYNC_FLUSH })
    } catch (error) {
      return error instanceof RangeError
    }
  }
  return false
}
