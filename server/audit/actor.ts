import { wireId, type AuditActor } from '@groundwork/api'
import { sql } from 'kysely'
import type { AuditEntryTable } from '../db/schema.ts'

type Author = Pick<AuditEntryTable, 'actor_type' | 'actor_id'> & { actor_name: string | null }

/** SQL for the present name of the author of rows with the columns `actor_type` and `actor_id`. */
export const actorName = (table: string) => sql<string | null>`case ${sql.ref(`${table}.actor_type`)}
  when 'token' then (select name from api_token where api_token.id = ${sql.ref(`${table}.actor_id`)})
  when 'user' then (select name from actor_names(array[${sql.ref(`${table}.actor_id`)}]))
  when 'recipient' then (select name from proposal_recipient where proposal_recipient.id = ${sql.ref(`${table}.actor_id`)})
end`

/** Returns the author of a row. */
export const toActor = ({ actor_type: type, actor_id, actor_name }: Author): AuditActor => ({
  type,
  id: actor_id && wireId(type === 'user' ? 'usr' : type === 'recipient' ? 'rcp' : 'tok', actor_id),
  name: actor_name,
})
