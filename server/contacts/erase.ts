import {
  keptKinds,
  wireId,
  type Contact,
  type ContactErasure,
  type EraseContact,
  type ErasedKind,
  type ExportedSearch,
  type KeptKind,
} from '@groundwork/api'
import { sql } from 'kysely'
import { deleteActivitiesOf } from '../activities/activities.ts'
import { audit } from '../audit/audit.ts'
import { deleteConsentOf } from '../consent/delete.ts'
import { eraseImports, importFiles } from '../contact-imports/erase.ts'
import { deleteDuplicatesOf } from '../contact-duplicates/of-contact.ts'
import { deleteMergesOf, lockWithMerged } from '../contact-merges/delete.ts'
import { requireNotMerged } from '../contact-merges/survivor.ts'
import { repeatedOnDeadlock, requireWholeOrganization, withDryRun, type Context } from '../context.ts'
import { afterCommit } from '../db/deferred.ts'
import type { Transaction } from '../db/schema.ts'
import { emit } from '../events/emit.ts'
import { eraseEventsOfContact } from '../events/erase.ts'
import { withoutContent } from '../events/stored-data.ts'
import { eraseAnswers } from '../idempotency/erase.ts'
import { AppError } from '../lib/errors.ts'
import type { PersonalTerms } from '../lib/personal-terms.ts'
import { eraseMails } from '../mail/erase.ts'
import type { ProposalServices } from '../proposals/context.ts'
import { eraseContracts, readContractEnds } from '../proposals/erase-contracts.ts'
import { eraseRecipient, eraseTexts, lockProposalsOf, voidReasons } from '../proposals/of-deleted-contact.ts'
import { deleteDraft } from '../proposals/proposals.ts'
import { voidLocked } from '../proposals/transitions.ts'
import { eraseViews } from '../saved-views/erase.ts'
import { deleteChangesOf, deleteUndoneMerges } from './changes.ts'
import { rememberErased } from './erased-values.ts'
import { requirePerson } from './agent-writes.ts'
import { personOf } from './person.ts'
import { eraseColumns } from './purge.ts'
import { deleteSuggestionsOf } from './suggestion-rows.ts'
import { toContact, type ContactRow } from './record.ts'

/** The log of searches, which can contain personal data. */
export interface SearchLog {
  /** Returns the searches with any of the terms, newest first. */
  find(ctx: Context, terms: PersonalTerms): Promise<ExportedSearch[]>
  /** Deletes the searches with any of the terms. Returns their number. */
  erase(trx: Transaction, terms: PersonalTerms): Promise<number>
  /** Deletes such searches that this process had not written yet. Logs a failure, and never rejects. */
  eraseUnwritten(ctx: Context, terms: PersonalTerms): Promise<void>
}

export interface ErasureServices extends ProposalServices {
  readonly searchLog: SearchLog
}

type ErasureContext = Context & ErasureServices

type Counts = Partial<Record<ErasedKind, number>>

/**
 * Removes the personal data of a contact everywhere, in one transaction, and returns the receipt. A dry run does the same and
 * rolls it back, so its numbers are exact.
 * @throws AppError `not_found`, also for an erased contact; `conflict` for a merged one; `forbidden` for an agent, or if the actor
 * is limited to some knowledge bases
 */
export async function eraseContact(ctx: ErasureContext, id: string, options: EraseContact): Promise<ContactErasure> {
  requireWholeOrganization(ctx)
  requirePerson(ctx)
  // Another transaction can lock a record of the contact, such as a mail, and then wait for the contact.
  return repeatedOnDeadlock(ctx, () => withDryRun(ctx, options.dryRun ?? false, (trx) => eraseIn(ctx, trx, id, options)))
}

