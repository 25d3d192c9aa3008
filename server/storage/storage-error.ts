/** Why the storage did not do its work. */
export type StorageFailure = 'unreachable' | 'busy' | 'denied' | 'full' | 'misconfigured'

/** The storage cannot be used at present. The content is as it was before the call, or as it is after it. */
export class StorageError extends Error {
  readonly failure: StorageFailure
  /** Code of the service, such as `NoSuchBucket`, or of the connection, such as `ECONNREFUSED`. */
  readonly code: string

  constructor(failure: StorageFailure, code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StorageError'
    this.failure = failure
    this.code = code
  }
}

export class StorageLimitError extends Error {}
export class MissingFileError extends Error {}
