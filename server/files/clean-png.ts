import type { CleanImage } from './image.ts'

/** Chunks that determine the displayed pixels. Color profiles are compressed and could expand to any size. */
const needed = new Set(['IHDR', 'PLTE', 'tRNS', 'sRGB', 'gAMA', 'cHRM', 'IDAT', 'IEND'])

/** Format: W3C PNG specification, sections 5 and 11. @throws RangeError for an incomplete or damaged file */
export function cleanPng(file: Buffer): CleanImage {
  const kept = [file.subarray(0, 8)]
  let position = 8
  let type = ''
  while (type !== 'IEND') {
    const end = position + 12 + file.readUInt32BE(position)
    if (end > file.length) throw new RangeError('a chunk ends after the file')
    type = file.toString('latin1', position + 4, position + 8)
    if ((type === 'IHDR') !== (position === 8)) throw new RangeError('the header is not the first chunk')
    if (needed.has(type)) kept.push(file.subarray(position, end))
    position = end
  }
  const [width, height, bitDepth] = [file.readUInt32BE(16), file.readUInt32BE(20), file.readUInt8(24)]
  return { bytes: Buffer.concat(kept), mediaType: 'image/png', width, height, decodedBytes: width * height * (bitDepth === 16 ? 8 : 4) }
}
