import { sql, type RawBuilder } from 'kysely'

/**
 * SQL condition: the recipients `newer` and `former`, aliases of proposal_recipient, are the same contact; or one of them is no contact,
 * and both have the same address and the same name, because relatives and colleagues share addresses.
 */
export const isSamePerson: RawBuilder<boolean> = sql`(newer.contact_id = former.contact_id
  or ((newer.contact_id is null or former.contact_id is null)
    and lower(newer.email) = lower(former.email) and lower(newer.name) is not distinct from lower(former.name)))`
