import { ImageError, type CleanImage } from './image.ts'

/** Markers of ITU-T T.81, annex B. */
const markers = { startOfScan: 0xda, end: 0xd9, exif: 0xe1, colorProfile: 0xe2, adobe: 0xee, comment: 0xfe }
/** Baseline, extended and progressive images, which all decoders read. */
const frames = new Set([0xc0, 0xc1, 0xc2])
const otherFrames = new Set([0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf])
/** A scan can have a few bytes and still take the time of a whole image. Encoders write about ten. */
const maxScans = 30

/** @throws RangeError for an incomplete or damaged file; ImageError for a kind of JPEG that decoders do not agree on */
export function cleanJpeg(file: Buffer): CleanImage {
  const kept = [file.subarray(0, 2)]
  let size: { width: number; height: number } | undefined
  let orientation = 1
  let scans = 0
  let position = 2
  for (;;) {
    if (file.readUInt8(position) !== 0xff) throw new RangeError('a marker is missing')
    const marker = file.readUInt8(position + 1)
    if (marker === 0xff) {
      position += 1
      continue
    }
    if (marker === markers.end) break
    const length = file.readUInt16BE(position + 2)
    let end = position + 2 + length
    if (length < 2 || end > file.length) throw new RangeError('a segment ends after the file')
    const content = file.subarray(position + 4, end)
    if (otherFrames.has(marker)) throw new ImageError('JPEG files of this kind are not supported. Save the image again.')
    if (frames.has(marker)) {
      if (size !== undefined) throw new RangeError('there are two frames')
      size = frameSize(content)
    }
    if (marker === markers.exif) orientation = exifOrientation(content)
    if (marker === markers.startOfScan) {
      if (++scans > maxScans) throw new ImageError(`The JPEG file has more than ${maxScans} scans. Save the image again.`)
      end = scanEnd(file, end)
    }
    if (isNeeded(marker, content)) kept.push(file.subarray(position, end))
    position = end
  }
  if (size === undefined || scans === 0) throw new RangeError('the image is missing')
  if (orientation !== 1) kept.splice(1, 0, exifSegment(orientation))
  const { width, height } = size
  const shown = orientation >= 5 ? { width: height, height: width } : size
  return {
    bytes: Buffer.concat([...kept, Buffer.from([0xff, markers.end])]),
    mediaType: 'image/jpeg',
    ...shown,
    decodedBytes: width * height * 4,
  }
}

function frameSize(content: Buffer): { width: number; height: number } {
  const [height, width, components] = [content.readUInt16BE(1), content.readUInt16BE(3), content.readUInt8(5)]
  if (components !== 1 && components !== 3) throw new ImageError('JPEG files for printing (CMYK) are not supported. Save the image in RGB.')
  return { width, height }
}

/** Application data and comments are not needed, except for the color profile and the color transform. The orientation is added again. */
function isNeeded(marker: number, content: Buffer): boolean {
  if (marker === markers.colorProfile) return content.subarray(0, 12).toString('latin1') === 'ICC_PROFILE\0'
  return marker === markers.adobe || ((marker < 0xe0 || marker > 0xef) && marker !== markers.comment)
}

/** Returns the position of the marker after the compressed data, in which 0xff is followed by 0 or by a restart marker. */
function scanEnd(file: Buffer, start: number): number {
  let position = start
  for (;;) {
    position = file.indexOf(0xff, position)
    if (position === -1) throw new RangeError('the scan does not end')
    const next = file.readUInt8(position + 1)
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return position
    position += 2
  }
}

const orientationTag = 0x0112

/** Returns the orientation (Exif 2.32, section 4.6.4), 1 if there is none. */
function exifOrientation(content: Buffer): number {
  if (content.subarray(0, 6).toString('latin1') !== 'Exif\0\0') return 1
  const tiff = content.subarray(6)
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const short = (at: number): number => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  try {
    const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
    const count = short(directory)
    for (let entry = 0; entry < count; entry += 1) {
      const at = directory + 2 + entry * 12
      const value = short(at + 8)
      if (short(at) === orientationTag) return value >= 1 && value <= 8 ? value : 1
    }
  } catch (error) {
    // Damaged metadata does not prevent the display of an image.
    if (!(error instanceof RangeError)) throw error
  }
  return 1
}

/** Returns a segment with nothing but the orientation. */
const exifSegment = (orientation: number): Buffer =>
  Buffer.concat([
    Buffer.from([0xff, markers.exif, 0, 34]),
    Buffer.from('Exif\0\0MM\0*\0\0\0\u0008\0\u0001\u0001\u0012\0\u0003\0\0\0\u0001\0', 'latin1'),
    Buffer.from([orientation, 0, 0, 0, 0, 0, 0]),
  ])
