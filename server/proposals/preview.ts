import type { CreateProposal, ProposalPreview } from '@groundwork/api'
import { currencyDecimals } from '@groundwork/api/money'
import { withTransaction } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import type { FileContext } from '../files/context.ts'
import { requireContact } from './checks.ts'
import { contentHash, type Offer } from './content-hash.ts'
import { newOffer } from './new-offer.ts'
import { nameOf } from './recipients.ts'
import { findContact } from './rows.ts'
import { prepareSections } from './sections/files.ts'
import { namedRecipients } from './signers/further-recipients.ts'
import { spokenOffer } from './spoken-offer.ts'

type Warning = ProposalPreview['warnings'][number]

/**
 * Returns the figures of a proposal with this body, and stores nothing.
 * @throws AppError `validation_error` if `createProposal` would
 */
export async function previewProposal(ctx: FileContext, input: CreateProposal): Promise<ProposalPreview> {
  const prepared = await prepareSections(ctx, input.sections ?? [], null)
  return withTransaction(ctx, async (trx) => {
    const { offer, timeZone } = await newOffer(trx, input, prepared.sections, ctx.now())
    const contact = requireContact(await findContact(trx, input.contactId))
    const recipients = await namedRecipients(input.recipients ?? [], contact.id, (id) => findContact(trx, id))
    const isTaken = await isExternalIdTaken(trx, input.externalId ?? null)
    return {
      ...offer,
      contentHash: contentHash(offer),
      warnings: [...warningsOf(offer, { hasEmail: contact.email !== null, isTaken }), ...recipients.flatMap(warningsOfRecipient)],
      sentence: spokenOffer(offer, nameOf(contact) ?? contact.email ?? '', timeZone),
      language: 'en',
    }
  })
}

const warningsOfRecipient = ({ email }: { email?: string | null }, index: number): Warning[] =>
  email == null
    ? [
        {
          code: 'no_email',
          message: 'A recipient has no email address. Pass on the URL of the recipient yourself.',
          field: `recipients.${index}.contactId`,
        },
      ]
    : []

async function isExternalIdTaken(trx: Transaction, externalId: string | null): Promise<boolean> {
  if (externalId === null) return false
  return (await trx.selectFrom('proposal').select('id').where('external_id', '=', externalId).executeTakeFirst()) !== undefined
}

function warningsOf({ items, totalAmount, currency }: Offer, { hasEmail, isTaken }: { hasEmail: boolean; isTaken: boolean }): Warning[] {
  const isNothingSelected = items.length > 0 && items.every(({ optional, preselected }) => optional && !preselected)
  const all: [applies: boolean, Warning][] = [
    [
      !hasEmail,
      { code: 'no_email', message: 'The contact has no email address. Pass on the URL of the proposal yourself.', field: 'contactId' },
    ],
    [
      isNothingSelected,
      { code: 'nothing_selected', message: 'All lines are optional and none is preselected, so the total is 0.00.', field: 'items' },
    ],
    [!isNothingSelected && totalAmount === '0.00', { code: 'total_is_zero', message: 'The total is 0.00.', field: 'totalAmount' }],
    [isTaken, { code: 'external_id_taken', message: 'Another proposal has this externalId.', field: 'externalId' }],
    [
      currencyDecimals(currency) > 2,
      { code: 'rounded_currency', message: `Amounts in ${currency} are rounded to two decimals.`, field: 'currency' },
    ],
  ]
  return all.flatMap(([applies, warning]) => (applies ? [warning] : []))
}
