import {
  wireId,
  type Channel,
  type ConsentChange,
  type ConsentHistory,
  type Contact,
  type PresentConsent,
  type RecordConsent,
} from '@groundwork/api'
import { actorName, toActor } from '../audit/actor.ts'
import { actorId, withTransaction, type Context } from '../context.ts'
import { isAgent } from '../contacts/agent-writes.ts'
import { lockContact, requireContact } from '../contacts/lock.ts'
import { toContact } from '../contacts/record.ts'
import { newestFirst } from '../db/newest-first.ts'
import type { Transaction } from '../db/schema.ts'
import { emit } from '../events/emit.ts'
import { pageOf } from '../lib/cursor.ts'
import { pastTime } from '../lib/past-time.ts'
import { AppError } from '../lib/errors.ts'
import { addConsents, consentsOf, isKnown } from './add-consents.ts'

/**
 * Adds an entry to the history of the contact's consent, unless it equals the latest one of the channel. Messages that wait to be
 * sent to a contact who denies email are withdrawn.
 * @throws AppError `not_found`; `validation_error`, field `at`, if it is in the future; `forbidden` for an agent that would replace a denial
 */
export function recordConsent(ctx: Context, contactId: string, input: RecordConsent): Promise<Contact> {
  return withTransaction(ctx, async (trx) => {
    const now = ctx.now()
    const at = input.at === undefined ? now : pastTime(now, input.at, 'at')
    const before = await lockContact(trx, contactId)
    const latest = (await latestChanges(trx, contactId).execute()).find(({ channel }) => channel === input.channel)
    if (isKnown(latest, { ...input, at: at < now ? input.at : undefined })) return toContact(before)
    await requireNoRefusal(ctx, trx, contactId, { ...input, at })
    const { channel, state, source = null, wording = null } = input
    const rows = await addConsents(ctx, trx, [{ contactId, channel, state, at, source, wording, reference: null }])
    const contact = toContact(rows.get(contactId) ?? before)
    await emit(ctx, trx, 'contact.updated', contact, 'contact.consent_recorded')
    return contact
  })
}

/**
 * An agent can record a denial at any time, but cannot replace one that it did not record itself.
 * @throws AppError `forbidden`
 */
async function requireNoRefusal(
  ctx: Context,
  trx: Transaction,
  contactId: string,
  { channel, state, at }: Pick<RecordConsent, 'channel' | 'state'> & { at: Date },
): Promise<void> {
  const { actor } = ctx
  if (!isAgent(ctx) || actor === undefined || state === 'denied') return
  const ofOthers = (await consentsOf(trx, [contactId])).findLast((entry) => entry.channel === channel && entry.actor_id !== actorId(actor))
  if (ofOthers?.state !== 'denied' || at < ofOthers.at) return
  throw new AppError('forbidden', `The contact denied ${channel}. The token of an agent cannot replace a denial that others recorded.`)
}

/**
 * Returns the latest entry for each channel.
 * @throws AppError `not_found`
 */
export function presentConsent(ctx: Context, contactId: string): Promise<PresentConsent> {
  return withTransaction(ctx, async (trx) => {
    await requireContact(trx, contactId)
    const changes = (await latestChanges(trx, contactId).execute()).map(toConsentChange)
    const of = (channel: Channel) => changes.find((change) => change.channel === channel) ?? null
    return { email: of('email'), phone: of('phone'), sms: of('sms'), post: of('post') }
  })
}

/**
 * Lists the history of the consent of a contact, newest entry first.
 * @throws AppError `not_found`; `bad_request`, field `cursor`
 */
export function consentHistory(
  ctx: Context,
  contactId: string,
  input: ConsentHistory,
): Promise<{ data: ConsentChange[]; nextCursor: string | null }> {
  return withTransaction(ctx, async (trx) => {
    await requireContact(trx, contactId)
    const rows = await newestFirst(shownChanges(trx).where('contact_id', '=', contactId), 'consent_change', input).execute()
    const page = pageOf(rows, input.limit)
    return { data: page.rows.map(toConsentChange), nextCursor: page.nextCursor }
  })
}

const shownChanges = (trx: Transaction) =>
  trx.selectFrom('consent_change').selectAll('consent_change').select(actorName('consent_change').as('actor_name'))

type ShownChange = Awaited<ReturnType<ReturnType<typeof shownChanges>['executeTakeFirstOrThrow']>>

const toConsentChange = (row: ShownChange): ConsentChange => ({
  id: wireId('cns', row.id),
  contactId: wireId('ctc', row.contact_id),
  channel: row.channel,
  state: row.state,
  at: row.at.toISOString(),
  source: row.source,
  wording: row.wording,
  reference: row.reference,
  createdBy: toActor(row),
  createdAt: row.created_at.toISOString(),
})

/** Selects the entry with the latest `at` of each channel. */
const latestChanges = (trx: Transaction, contactId: string) =>
  shownChanges(trx)
    .distinctOn('channel')
    .where('contact_id', '=', contactId)
    .orderBy('channel')
    .orderBy('at', 'desc')
    .orderBy('consent_change.created_at', 'desc')
    .orderBy('consent_change.id', 'desc')
