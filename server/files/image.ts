/** An image without metadata such as the place where a photo was taken, and without data after its end. */
export interface CleanImage {
  readonly bytes: Buffer
  readonly mediaType: 'image/png' | 'image/jpeg'
  /** Size in pixels as it is displayed. */
  readonly width: number
  readonly height: number
  /** Size of the decoded image in bytes, by its header. */
  readonly decodedBytes: number
}

/** The message is a sentence for the person who sent the image. */
export class ImageError extends Error {}
