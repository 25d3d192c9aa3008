import { describe, expect, it } from 'vitest'
import { exifData, jpegImage, pngImage } from '../testing/images.ts'
import { cleanImage } from './clean-image.ts'
import { ImageError } from './image.ts'

const secret = Buffer.from('GPS at home')

describe('cleanImage', () => {
  it('keeps an image without metadata as it is', () => {
    const [png, jpeg] = [pngImage(), jpegImage()]
    expect(cleanImage(png)).toEqual({ bytes: png, mediaType: 'image/png', width: 6, height: 4, decodedBytes: 96 })
    // Only the application segment of JFIF is left out.
    expect(cleanImage(jpeg)).toMatchObject({ mediaType: 'image/jpeg', width: 6, height: 4, decodedBytes: 96 })
    expect(cleanImage(jpeg).bytes.length).toBe(jpeg.length - 18)
  })

  it('leaves out metadata and data after the end', () => {
    const texts = ['tEXt', 'zTXt', 'iTXt', 'eXIf', 'iCCP', 'acTL'].map((type): [string, Buffer] => [type, secret])
    const png = cleanImage(Buffer.concat([pngImage({ chunks: texts }), secret]))
    expect(png.bytes.equals(pngImage())).toBe(true)
    const jpeg = cleanImage(Buffer.concat([jpegImage([0xe1, exifData(1)], [0xed, secret], [0xfe, secret], [0xe1, secret]), secret]))
    expect(jpeg.bytes.equals(cleanImage(jpegImage()).bytes)).toBe(true)
  })

  it('keeps the orientation of a photo and nothing else of its Exif data', () => {
    const { bytes, width, height } = cleanImage(jpegImage([0xe1, exifData(6)]))
    expect([width, height]).toEqual([4, 6])
    expect(bytes.includes('GPS')).toBe(false)
    const again = cleanImage(bytes)
    expect([again.width, again.height, again.bytes.equals(bytes)]).toEqual([4, 6, true])
    expect(cleanImage(jpegImage([0xe1, exifData(9)]))).toMatchObject({ width: 6, height: 4 })
    expect(cleanImage(jpegImage([0xe1, exifData(6).subarray(0, 20)]))).toMatchObject({ width: 6, height: 4 })
  })

  it('refuses image bombs before they are decoded', () => {
    const sized = (width: number, height: number) => () => cleanImage(pngImage({ width, height }, Buffer.alloc(10)))
    expect(sized(4001, 4000)).toThrow('The image has 4001 × 4000 pixels. At most 16 megapixels are allowed.')
    expect(sized(2 ** 31 - 1, 2 ** 31 - 1)).toThrow(ImageError)
    expect(sized(16_001, 1)).toThrow(ImageError)
    expect(sized(0, 4)).toThrow('no pixels')
    expect(sized(4000, 4000)).not.toThrow()
    const jpeg = jpegImage()
    const scan = jpeg.subarray(jpeg.indexOf(Buffer.from([0xff, 0xda])), -2)
    const scans = Array.from({ length: 30 }, () => scan)
    expect(() => cleanImage(Buffer.concat([jpeg.subarray(0, -2), ...scans, jpeg.subarray(-2)]))).toThrow('more than 30 scans')
  })

  it.each([
    ['a GIF', Buffer.from('GIF89a')],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['nothing', Buffer.alloc(0)],
    ['a truncated PNG', pngImage().subarray(0, -1)],
    ['a PNG without a header', Buffer.concat([pngImage().subarray(0, 8), pngImage().subarray(33)])],
    ['a PNG with two headers', pngImage({ chunks: [['IHDR', Buffer.alloc(13)]] })],
    ['a truncated JPEG', jpegImage().subarray(0, -2)],
    [
      'a JPEG with a wrong length',
      Buffer.concat([jpegImage().subarray(0, 2), Buffer.from([0xff, 0xe0, 0xff, 0xff]), jpegImage().subarray(2)]),
    ],
    ['a JPEG without an image', Buffer.from([0xff, 0xd8, 0xff, 0xd9])],
    ['a lossless JPEG', jpegImage([0xc3, Buffer.alloc(8, 1)])],
    ['a JPEG in CMYK', jpegImage([0xc0, Buffer.from([8, 0, 4, 0, 6, 4])])],
  ])('refuses %s', (_kind, bytes) => {
    expect(() => cleanImage(bytes)).toThrow(ImageError)
  })

  it('reads every truncated or damaged file, or refuses it', () => {
    for (const whole of [pngImage(), jpegImage([0xe1, exifData(6)])]) {
      for (let at = 0; at < whole.length; at += 1) {
        expect(() => cleanImage(whole.subarray(0, at))).toThrow(ImageError)
        const damaged = Buffer.from(whole)
        damaged[at] = 255 - (whole[at] ?? 0)
        try {
          cleanImage(damaged)
        } catch (error) {
          expect(error).toBeInstanceOf(ImageError)
        }
      }
    }
  })
})
