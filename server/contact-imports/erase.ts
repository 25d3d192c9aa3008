import { sql } from 'kysely'
import { namesPerson } from '../db/names-person.ts'
import type { Transaction } from '../db/schema.ts'
import type { PersonalTerms } from '../lib/personal-terms.ts'

/** Time after the expiry of an upload until its file is deleted. */
const graceMs = 3600 * 1000

/**
 * Deletes the failed rows of imports that are about a person, and the names, columns and sample rows of imported files that name the
 * person. Returns the number of rows and imports.
 */
export async function eraseImports(trx: Transaction, contactId: string, terms: PersonalTerms): Promise<number> {
  await trx.deleteFrom('contact_import_former_key').where('contact_id', '=', contactId).execute()
  const names = (text: ReturnType<typeof sql>) => namesPerson(text, terms)
  const { numAffectedRows: rows } = await sql`
    delete from contact_import_error as failed
    where ${names(sql`array_to_string(cells, ' ')`)}
      or exists (select from unnest(cells) as cell where ${names(sql`cell`)})`.execute(trx)
  const { numAffectedRows: imports } = await sql`
    update contact_import set file_name = '', error = null, plan = plan || '{"mapping": [], "samples": []}'
    where ${names(sql`concat_ws(' ', file_name, error, plan ->> 'mapping')`)}
      or exists (select from jsonb_array_elements(plan -> 'samples') as sample, lateral (
          select array_agg(cell) as cells from jsonb_array_elements_text(sample) as cell) as sampled
        where ${names(sql`array_to_string(cells, ' ')`)} or exists (select from unnest(cells) as cell where ${names(sql`cell`)}))`.execute(
    trx,
  )
  return Number(rows ?? 0) + Number(imports ?? 0)
}

/** Returns the imported files that still exist, and when the last of them is deleted. */
export async function importFiles(trx: Transaction, now: Date): Promise<{ count: number; until?: Date }> {
  const kept = await trx
    .selectFrom('upload')
    .select(['id', 'expires_at'])
    .where('expires_at', '>', new Date(now.getTime() - graceMs))
    .where('id', 'in', (of) => of.selectFrom('contact_import').select('upload_id'))
    .execute()
  if (kept.length === 0) return { count: 0 }
  return { count: kept.length, until: new Date(Math.max(...kept.map(({ expires_at }) => expires_at.getTime())) + graceMs) }
}
