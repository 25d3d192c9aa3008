import type { OfferDocument } from './offer-document.ts'

/** A request to the renderer process; one at a time. */
export interface RenderRequest {
  readonly document: OfferDocument
}

export type RenderReply = {
  /** Resident memory of the process after the request. */
  readonly memoryMb: number
} & (
  | { readonly type: 'pdf'; readonly bytes: Uint8Array; readonly warnings: readonly string[] }
  | { readonly type: 'failure'; readonly message: string }
)
