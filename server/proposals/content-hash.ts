import type { ProposalItem } from '@groundwork/api'
import { createHash } from 'node:crypto'
import { canonicalJson } from '../lib/canonical-json.ts'

/** The content of an offer, to which an acceptance binds both parties. */
export interface Offer {
  /** Null for a draft. */
  readonly number: string | null
  readonly title: string
  readonly message: string | null
  readonly currency: string
  readonly totalAmount: string
  readonly items: readonly ProposalItem[]
  readonly expiresAt: string | null
}

/** Returns the SHA-256 of the offer's canonical JSON (RFC 8785) in hexadecimal, so that anyone can compute it. */
export function contentHash(offer: Offer): string {
  const { number, title, message, currency, totalAmount, items, expiresAt } = offer
  return createHash('sha256').update(canonicalJson({ number, title, message, currency, totalAmount, items, expiresAt })).digest('hex')
}
