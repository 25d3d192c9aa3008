/** Width and height in pixels that fill a page at 300 pixels per inch. */
const maxSide = 2000

/** Returns a photo in the size that proposals show. Other files, and small images, are returned as they are. */
export async function shrinkImage(file: File): Promise<File> {
  if (file.type !== 'image/jpeg' && file.type !== 'image/png') return file
  // The server explains what is wrong with an image that the browser cannot decode.
  const image = await createImageBitmap(file).catch(() => null)
  if (image === null) return file
  const scale = maxSide / Math.max(image.width, image.height)
  if (scale >= 1) return file
  const canvas = new OffscreenCanvas(Math.round(image.width * scale), Math.round(image.height * scale))
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  const blob = await canvas.convertToBlob({ type: file.type, quality: 0.85 })
  return new File([blob], file.name, { type: file.type })
}
