import { wireId, type CreateProposal, type Proposal, type ProposalSection, type UpdateProposal } from '@groundwork/api'
import type { Updateable } from 'kysely'
import { audit } from '../audit/audit.ts'
import { outsideRequestTransaction, withTransaction, select, type Context } from '../context.ts'
import { changedColumns, isEmpty } from '../db/changed-columns.ts'
import { compiledStatement } from '../db/compiled-statement.ts'
import type { ProposalTable, Transaction } from '../db/schema.ts'
import { violatedIndex } from '../db/violations.ts'
import { emit } from '../events/emit.ts'
import { AppError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { readProposal } from './change.ts'
import { requireContact, requireFuture, toDate } from './checks.ts'
import type { ProposalContext } from './context.ts'
import { readDefaults, withDefaults } from './defaults.ts'
import { enqueueExpiry } from './expiry.ts'
import { enqueueProposalMails } from './mail/enqueue.ts'
import { senderOf } from './mail/reply-to.ts'
import { requireNoRefusal } from './mail/withhold.ts'
import { requireDelivery } from './mail/require-delivery.ts'
import { newPrice, priceOf, type Price } from './price.ts'
import { copyContact, firstSigner, recipientsColumn } from './recipients.ts'
import { offerOf, priceColumns, toProposal, type ProposalRow } from './record.ts'
import { lockContact, lockProposal, noSuchProposal, nextProposalNumber } from './rows.ts'
import { prepareSections, removeAllFiles, replaceFiles } from './sections/files.ts'
import { sectionsColumn, storedSections, versionOf } from './sections/stored.ts'
import { furtherRecipients, replaceFurtherRecipients } from './signers/further-recipients.ts'
import { enqueueFirstReminders } from './signers/next-turn.ts'
import { requireDraft } from './states.ts'
import { lineOf } from './totals.ts'

/**
 * Creates and sends a proposal, or creates a draft.
 * @throws AppError `validation_error` if the contact does not exist, the amounts disagree, expiresAt has passed, or the required
 * delivery is impossible; `conflict` if the externalId is taken
 */
export async function createProposal(ctx: ProposalContext, input: CreateProposal): Promise<Proposal> {
  const prepared = await prepareSections(outsideRequestTransaction(ctx), input.sections ?? [], null)
  return withUniqueExternalId(ctx, async (trx) => {
    const now = ctx.now()
    // Sent together. A refused proposal gives its number back.
    const [defaults, locked, number] = await Promise.all([
      readDefaults(trx),
      lockContact(trx, input.contactId),
      input.draft ? null : nextProposalNumber(trx),
    ])
    const { currency, expiresAt, sections } = withDefaults(input, prepared.sections, defaults, now)
    requireFuture(expiresAt, now)
    const contact = requireContact(locked)
    const id = newId(now.getTime())
    const further = await furtherRecipients(ctx, trx, { proposalId: id, contactId: contact.id, recipients: input.recipients ?? [] })
    const recipients = [firstSigner(ctx, id, contact), ...further]
    if (input.requireDelivery && !input.draft) requireDelivery(ctx, recipients)
    const price = newPrice(input, currency)
    await trx
      .with('recipients', (db) => db.insertInto('proposal_recipient').values(recipients))
      .insertInto('proposal')
      .values({
        organization_id: ctx.organizationId,
        id,
        number,
        title: input.title,
        contact_id: contact.id,
        ...priceColumns(price),
        sections: sectionsColumn(sections),
        content_version: versionOf(sections, price.contentVersion),
        currency,
        status: input.draft ? 'draft' : 'pending',
        message: input.message ?? null,
        external_id: input.externalId ?? null,
        ...signingColumns(input),
        sent_at: input.draft ? null : now,
        sent_by: input.draft ? null : senderOf(ctx),
        viewed_at: null,
        completed_at: null,
        rejected_at: null,
        expires_at: expiresAt,
        voided_at: null,
        void_reason: null,
        created_at: now,
        updated_at: now,
      })
      .execute()
    if (prepared.added.length > 0) await replaceFiles(ctx, trx, id, prepared)
    if (!input.draft) {
      await enqueueExpiry(ctx, trx, { id, expires_at: expiresAt })
      await enqueueFirstReminders(ctx, trx, { id, sentAt: now, signingOrder: input.signingOrder, schedule: defaults })
      await enqueueProposalMails(ctx, trx, { proposalId: id, kind: 'sent' })
      if (input.requireDelivery) await requireNoRefusal(trx, id)
    }
    const proposal = await readProposal(ctx, trx, id)
    await emit(ctx, trx, 'proposal.created', proposal)
    if (!input.draft) await emit(ctx, trx, 'proposal.sent', proposal)
    return proposal
  })
}

const storedProposal = compiledStatement((db, { id }: { id: string }) =>
  db.selectFrom('proposal').selectAll().select(recipientsColumn).where('id', '=', id),
)

/** @throws AppError `not_found` */
export async function getProposal(ctx: ProposalContext, id: string): Promise<Proposal> {
  const [row] = await select(ctx, storedProposal({ id }))
  if (row === undefined) throw noSuchProposal()
  return toProposal(ctx, row)
}

/**
 * Changes the given fields of a draft; null clears one. The result must be valid as a new draft. A draft that has all values already
 * is not changed.
 * @throws AppError `not_found`, `conflict` if it is not a draft or the externalId is taken, `validation_error`
 */
export async function updateProposal(ctx: ProposalContext, id: string, input: UpdateProposal): Promise<Proposal> {
  const prepared = input.sections === undefined ? undefined : await prepareSections(ctx, input.sections ?? [], id)
  return withUniqueExternalId(ctx, async (trx) => {
    const before = await lockProposal(trx, id)
    requireDraft(before.status)
    const now = ctx.now()
    const contact = input.contactId === undefined ? undefined : requireContact(await lockContact(trx, input.contactId))
    const isCopied = contact !== undefined && (await copyContact(trx, id, contact))
    const isReplaced =
      (contact !== undefined || input.recipients !== undefined) &&
      (await replaceFurtherRecipients(ctx, trx, {
        proposalId: id,
        contactId: contact?.id ?? before.contact_id,
        recipients: input.recipients,
      }))
    const expiresAt = toDate(input.expiresAt)
    requireFuture(expiresAt, now)
    // The column pads the percentage to four decimals.
    const row = { ...before, discount_percent: offerOf(before).discountPercent }
    const changed = changedColumns(row, {
      ...contentColumns(before, input, prepared?.sections),
      ...(input.title !== undefined && { title: input.title }),
      ...(contact !== undefined && { contact_id: contact.id }),
      ...(input.currency !== undefined && { currency: input.currency }),
      ...(input.message !== undefined && { message: input.message }),
      ...(input.externalId !== undefined && { external_id: input.externalId }),
      ...signingColumns(input),
      ...(input.expiresAt !== undefined && { expires_at: expiresAt }),
    })
    if (isEmpty(changed) && !isCopied && !isReplaced) return readProposal(ctx, trx, id)
    if (prepared !== undefined) await replaceFiles(ctx, trx, id, prepared)
    const written = await trx
      .updateTable('proposal')
      .set({ ...changed, updated_at: now })
      .where('id', '=', id)
      .returningAll()
      .returning(recipientsColumn)
      .executeTakeFirstOrThrow()
    const proposal = toProposal(ctx, written)
    await audit(ctx, trx, { action: 'proposal.updated', target: proposal.id })
    return proposal
  })
}

/** @throws AppError `not_found`, `conflict` if it is not a draft */
export function deleteProposal(ctx: ProposalContext, id: string): Promise<void> {
  return withTransaction(ctx, async (trx) => {
    requireDraft((await lockProposal(trx, id)).status)
    await deleteDraft(ctx, trx, id)
  })
}

/** Deletes a locked draft with its files. */
export async function deleteDraft(ctx: ProposalContext, trx: Transaction, id: string): Promise<void> {
  await removeAllFiles(ctx, trx, [id])
  await trx.deleteFrom('proposal').where('id', '=', id).execute()
  await audit(ctx, trx, { action: 'proposal.deleted', target: wireId('prp', id) })
}

/** Returns the changed columns of lines, totals and sections. Sections need totals, which the first version does not have. */
function contentColumns(
  before: ProposalRow,
  input: UpdateProposal,
  changed: readonly ProposalSection[] | undefined,
): Updateable<ProposalTable> {
  const sections = changed ?? storedSections(before.sections)
  const isPriced = affectsPrice(input) || (before.content_version === 1 && sections.length > 0)
  const price = isPriced ? priceColumns(changedPrice(before, input)) : { content_version: before.content_version }
  return { ...price, sections: sectionsColumn(sections), content_version: versionOf(sections, price.content_version) }
}

/** Returns the given settings of signing; the defaults of the columns are those of the API. */
const signingColumns = ({ signingOrder, counterSignature }: Pick<UpdateProposal, 'signingOrder' | 'counterSignature'>) => ({
  ...(signingOrder !== undefined && { signing_order: signingOrder }),
  ...(counterSignature !== undefined && { counter_signature: counterSignature }),
})

const affectsPrice = ({ items, totalAmount, pricesIncludeTax, discount, discountPercent, currency }: UpdateProposal): boolean =>
  [items, totalAmount, pricesIncludeTax, discount, discountPercent, currency].some((value) => value !== undefined)

/** Lines replace a former total; a total alone must agree with the existing lines. Without lines, a former discount is gone. */
function changedPrice(before: ProposalRow, input: UpdateProposal): Price {
  const former = offerOf(before)
  const lines = input.items === undefined ? former.items : (input.items?.map(lineOf) ?? [])
  const hasLines = lines.length > 0
  const isTotalKept = !hasLines && former.items.length === 0
  // A new discount of one kind replaces that of the other kind.
  const kept = (name: 'discount' | 'discountPercent', other: 'discount' | 'discountPercent'): string | null =>
    hasLines && (input[other] ?? null) === null ? former[name] : null
  return priceOf({
    lines: hasLines ? lines : null,
    totalAmount: input.totalAmount ?? (isTotalKept ? former.totalAmount : undefined),
    pricesIncludeTax: input.pricesIncludeTax ?? (hasLines && former.pricesIncludeTax),
    discount: input.discount === undefined ? kept('discount', 'discountPercent') : input.discount,
    discountPercent: input.discountPercent === undefined ? kept('discountPercent', 'discount') : input.discountPercent,
    currency: input.currency ?? former.currency,
  })
}

/** Converts a violation of the unique index, since a check before the write would miss concurrent transactions. */
async function withUniqueExternalId<T>(ctx: Context, fn: (trx: Transaction) => Promise<T>): Promise<T> {
  try {
    return await withTransaction(ctx, fn)
  } catch (error) {
    if (violatedIndex(error) !== 'proposal_organization_id_external_id_key') throw error
    throw new AppError('conflict', 'Another proposal has this externalId.', { field: 'externalId', cause: error })
  }
}
