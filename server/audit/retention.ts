import { sql } from 'kysely'
import { retention } from '../retention.ts'

export const auditRetention = retention('forget-audit-entries', { log: 'audit', deleteFunction: 'forget_old_audit_entries' })

/**
 * Selects the time of the previous entry, in the statement that adds one. Entries of the command line do not count, because it
 * cannot queue jobs.
 */
export const lastAudited = sql<Date | null>`(
  select created_at from audit_entry as before where actor_type <> 'command_line' order by before.created_at desc limit 1
)`.as('audited')
