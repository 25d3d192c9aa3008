import type { CreateProposal, ProposalSection } from '@groundwork/api'
import type { Transaction } from '../db/schema.ts'
import { requireFuture } from './checks.ts'
import type { Offer } from './content-hash.ts'
import { readDefaults, withDefaults } from './defaults.ts'
import { newPrice, type Price } from './price.ts'
import { versionOf } from './sections/stored.ts'

type OfferInput = Parameters<typeof newPrice>[0] & Parameters<typeof withDefaults>[0] & Pick<CreateProposal, 'title' | 'message'>

/** An offer with all figures, which proposals of version 1 do not have. */
type PricedOffer = Offer & Pick<Price, 'subtotal' | 'discountTotal' | 'taxes' | 'taxTotal'>

/**
 * Returns the offer of a proposal with this body that is not stored, and the organization's time zone.
 * @param sections the prepared sections
 * @throws AppError `validation_error`
 */
export async function newOffer(
  trx: Transaction,
  input: OfferInput,
  sections: readonly ProposalSection[],
  now: Date,
): Promise<{ offer: PricedOffer; timeZone: string }> {
  const defaults = await readDefaults(trx)
  const fields = withDefaults(input, sections, defaults, now)
  requireFuture(fields.expiresAt, now)
  const { items, ...figures } = newPrice(input, fields.currency)
  const offer = {
    ...figures,
    items: items ?? [],
    sections: [...fields.sections],
    contentVersion: versionOf(fields.sections, figures.contentVersion),
    currency: fields.currency,
    number: null,
    title: input.title,
    message: input.message ?? null,
    expiresAt: fields.expiresAt?.toISOString() ?? null,
  }
  return { offer, timeZone: defaults.time_zone }
}
