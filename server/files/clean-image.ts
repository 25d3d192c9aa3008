import { cleanJpeg } from './clean-jpeg.ts'
import { cleanPng } from './clean-png.ts'
import { ImageError, type CleanImage } from './image.ts'

const maxPixels = 16_000_000
const maxSide = 16_000

/**
 * Reads the structure of a PNG or JPEG file, without decoding it, and leaves out everything that is not needed to display it.
 * @throws ImageError
 */
export function cleanImage(bytes: Buffer): CleanImage {
  const image = readImage(bytes)
  if (image.width === 0 || image.height === 0) throw new ImageError('The image has no pixels.')
  if (image.width * image.height > maxPixels)
    throw new ImageError(`The image has ${image.width} × ${image.height} pixels. At most ${maxPixels / 1_000_000} megapixels are allowed.`)
  if (Math.max(image.width, image.height) > maxSide)
    throw new ImageError(`The image has ${image.width} × ${image.height} pixels. At most ${maxSide} pixels are allowed for each side.`)
  return image
}

function readImage(bytes: Buffer): CleanImage {
  try {
    if (bytes.subarray(0, 8).equals(pngSignature)) return cleanPng(bytes)
    if (bytes.subarray(0, 3).equals(jpegStart)) return cleanJpeg(bytes)
  } catch (error) {
    if (error instanceof RangeError) throw new ImageError('The image is incomplete or damaged.', { cause: error })
    throw error
  }
  throw new ImageError('The image must be a PNG or JPEG file.')
}

const pngSignature = Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1')
const jpegStart = Buffer.from([0xff, 0xd8, 0xff])
