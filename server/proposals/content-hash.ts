import type { ProposalItem } from '@groundwork/api'
import { createHash } from 'node:crypto'

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

type Json = string | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** Returns RFC 8785 canonical JSON for values without numbers: names in order of UTF-16 code units, no white space. */
function canonicalJson(value: object): string {
  return JSON.stringify(value, (_name, part: Json) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}
