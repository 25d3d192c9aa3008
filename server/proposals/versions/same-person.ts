import { sql, type RawBuilder } from 'kysely'

/** SQL condition: the recipients `newer` and `former`, aliases of proposal_recipient, are the same contact or have the same address. */
export const isSamePerson: RawBuilder<boolean> = sql`(newer.contact_id = former.contact_id or lower(newer.email) = lower(former.email))`
