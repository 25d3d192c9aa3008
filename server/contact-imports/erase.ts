import { wireId, type ContactImport, type ExportedImportRow } from '@groundwork/api'
import { sql } from 'kysely'
import { namesPerson } from '../db/names-person.ts'
import type { Transaction } from '../db/schema.ts'
import type { Person } from '../contacts/person.ts'
import type { PersonalTerms } from '../lib/personal-terms.ts'
import { toImport } from './record.ts'

/** Time after the expiry of an upload until its file is deleted. */
const graceMs = 3600 * 1000

const isFailedRowAbout = (terms: PersonalTerms) => namesPerson(sql`concat_ws(' ', array_to_string(cells, ' '), message)`, terms)

/** SQL for the texts of an import that can name a person. */
const texts = {
  fileName: sql`file_name`,
  error: sql`coalesce(error, '')`,
  settings: sql`coalesce(settings ->> 'mapping', '')`,
  columns: sql`coalesce(plan ->> 'mapping', '')`,
  samples: sql`coalesce((
    select string_agg(cell, ' ') from jsonb_array_elements(plan -> 'samples') as sample, jsonb_array_elements_text(sample) as cell), '')`,
}

const isImportAbout = (terms: PersonalTerms) => namesPerson(sql`concat_ws(' ', ${sql.join(Object.values(texts))})`, terms)

/**
 * Deletes the failed rows of imports that are about a person, and the names, columns and sample rows of imported files that name the
 * person. Returns the number of rows and imports.
 */
export async function eraseImports(trx: Transaction, { ids, terms }: Person): Promise<number> {
  await trx.deleteFrom('contact_import_former_key').where('contact_id', 'in', ids).execute()
  const rows = await trx.deleteFrom('contact_import_error').where(isFailedRowAbout(terms)).executeTakeFirst()
  const names = (text: keyof typeof texts) => namesPerson(texts[text], terms)
  const imports = await trx
    .updateTable('contact_import')
    .set({
      file_name: sql`case when ${names('fileName')} then '' else file_name end`,
      error: sql`case when ${names('error')} then null else error end`,
      // A running import still needs the columns of its request.
      settings: sql`case when ended_at is not null and ${names('settings')} then settings - 'mapping' else settings end`,
      plan: sql`plan || case when ${names('columns')} then '{"mapping": []}'::jsonb else '{}' end
        || case when ${names('samples')} then '{"samples": []}'::jsonb else '{}' end`,
    })
    .where(isImportAbout(terms))
    .executeTakeFirst()
  // The file of a source stays, and is deleted with it.
  await trx
    .updateTable('upload')
    .set({ file_name: '' })
    .where('used', '=', false)
    .where(namesPerson(sql`file_name`, terms))
    .execute()
  return Number(rows.numDeletedRows) + Number(imports.numUpdatedRows)
}

/** Returns the imports that wrote the contacts of a person or name the person, newest first. */
export async function importsAbout(trx: Transaction, { ids, terms }: Person): Promise<ContactImport[]> {
  const rows = await trx
    .selectFrom('contact_import')
    .selectAll()
    .where((of) =>
      of.or([
        isImportAbout(terms),
        sql<boolean>`'imp_' || contact_import.id in (
          select reference from contact_change where how = 'imported' and contact_id = any (${ids}::uuid[]))`,
      ]),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toImport)
}

/** Returns the failed rows of imports that are about a person. */
export async function failedRowsAbout(trx: Transaction, { terms }: Person): Promise<ExportedImportRow[]> {
  const rows = await trx
    .selectFrom('contact_import_error')
    .selectAll()
    .where(isFailedRowAbout(terms))
    .orderBy('import_id', 'desc')
    .orderBy('row_number')
    .execute()
  return rows.map(({ import_id, row_number, cells, field, message }) => ({
    importId: wireId('imp', import_id),
    row: row_number,
    cells,
    field,
    error: message,
  }))
}

/** Returns the imported files that still exist, and when the last of them is deleted. */
export async function importFiles(trx: Transaction): Promise<{ count: number; until?: Date }> {
  // The row of an upload is deleted with its file. The file of a source is kept as the source.
  const kept = await trx
    .selectFrom('upload')
    .select('expires_at')
    .where('used', '=', false)
    .where('id', 'in', (of) => of.selectFrom('contact_import').select('upload_id'))
    .execute()
  if (kept.length === 0) return { count: 0 }
  return { count: kept.length, until: new Date(Math.max(...kept.map(({ expires_at }) => expires_at.getTime())) + graceMs) }
}
