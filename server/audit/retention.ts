import { sql } from 'kysely'
import { retention } from '../retention.ts'

/** Entries are kept for 400 days. */
export const auditRetention = retention('forget-audit-entries', { retentionDays: 400, deleteFunction: 'forget_old_audit_entries' })

/** For the statement that adds an entry: the time of the previous entry by an author that can queue jobs, which the command line cannot. */
export const lastAudited = sql<Date | null>`(
  select created_at from audit_entry as before where actor_type <> 'command_line' order by before.created_at desc limit 1
)`.as('audited')
