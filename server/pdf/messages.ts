import type { NewSigner } from './create-signer.ts'
import type { OfferDocument } from './offer-document.ts'
import type { Seal } from './seal.ts'

/** The bytes of an image. */
export interface ImageFile {
  readonly bytes: Uint8Array
  readonly mediaType: 'image/png' | 'image/jpeg'
}

export interface RenderRequest {
  readonly document: OfferDocument
  /** Seals the PDF. */
  readonly seal?: Seal
}

/** A request to the renderer process; one at a time. */
export type PdfRequest = RenderRequest | { readonly signer: NewSigner } | { readonly image: ImageFile }

export type PdfReply = {
  /** Maximum resident memory of the process since its start. */
  readonly memoryMb: number
  /** Processor time of the process since its start. */
  readonly cpuSeconds: number
} & (
  | { readonly type: 'pdf'; readonly bytes: Uint8Array; readonly warnings: readonly string[] }
  | { readonly type: 'image' }
  | { readonly type: 'signer'; readonly p12: Uint8Array }
  | { readonly type: 'failure'; readonly message: string }
)
