import type { Contact, TimelineEntry } from '@groundwork/api'
import { contactName } from '../../lib/contact.ts'

/** A contact that is part of another one. */
export interface Merged {
  id: string
  /** Null if the timeline does not show it any more. */
  name: string | null
  mergedAt: string | null
}

/** How long a merge can be undone, in milliseconds (30 days). */
const undoMs = 30 * 86_400_000

type ContactEntry = Extract<TimelineEntry, { data: Contact }>
const isOfContact = (entry: TimelineEntry): entry is ContactEntry => entry.type.startsWith('contact.')

/**
 * Returns the contacts whose merge may be undone: those merged directly, at most 30 days ago as far as the timeline tells.
 * @param entries of the timeline, newest first
 * @param now milliseconds since 1970 (Unix epoch)
 */
export function undoableMerges(contact: Contact, entries: readonly TimelineEntry[], now: number): Merged[] {
  const ofContacts = entries.filter(isOfContact)
  return (contact.mergedIds ?? []).flatMap((id) => {
    const merge = ofContacts.findLast(({ type, data }) => type === 'contact.merged' && data.mergedIds?.includes(id))
    // The contact was first merged into another contact, so that merge must be undone there.
    if (merge !== undefined && merge.data.id !== contact.id) return []
    if (merge !== undefined && now - Date.parse(merge.createdAt) > undoMs) return []
    const last = ofContacts.find(({ data }) => data.id === id)
    const name = last === undefined ? id : contactName(last.data)
    return [{ id, name: name === id ? null : name, mergedAt: merge?.createdAt ?? null }]
  })
}
