import { wireId, type ContactJobCounts, type RecordConsent } from '@groundwork/api'
import { sql, type RawBuilder } from 'kysely'
import { addConsents, consentsOf, isKnown, type NewConsent, type StoredConsent } from '../consent/add-consents.ts'
import { rawId } from '../contacts/history-columns.ts'
import { toContact, type ContactRow } from '../contacts/record.ts'
import type { Context } from '../context.ts'
import type { ContactJobSettings, Transaction } from '../db/schema.ts'
import { emitMany } from '../events/emit.ts'
import { readContacts } from './chosen.ts'
import { keptCounts, type Kept } from './kept.ts'
import type { ContactJobRow } from './record.ts'

/** Records a consent for a batch of contacts in the transaction; a dry run only counts. */
export async function consentBatch(
  ctx: Context,
  trx: Transaction,
  job: ContactJobRow,
  ids: readonly string[],
): Promise<{ counts: Partial<ContactJobCounts>; kept: Kept[] }> {
  const consent = requireConsent(job)
  const { channel, state, at, source = null, wording = null } = consent
  const rows = await readContacts(trx, ids, { isLocking: !job.dry_run })
  const latest = new Map(
    (await consentsOf(trx, ids)).filter((entry) => entry.channel === channel).map((entry) => [entry.contact_id, entry]),
  )
  const added: NewConsent[] = rows
    .filter((row) => row.deleted_at === null && !isKnown(latest.get(row.id), consent))
    .map(({ id }) => ({
      contactId: id,
      channel,
      state,
      at: at === undefined ? job.created_at : new Date(at),
      source,
      wording,
      reference: wireId('job', job.id),
    }))
  if (!job.dry_run) {
    const changed = [...(await addConsents(ctx, trx, added)).values()].map(toContact)
    await emitMany(ctx, trx, 'contact.updated', changed, 'contact.consent_recorded')
  }
  const kept: Kept[] = rows
    .filter(({ deleted_at }) => deleted_at !== null)
    .map(({ id }) => ({ contactId: id, field: null, reason: 'deleted' }))
  return { counts: { changed: added.length, unchanged: ids.length - added.length, ...keptCounts(kept) }, kept }
}

function requireConsent({ settings }: ContactJobRow): RecordConsent {
  if (settings.recordConsent === undefined) throw new Error('The job records no consent.')
  return settings.recordConsent
}

/** Returns what the consents have that a job reverts: those of an author, an import or a bulk change. */
function consentSource({ actorId, importId, jobId }: ContactJobSettings): { column: 'actor_id' | 'reference'; value: string | null } {
  if (jobId !== undefined) return { column: 'reference', value: wireId('job', jobId) }
  return importId === undefined ? { column: 'actor_id', value: rawId(actorId) } : { column: 'reference', value: wireId('imp', importId) }
}

/** SQL for the ids of the contacts with consents that a job reverts. */
export function contactsWithReverted({ settings }: ContactJobRow): RawBuilder<unknown> {
  const { column, value } = consentSource(settings)
  return sql`select contact_id from consent_change
    where ${sql.ref(column)} = ${value} and created_at >= ${settings.since ?? '-infinity'}::timestamptz`
}

/** Returns whether a job reverts a consent. */
export function revertsConsent({ settings }: ContactJobRow): (entry: StoredConsent) => boolean {
  const { column, value } = consentSource(settings)
  const since = new Date(settings.since ?? 0)
  return (entry) => value !== null && entry[column] === value && entry.created_at >= since
}

/**
 * Plans the revert of the consents that an author, an import or a bulk change recorded. A channel whose present state is one of these
 * gets a new entry like the former one; an entry that someone recorded since stays.
 */
export async function planConsents(
  ctx: Context,
  trx: Transaction,
  job: ContactJobRow,
  rows: readonly ContactRow[],
): Promise<{ added: NewConsent[]; kept: Kept[] }> {
  const isReverted = revertsConsent(job)
  const entries = await consentsOf(
    trx,
    rows.map(({ id }) => id),
  )
  const added: NewConsent[] = []
  const kept: Kept[] = []
  for (const history of historiesOf(entries)) {
    const reverted = history.findLast(isReverted)
    const latest = history.at(-1)
    if (reverted === undefined || latest === undefined) continue
    const others = history.filter((entry) => !isReverted(entry))
    const { contact_id: contactId, channel } = latest
    if (isReverted(latest)) {
      const { state, source, wording } = others.at(-1) ?? { state: 'unknown', source: null, wording: null }
      // An author who has reverted this before has also written the present entry.
      if (isKnown(latest, { state, source, wording })) continue
      // Entries of clients with a fast clock can be later than the present.
      const at = new Date(Math.max(ctx.now().getTime(), latest.at.getTime()))
      added.push({ contactId, channel, state, at, source, wording, reference: wireId('job', job.id) })
    } else {
      const former = others.findLast(({ created_at }) => created_at < reverted.created_at)
      const isRestored = former === undefined ? latest.state === 'unknown' : isKnown(latest, { ...former, at: undefined })
      if (!isRestored && latest.created_at >= reverted.created_at) kept.push({ contactId, field: `consent.${channel}`, reason: 'changed' })
    }
  }
  return { added, kept }
}

/**
 * Returns the contacts whose consent someone else changed and has not taken back.
 * @param entries those of contacts, the latest one of a channel last
 * @param isOwn whether the job reverts an entry
 */
export function contactsWithOtherConsent(entries: readonly StoredConsent[], isOwn: (entry: StoredConsent) => boolean): string[] {
  return historiesOf(entries).flatMap((history) => {
    const last = history.findLastIndex((entry) => !isOwn(entry))
    const own = history.slice(0, Math.max(last, 0)).findLast(isOwn)
    const other = history[last]
    return other === undefined || other.state === (own?.state ?? 'unknown') ? [] : [other.contact_id]
  })
}

/** Returns the entries of each contact and channel. */
function historiesOf(entries: readonly StoredConsent[]): StoredConsent[][] {
  const histories = new Map<string, StoredConsent[]>()
  for (const entry of entries) {
    const key = `${entry.contact_id} ${entry.channel}`
    const history = histories.get(key)
    if (history === undefined) histories.set(key, [entry])
    else history.push(entry)
  }
  return [...histories.values()]
}
