import type { ProposalItem } from '@groundwork/api'
import { createHash } from 'node:crypto'

/** What a recipient is offered: everything that an acceptance binds both sides to. */
export interface Offer {
  /** null until it is sent. */
  readonly number: string | null
  readonly title: string
  readonly message: string | null
  readonly currency: string
  readonly totalAmount: string
  readonly items: readonly ProposalItem[]
  readonly expiresAt: string | null
}

/** SHA-256, hexadecimal, over the offer's canonical JSON (RFC 8785), so that anyone can calculate it again. */
export function contentHash(offer: Offer): string {
  const { number, title, message, currency, totalAmount, items, expiresAt } = offer
  return createHash('sha256').update(canonicalJson({ number, title, message, currency, totalAmount, items, expiresAt })).digest('hex')
}

type Json = string | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** RFC 8785 for values without numbers: names in order of their UTF-16 code units, no white space. */
function canonicalJson(value: object): string {
  return JSON.stringify(value, (_name, part: Json) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}
