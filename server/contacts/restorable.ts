import { sql } from 'kysely'
import { restorableSince } from '../lib/restorable.ts'

/**
 * SQL condition on `contact`: it is deleted and can be restored, unless it was merged into another one. Of an erased contact, only an
 * empty row can be left, which is never restored.
 */
export const isRestorable = (now: Date) => sql<boolean>`contact.deleted_at > ${restorableSince(now)} and contact.erased_at is null`

/** SQL condition on `contact`: it was merged into another one. Separating them restores it. */
export const isMerged = sql<boolean>`exists (select from contact_alias where contact_alias.id = contact.id)`
