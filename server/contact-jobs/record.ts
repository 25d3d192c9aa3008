import { wireId, type ContactJob, type ContactJobCounts, type KeptValue } from '@groundwork/api'
import type { Selectable } from 'kysely'
import { actorName, toActor } from '../audit/actor.ts'
import type { ContactJobKeptTable, ContactJobTable, Transaction } from '../db/schema.ts'

export type ContactJobRow = Selectable<ContactJobTable>

/** Selects jobs with the names of their authors. */
export const shownJobs = (db: Transaction) =>
  db.selectFrom('contact_job').selectAll('contact_job').select(actorName('contact_job').as('actor_name'))

export const noCounts: ContactJobCounts = {
  changed: 0,
  deleted: 0,
  restored: 0,
  unchanged: 0,
  valuesReverted: 0,
  valuesKept: 0,
  contactsKept: 0,
  suggestionsDismissed: 0,
}

export function toJob(row: ContactJobRow & { actor_name: string | null }): ContactJob {
  const { actorId, importId, jobId, since, action = 'update', fields = [], addTags = [], removeTags = [], recordConsent } = row.settings
  return {
    id: wireId('job', row.id),
    type: row.type,
    status: row.status,
    dryRun: row.dry_run,
    revert:
      row.type === 'revert'
        ? {
            actorId: actorId ?? null,
            importId: importId === undefined ? null : wireId('imp', importId),
            jobId: jobId === undefined ? null : wireId('job', jobId),
            since: since ?? null,
          }
        : null,
    change:
      row.type === 'bulk'
        ? {
            action,
            fields: [...fields],
            addTags: [...addTags],
            removeTags: [...removeTags],
            consent: recordConsent === undefined ? null : { channel: recordConsent.channel, state: recordConsent.state },
          }
        : null,
    progress: { done: row.done_contacts, total: row.total_contacts, unit: 'contacts' },
    counts: { ...noCounts, ...row.counts },
    createdBy: toActor(row),
    createdAt: row.created_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
  }
}

export const toKept = (row: Selectable<ContactJobKeptTable>): KeptValue => ({
  contactId: wireId('ctc', row.contact_id),
  field: row.field,
  reason: row.reason,
  changeId: row.change_id === null ? null : wireId('chg', row.change_id),
  createdAt: row.created_at.toISOString(),
})
