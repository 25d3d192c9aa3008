import type { Choices } from '@groundwork/api/choices'

/** The origin of a recipient's answer. */
export interface Client {
  readonly address: string
  readonly userAgent: string | null
}

/** How a signer accepts a proposal. */
export interface Signature {
  readonly name: string
  /** The signature as SVG if it was drawn; null if the name was typed. */
  readonly drawing: string | null
  /** The sentence that the signer agreed to. */
  readonly wording: string
  /** The `contentHash` of the proposal that the signer read. */
  readonly contentHash: string
  /** Options and quantities that the signer chose; by default, those of the proposal. */
  readonly choices?: Choices
}
