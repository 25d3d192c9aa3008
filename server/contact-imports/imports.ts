import { maxImportBytes, wireId, type ContactImport, type CreateContactImport, type ListImports } from '@groundwork/api'
import { csvRow, withoutPrefix } from '@groundwork/sdk/csv'
import { audit } from '../audit/audit.ts'
import { authorOf } from '../audit/entry.ts'
import { select, withTransaction, type Context } from '../context.ts'
import { requirePerson } from '../contacts/agent-writes.ts'
import { countryQuery } from '../contacts/country.ts'
import { newestFirst } from '../db/newest-first.ts'
import type { Transaction } from '../db/schema.ts'
import type { FileContext } from '../files/context.ts'
import { pageOf } from '../lib/cursor.ts'
import { AppError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { enqueueWork } from '../work.ts'
import { errorColumns } from './guess.ts'
import { toImport, type ImportRecord } from './record.ts'
import { afterEnd } from './retention.ts'
import { importContactsWork } from './work.ts'

/**
 * Queues an import of an uploaded file.
 * @throws AppError `validation_error`, field `storageUrl`, or `mapping.<n>.field` for a custom field that does not exist
 */
export async function createImport(ctx: FileContext, { storageUrl, ...settings }: CreateContactImport): Promise<ContactImport> {
  requirePerson(ctx)
  await ctx.uploads.settle(ctx, storageUrl)
  return withTransaction(ctx, async (trx) => {
    const upload = await ctx.uploads.require(trx, storageUrl)
    if (upload.size_bytes > maxImportBytes)
      throw new AppError('validation_error', 'storageUrl: the file has more than 100 MB', { field: 'storageUrl' })
    await requireCustomFields(trx, settings.mapping ?? [])
    const { file_name } = await trx.selectFrom('upload').select('file_name').where('id', '=', upload.id).executeTakeFirstOrThrow()
    const { country } = await countryQuery(trx).executeTakeFirstOrThrow()
    const now = ctx.now()
    const id = newId(now.getTime())
    const author = authorOf(ctx)
    const row = await trx
      .insertInto('contact_import')
      .values({
        organization_id: ctx.organizationId,
        id,
        status: 'queued',
        file_name,
        upload_id: upload.id,
        settings: JSON.stringify({ ...settings, country: settings.country ?? country ?? undefined }),
        actor_type: author.type,
        actor_id: author.id,
        created_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await enqueueWork(ctx, trx, importContactsWork, { importId: id })
    await audit(ctx, trx, { action: 'contact_import.created', target: wireId('imp', id) })
    return toImport(row)
  })
}

async function requireCustomFields(trx: Transaction, mapping: NonNullable<CreateContactImport['mapping']>): Promise<void> {
  const named = mapping.flatMap(({ field }, index) => (field?.startsWith('fld_') ? [{ index, id: field.slice(4).toLowerCase() }] : []))
  if (named.length === 0) return
  const ids = named.map(({ id }) => id)
  const found = await trx
    .selectFrom('custom_field')
    .select('id')
    .where('id', 'in', ids)
    .where('entity', '=', 'contact')
    .where('archived_at', 'is', null)
    .execute()
  const usable = new Set(found.map(({ id }) => id))
  const missing = named.find(({ id }) => !usable.has(id))
  if (missing === undefined) return
  const path = `mapping.${missing.index}.field`
  throw new AppError('validation_error', `${path}: there is no such custom field of contacts`, { field: path })
}

/** @throws AppError `not_found` */
export const getImport = async (ctx: Context, id: string): Promise<ContactImport> => toImport(await storedImport(ctx, id))

async function storedImport(ctx: Context, id: string): Promise<ImportRecord> {
  const [row] = await select(ctx, (db) => db.selectFrom('contact_import').selectAll().where('id', '=', id))
  if (row === undefined) throw noSuchImport()
  return row
}

/** @throws AppError `bad_request`, field `cursor` */
export async function listImports(ctx: Context, input: ListImports): Promise<{ data: ContactImport[]; nextCursor: string | null }> {
  const found = await select(ctx, (db) => newestFirst(db.selectFrom('contact_import').selectAll(), 'contact_import', input))
  const { rows, nextCursor } = pageOf(found, input.limit)
  return { data: rows.map(toImport), nextCursor }
}

/**
 * Ends an import before its next rows.
 * @throws AppError `not_found`; `conflict` if it has ended; `forbidden` for an agent
 */
export async function cancelImport(ctx: Context, id: string): Promise<ContactImport> {
  requirePerson(ctx)
  return withTransaction(ctx, async (trx) => {
    const row = await trx.selectFrom('contact_import').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    if (row === undefined) throw noSuchImport()
    if (row.status !== 'queued' && row.status !== 'running') throw new AppError('conflict', `The import is ${row.status} already.`)
    const ended = await trx
      .updateTable('contact_import')
      .set({ status: 'cancelled', ended_at: ctx.now() })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await afterEnd(ctx, trx, id)
    await audit(ctx, trx, { action: 'contact_import.cancelled', target: wireId('imp', id) })
    return toImport(ended)
  })
}

const errorsPerPage = 1000

/**
 * Returns the rows of a CSV file with the rows that failed. Cells beyond the header follow after the columns of the error.
 * @throws AppError `not_found`
 */
export async function importErrors(ctx: Context, id: string): Promise<AsyncIterable<string>> {
  return errorRows(ctx, await storedImport(ctx, id))
}

async function* errorRows(ctx: Context, { id, plan }: ImportRecord): AsyncGenerator<string> {
  const columns = plan?.mapping.map(({ column }) => column) ?? []
  // A spreadsheet that writes semicolons expects them.
  const delimiter = plan?.delimiter === ';' ? ';' : ','
  // Excel needs the byte order mark to read UTF-8.
  yield `\ufeff${csvRow([...columns, ...errorColumns], delimiter)}`
  for (let after = 0; ;) {
    const rows = await select(ctx, (db) =>
      db
        .selectFrom('contact_import_error')
        .selectAll()
        .where('import_id', '=', id)
        .where('row_number', '>', after)
        .orderBy('row_number')
        .limit(errorsPerPage),
    )
    if (rows.length > 0)
      yield rows
        .map(({ cells, row_number, field, message }) =>
          csvRow(
            [...cellsOf(cells, columns.length), row_number, field, message, ...cells.slice(columns.length).map(withoutPrefix)],
            delimiter,
          ),
        )
        .join('')
    const last = rows.at(-1)
    if (last === undefined || rows.length < errorsPerPage) return
    after = last.row_number
  }
}

/** `csvRow` adds the prefix that an import removes. */
const cellsOf = (cells: readonly string[], length: number): string[] =>
  Array.from({ length }, (_, index) => withoutPrefix(cells[index] ?? ''))

const noSuchImport = (): AppError => new AppError('not_found', 'There is no such import.')