async function eraseIn(
  ctx: ErasureContext,
  trx: Transaction,
  id: string,
  { dryRun = false, preventReimport = false }: EraseContact,
): Promise<ContactErasure> {
  const now = ctx.now()
  // A transaction that changes both locks the proposal first.
  await lockProposalsOf(trx, id)
  const { contact: before, merged } = await lockWithMerged(trx, id)
  if (before === undefined || isErased(before)) throw new AppError('not_found', 'There is no such contact.')
  if (before.deleted_at !== null) await requireNotMerged(trx, id)
  // Others can have been created before the contact was locked.
  const proposals = await lockProposalsOf(trx, id)

  const pending = proposals.filter(({ status, isSigner }) => status === 'pending' && isSigner)
  for (const proposal of pending) await voidLocked(ctx, trx, proposal.id, voidReasons.erased)
  const drafts = proposals.filter(({ status, isMain }) => status === 'draft' && isMain)
  for (const draft of drafts) await deleteDraft(ctx, trx, draft.id)
  const left = proposals.filter((proposal) => !drafts.includes(proposal))
  const open = left.filter(({ status, isMain }) => status !== 'completed' && isMain)

  // The functions below erase data of deleted contacts only.
  await trx.updateTable('contact').set({ deleted_at: now, erased_at: now }).where('id', '=', id).execute()
  await deleteDuplicatesOf(trx, id)
  const { events, webhookResponses } = await eraseEventsOfContact(trx, id)
  const person = await personOf(trx, id)
  const { terms } = person
  // After the commit, because nothing may wait for another connection before it.
  afterCommit(trx, () => void ctx.searchLog.eraseUnwritten(ctx, terms))
  const hashes = preventReimport ? await rememberErased(ctx, trx, [before, ...merged]) : 0
  const counts: Counts = {
    contact: 1,
    merged_contacts: await deleteMergesOf(trx, id),
    activities: await deleteActivitiesOf(trx, id),
    consents: await deleteConsentOf(trx, id),
    changes: (await deleteChangesOf(trx, id)) + (await deleteUndoneMerges(trx, person.ids)),
    suggestions: await deleteSuggestionsOf(trx, id),
    draft_proposals: drafts.length,
    voided_proposals: pending.length,
    ...(await eraseRecipient(trx, id)),
    proposal_texts: await eraseTexts(
      ctx,
      trx,
      open.map((proposal) => proposal.id),
    ),
    mails: await eraseMails(ctx, trx, { contactId: id, proposalIds: left.map((proposal) => proposal.id) }),
    events,
    webhook_responses: webhookResponses,
    imports: await eraseImports(trx, person),
    saved_views: await eraseViews(ctx, trx, terms),
    searches: await ctx.searchLog.erase(trx, terms),
    // The stored response to a dry run names the contact too.
    stored_responses: (await eraseAnswers(ctx, trx, terms)) + (dryRun && ctx.storesResponse === true ? 1 : 0),
  }
  const contracts = left.filter(({ status, isSigner }) => status === 'completed' && isSigner)
  const ends = await readContractEnds(ctx, trx, contracts)
  const over = ends.filter(({ until }) => until <= now)
  if (over.length > 0) await eraseContracts(ctx, trx, over)
  counts.accepted_proposals = over.length
  if (left.length > over.length) await eraseColumns(trx, id, now)
  else await trx.deleteFrom('contact').where('id', '=', id).execute()
  const erased = { ...toContact(before), updatedAt: now.toISOString() }
  // Also erases the stored responses to requests about them.
  for (const { id: target } of merged) await audit(ctx, trx, { action: 'contact.erased', target: wireId('ctc', target) })
  await emit(ctx, trx, 'contact.erased', withoutContent('contact.erased', erased) as Contact)
  const entries = Object.entries(counts) as [ErasedKind, number][]
  return {
    contactId: wireId('ctc', id),
    dryRun,
    erasedAt: dryRun ? null : now.toISOString(),
    erased: entries.flatMap(([kind, count]) => (count === 0 ? [] : [{ kind, count }])),
    kept: await keptRecords(ctx, trx, id, {
      contracts: { count: contracts.length - over.length, until: ends.at(-1)?.until },
      others: left.length - contracts.length,
      hashes,
    }),
  }
}

/** Returns whether only the empty row of an erased or purged contact is left. */
const isErased = ({ deleted_at, email, phone, first_name, last_name }: ContactRow): boolean =>
  deleted_at !== null && [email, phone, first_name, last_name].every((value) => value === null)

const dayMs = 86_400_000

const reasons: Record<Exclude<KeptKind, 'accepted_proposals'>, string> = {
  other_proposals:
    'They are business records. The contact is removed as a recipient, and proposals to it lose their message and texts. Titles, lines and everything else stay as they were written, even if they name the contact.',
  audit_entries: 'They prove who changed what, and are immutable.',
  import_files: 'Uploaded files are deleted a day after the upload.',
  hashes: 'Imports and batches refuse the values. The hashes cannot be turned back into them.',
  database_files: 'A database does not overwrite deleted rows at once. Dumps and backups from now on do not contain them.',
  backups: 'A backup is a copy of an earlier time.',
}

/** Each contract has its own end, and the receipt names the last one. */
function contractReason(years: number | null): string {
  if (years === null) return 'They are contracts.'
  return `They are contracts. Each is kept for ${years === 1 ? '1 year' : `${years} years`} from its completion.`
}

async function keptRecords(
  ctx: ErasureContext,
  trx: Transaction,
  contactId: string,
  { contracts, others, hashes }: { contracts: { count: number; until: Date | undefined }; others: number; hashes: number },
): Promise<ContactErasure['kept']> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from audit_entry
    where target_id = ${contactId}::uuid or actor_id in (select id from proposal_recipient where contact_id = ${contactId}::uuid)
      or target_id in (select proposal_id from proposal_recipient where contact_id = ${contactId}::uuid)`.execute(trx)
  const counts: Record<KeptKind, { count: number | null; until?: Date | undefined }> = {
    accepted_proposals: contracts,
    other_proposals: { count: others },
    audit_entries: { count: rows[0]?.count ?? 0, until: new Date(ctx.now().getTime() + ctx.retentionDays.audit * dayMs) },
    import_files: await importFiles(trx),
    hashes: { count: hashes },
    database_files: { count: null },
    backups: { count: null },
  }
  return (Object.keys(keptKinds) as KeptKind[]).flatMap((kind) => {
    const { count, until } = counts[kind]
    const reason = kind === 'accepted_proposals' ? contractReason(ctx.contractYears) : reasons[kind]
    return count === 0 ? [] : [{ kind, count, reason, until: until?.toISOString() ?? null }]
  })
}
