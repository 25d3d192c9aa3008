import { wireId } from '@groundwork/api'
import { sql } from 'kysely'

/** SQL for the name of a source: the title of a page that was added by its URL and without a name, as the dashboard calls it. */
const sourceName = sql`case
  when title <> '' and name = left(regexp_replace(regexp_replace(url, '^https?://(www\\.)?', '', 'i'), '[/?#]+$', ''), 200) then title
  else name end`

/** SQL for the present name of the record of rows of `audit_entry`; null if it has none or was deleted. */
const targetName = sql<string | null>`case target_kind
  when 'ctc' then (
    select coalesce(nullif(concat_ws(' ', first_name, last_name), ''), email, phone)
    from contact where contact.id = target_id and deleted_at is null
  )
  when 'co' then (select name from company where company.id = target_id and deleted_at is null)
  when 'fld' then (select name from custom_field where custom_field.id = target_id)
  when 'imp' then (select file_name from contact_import where contact_import.id = target_id)
  when 'prp' then (select title from proposal where proposal.id = target_id)
  when 'kb' then (select name from base where base.id = target_id)
  when 'src' then (select ${sourceName} from source where source.id = target_id)
  when 'qst' then (select question from evaluation_question where evaluation_question.id = target_id)
  when 'org' then (select name from organization where organization.id = target_id)
  when 'tok' then (select name from api_token where api_token.id = target_id)
  when 'usr' then (select name from actor_names(array[target_id]))
  when 'inv' then (select email from invitation where invitation.id = target_id)
  when 'whk' then (select url from webhook_endpoint where webhook_endpoint.id = target_id)
end`

/** SQL for the knowledge base that contains the record, as a UUID; null for other records and deleted ones. */
const targetBase = sql<string | null>`case target_kind
  when 'kb' then (select id from base where base.id = target_id)
  when 'src' then (select base_id from source where source.id = target_id)
  when 'qst' then (select base_id from evaluation_question where evaluation_question.id = target_id)
end`

/** What else is selected of a row of `audit_entry` for its record. */
export const targetColumns = [targetName.as('target_name'), targetBase.as('target_base')] as const

export interface TargetColumns {
  target_name: string | null
  target_base: string | null
}

/** Returns the fields of an entry about its record. */
export const toTarget = (row: { target_kind: string; target_id: string } & TargetColumns) => ({
  targetId: `${row.target_kind}_${row.target_id}`,
  targetName: row.target_name,
  targetBaseId: row.target_base && wireId('kb', row.target_base),
})
