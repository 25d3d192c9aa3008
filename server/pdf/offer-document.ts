import type { Block } from '../lib/rich-text.ts'
import type { ImageFile } from './messages.ts'

/** An offer as preformatted text, independent of the database. No field is markup: all text appears as it is. */
export interface OfferDocument {
  /** Language of the labels (BCP 47), and the default language of the other text. */
  readonly language: string
  readonly direction: 'ltr' | 'rtl'
  /** Creation date of the PDF, a time of the offer itself. The same document always results in the same bytes. */
  readonly date: string
  /** Title of the file; `heading` is the one on the page. */
  readonly title: string
  readonly heading: string
  /** Name of the kind of document, such as `Proposal`. */
  readonly kind: string
  readonly seller: {
    readonly name: string
    /** Address lines, tax id. */
    readonly details: readonly string[]
    /** `#rrggbb`; a dark blue by default. */
    readonly color: string | null
    readonly logo: OfferImage | null
  }
  readonly recipient: { readonly name: string; readonly details: readonly string[] }
  /** Number, dates and similar facts. */
  readonly facts: readonly { readonly label: string; readonly value: string }[]
  /** The state, if the document is not a valid offer, such as `Draft`. */
  readonly notice: string | null
  readonly message: string | null
  readonly lines: readonly OfferLine[]
  readonly totals: readonly { readonly label: string; readonly amount: string; readonly strong: boolean }[]
  /** Texts after the message, and the place of lines and totals. */
  readonly sections: readonly OfferSection[]
  readonly signatures: readonly OfferSignature[]
  /** Left part of the footer, on every page. */
  readonly footer: string
  readonly attachments: readonly OfferAttachment[]
  readonly labels: OfferLabels
}

export type OfferSection =
  | { readonly type: 'items' }
  | { readonly type: 'image'; readonly image: OfferImage }
  /** The name of an attached file. */
  | { readonly type: 'attachment'; readonly title: string; readonly name: string }
  | { readonly type: 'text'; readonly title: string | null; readonly blocks: readonly Block[] }

export interface OfferImage extends ImageFile {
  /** Size in pixels. */
  readonly width: number
  readonly height: number
  readonly alt: string
}

export interface OfferLine {
  readonly description: string
  /** Further lines below the description, such as a discount. */
  readonly details: readonly string[]
  readonly quantity: string | null
  readonly unitPrice: string | null
  readonly tax: string | null
  readonly total: string
  readonly optional: boolean
}

export interface OfferSignature {
  readonly name: string
  /** A drawn signature as SVG; the name is set in large type without one. */
  readonly drawing: string | null
  /** Time and method. */
  readonly details: readonly string[]
  /** The statement that was accepted. */
  readonly wording: string | null
}

export interface OfferAttachment {
  readonly name: string
  readonly mediaType: string
  readonly description: string
  readonly content: string | Uint8Array
}

export interface OfferLabels {
  readonly recipient: string
  readonly description: string
  readonly quantity: string
  readonly unitPrice: string
  readonly tax: string
  readonly total: string
  readonly signatures: string
  /** With `{page}` and `{pages}`. */
  readonly page: string
  /** With `{characters}`. */
  readonly missingCharacters: string
}
