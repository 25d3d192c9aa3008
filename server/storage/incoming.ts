/** A request that a client without keys sends to the storage. */
export interface SignedUrl {
  readonly url: string
  /** Headers that the request must have. */
  readonly headers: Readonly<Record<string, string>>
}

/** Files that clients send, at once or in parts. */
export interface IncomingFiles {
  /** The origin of the storage if clients send bytes to it; null if they send them to the API. */
  readonly directOrigin: string | null
  /** Returns a request that stores the bytes apart until `accept`; null if clients send them to the API. */
  presign(key: string, file: { sizeBytes: number; contentType: string; expiresInSeconds: number }): Promise<SignedUrl | null>
  /** Returns the number of bytes that were sent with the request of `presign`; null if there are none. */
  sentBytes(key: string): Promise<number | null>
  /**
   * Stores the bytes under the key that were sent with the request of `presign`. Later requests do not change them.
   * @returns false if there are none, or another number of bytes
   */
  accept(key: string, sizeBytes: number): Promise<boolean>
  /** Deletes bytes that were sent with the request of `presign`. */
  discard(key: string): Promise<void>

  /** Begins a write in parts and returns its id. `cancelWrite` of the storage ends it. */
  beginParts(key: string, contentType: string): Promise<string>
  /** Returns a request that stores a part; null if clients send it to the API. */
  presignPart(key: string, id: string, part: { number: number; sizeBytes: number; expiresInSeconds: number }): Promise<SignedUrl | null>
  /** Stores or replaces a part. @throws StorageLimitError for more bytes; MissingFileError if the write is unknown */
  writePart(key: string, id: string, number: number, content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<number>
  /** Returns the stored parts in their order; null if the write is unknown or has ended. */
  listParts(key: string, id: string): Promise<readonly { number: number; sizeBytes: number }[] | null>
  /** Joins the parts in their order, and ends the write. Returns false if the write is unknown or has ended. */
  joinParts(key: string, id: string): Promise<boolean>
}
