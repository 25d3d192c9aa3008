import type { Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import type { PdfRenderer } from '../pdf/renderer.ts'
import type { Storage } from '../storage/storage.ts'

/** An upload whose bytes were received. */
export interface ReceivedUpload {
  readonly id: string
  readonly storage_key: string
  readonly size_bytes: number
}

/** `require` and `take` return the upload of a storageUrl, locked until the transaction ends. @throws AppError `validation_error`, field `storageUrl` */
export interface Uploads {
  /** Accepts bytes that were sent to the storage itself, before `require` and `take`. */
  readonly settle: (ctx: Context & { readonly storage: Storage }, storageUrl: string) => Promise<void>
  readonly require: (trx: Transaction, storageUrl: string) => Promise<ReceivedUpload>
  /** Also marks it as used: its bytes can no longer change, and it counts as deleted once nothing uses it. */
  readonly take: (trx: Transaction, storageUrl: string) => Promise<ReceivedUpload>
}

/** The services for files of proposals and organizations. */
export interface FileServices {
  readonly storage: Storage
  /** Decodes images in its process. */
  readonly pdfRenderer: PdfRenderer
  readonly uploads: Uploads
}

export interface FileContext extends Context, FileServices {}
