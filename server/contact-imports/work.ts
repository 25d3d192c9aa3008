import type { ContactImport } from '@groundwork/api'
import { sql } from 'kysely'
import type { ErasedValuesContext } from '../contacts/erased-values.ts'
import { select, withTransaction, type Context } from '../context.ts'
import type { CustomFieldRow } from '../custom-fields/record.ts'
import type { Transaction } from '../db/schema.ts'
import { emitProgress } from '../events/emit.ts'
import type { Queue } from '../jobs/jobs.ts'
import type { Storage } from '../storage/storage.ts'
import type { OrganizationWork } from '../work.ts'
import { addressGroups } from './address-columns.ts'
import { applyRows, type ImportRow, type Outcome } from './apply.ts'
import { companyResolver, type CompanyResolver } from './companies.ts'
import { labelColumns } from './label-columns.ts'
import { keysOfRow } from './match-key.ts'
import { meantContacts, type FormerKey, type MeantContacts } from './meant-contacts.ts'
import { isFault, parseRow, storableCell, type RowFault, type RowOptions } from './parse-row.ts'
import { planImport, requireKnownColumn, type ImportPlan } from './plan.ts'
import { ImportFileError, missingFile, readRows, type ImportedFile } from './read-rows.ts'
import { toImport, type ImportRecord } from './record.ts'
import { repeatedRows, type RepeatedRows } from './repeated-rows.ts'
import { afterEnd } from './retention.ts'
import { samePeople } from './same-person.ts'

interface ImportJob {
  importId: string
}

type ImportContext = ErasedValuesContext & { readonly storage: Storage }

const importContactsQueue: Queue = {
  name: 'import-contacts',
  retryLimit: 20,
  retryDelaySeconds: 1,
  leaseSeconds: 15,
  timeLimitSeconds: 6 * 3600,
}

/** Rows per transaction: what a killed worker repeats. Other events of the organization wait while one writes its events. */
const batchSize = 500

/** Imports a file. Each transaction contains a batch of rows and their number, so a job that was interrupted continues exactly. */
export const importContactsWork: OrganizationWork<ImportJob, ImportContext> = {
  name: importContactsQueue.name,
  queue: importContactsQueue,
  async run(ctx, { importId }, signal) {
    try {
      const started = await begin(ctx, importId)
      if (started !== undefined) await importRows(ctx, started, signal)
    } catch (error) {
      if (!(error instanceof ImportFileError)) throw error
      await fail(ctx, importId, error.code, error.message)
    }
  },
  abandoned: (ctx, { importId }) => fail(ctx, importId, 'internal', 'The import failed repeatedly. The log of the program says why.'),
}

interface Started {
  readonly row: ImportRecord
  readonly plan: ImportPlan
  readonly file: ImportedFile
  readonly customFields: readonly CustomFieldRow[]
}

/** Reads the file the first time. Returns undefined if the import has ended. */
async function begin(ctx: ImportContext, id: string): Promise<Started | undefined> {
  const loaded = await withTransaction(ctx, async (trx) => {
    // A dry run remembers nothing, so it begins again.
    const restart = sql<number>`case when (settings ->> 'dryRun')::boolean then 0 else done_rows end`
    const row = await trx
      .updateTable('contact_import')
      .set({ status: 'running', done_rows: restart })
      .where('id', '=', id)
      .where('status', 'in', ['queued', 'running'])
      .returningAll()
      .executeTakeFirst()
    const upload = row && (await trx.selectFrom('upload').select('storage_key').where('id', '=', row.upload_id).executeTakeFirst())
    return { row, customFields: await usableFields(trx), key: upload?.storage_key }
  })
  const { row, customFields, key } = loaded
  if (row === undefined) return undefined
  if (key === undefined) throw missingFile()
  const file = { storage: ctx.storage, key }
  if (row.settings.dryRun) await resetCounts(ctx, id)
  if (row.plan !== null) {
    requireKnownColumn(row.plan)
    return { row, plan: row.plan, file, customFields }
  }
  const { plan, totalRows } = await planImport(file, row.settings, customFields)
  await withTransaction(ctx, (trx) =>
    trx
      .updateTable('contact_import')
      .set({ plan: JSON.stringify(plan), total_rows: totalRows })
      .where('id', '=', id)
      .execute(),
  )
  requireKnownColumn(plan)
  return { row, plan, file, customFields }
}

/** Begins the counts of a dry run again. */
async function resetCounts(ctx: Context, id: string): Promise<void> {
  await withTransaction(ctx, async (trx) => {
    const none = {
      created_count: 0,
      updated_count: 0,
      unchanged_count: 0,
      failed_count: 0,
      companies_created: 0,
      consents_recorded: 0,
      denials_kept: 0,
    }
    await trx.updateTable('contact_import').set(none).where('id', '=', id).execute()
    await trx.deleteFrom('contact_import_error').where('import_id', '=', id).execute()
  })
}

const usableFields = (trx: Transaction): Promise<CustomFieldRow[]> =>
  trx.selectFrom('custom_field').selectAll().where('entity', '=', 'contact').where('archived_at', 'is', null).execute()

interface Failed extends RowFault {
  readonly number: number
  readonly cells: readonly string[]
}

interface Batch {
  readonly rows: ImportRow[]
  readonly cells: Map<number, readonly string[]>
  readonly failed: Failed[]
  /** Rows of the file, with blank ones. */
  size: number
}

const newBatch = (): Batch => ({ rows: [], cells: new Map(), failed: [], size: 0 })

function addRow(batch: Batch, row: ImportRow | Failed, cells: readonly string[]): void {
  if ('message' in row) batch.failed.push(row)
  else {
    batch.rows.push(row)
    batch.cells.set(row.number, cells)
  }
}

async function importRows(ctx: ImportContext, { row, plan, file, customFields }: Started, signal: AbortSignal | undefined): Promise<void> {
  const run: Run = {
    id: row.id,
    settings: row.settings,
    customFields,
    companies: companyResolver(row.settings.dryRun),
    meant: meantContacts(await storedFormerKeys(ctx, row.id)),
    repeated: repeatedRows(row.settings.matchOn),
  }
  const read = rowReader(plan, row, customFields)
  const imported = row.settings.dryRun ? 0 : row.done_rows
  let rows = 0
  let batch = newBatch()
  let isFirst = plan.header
  for await (const group of readRows(file, plan)) {
    signal?.throwIfAborted()
    for (const { number, cells } of group) {
      if (isFirst) {
        isFirst = false
        continue
      }
      rows += 1
      batch.size += 1
      if (!isBlank(cells)) addRow(batch, read(number, cells), cells)
      if (batch.size < batchSize && rows !== imported) continue
      if (rows <= imported) await rememberRows(ctx, run, batch)
      else if (!(await importBatch(ctx, run, batch, rows - batch.size))) return
      batch = newBatch()
      signal?.throwIfAborted()
    }
  }
  if (batch.size > 0 && !(await importBatch(ctx, run, batch, rows - batch.size))) return
  await end(ctx, row.id)
}

/** Returns whether a row has no values: spreadsheets write rows of delimiters alone. */
const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '')

/** Returns a function that reads a row. */
function rowReader(plan: ImportPlan, { settings }: ImportRecord, customFields: readonly CustomFieldRow[]) {
  const options: RowOptions = {
    fields: plan.mapping.map(({ field }) => field),
    labelColumns: labelColumns(plan.mapping),
    addressGroups: addressGroups(plan.mapping),
    customFields: new Map(customFields.map((field) => [`fld_${field.id}`, field])),
    clearsBlanks: settings.blanks === 'clear',
    country: settings.country,
  }
  const header = plan.header ? plan.mapping.map(({ column }) => column).join('\u0000') : undefined
  return (number: number, cells: readonly string[]): ImportRow | Failed => {
    const failed = (fault: RowFault): Failed => ({ number, cells, ...fault })
    if (cells.map((cell) => cell.trim()).join('\u0000') === header) return failed({ field: null, message: 'the row repeats the header' })
    const width = cells.findLastIndex((cell) => cell.trim() !== '') + 1
    if (width > plan.mapping.length) return failed({ field: null, message: tooWide(width, plan) })
    const damaged =
      plan.isDamaged === true ? plan.mapping.find(({ field }, at) => field !== null && cells[at]?.includes('\ufffd')) : undefined
    if (damaged !== undefined) return failed({ field: damaged.field, message: `has bytes that are invalid in ${plan.encoding}` })
    const values = parseRow(cells, options)
    if (isFault(values)) return failed(values)
    const keys = keysOfRow(values, settings.matchOn)
    if (keys.length > 0) return { number, values, keys }
    const message =
      settings.matchOn === undefined ? 'has no email address, phone number, externalId or full name' : `has no ${settings.matchOn}`
    return failed({ field: settings.matchOn ?? null, message })
  }
}

/** In such a row, values can be in the columns of others. */
function tooWide(width: number, { kind, header, mapping }: ImportPlan): string {
  const advice = kind === 'csv' ? ' Put a cell that contains the delimiter in quotation marks.' : ''
  return `has ${width} cells, but the ${header ? 'header' : 'first row'} has ${mapping.length}.${advice}`
}

interface Run {
  readonly id: string
  readonly settings: ImportRecord['settings']
  readonly customFields: readonly CustomFieldRow[]
  readonly companies: CompanyResolver
  readonly meant: MeantContacts
  readonly repeated: RepeatedRows
}

/** Remembers the rows that an interrupted job has imported. */
const rememberRows = (ctx: ImportContext, { repeated, settings }: Run, { rows }: Batch): Promise<unknown> =>
  withTransaction(ctx, (trx) => repeated.separate(rows, samePeople(trx, settings.matchOn)))

/** Imports a batch in one transaction. Returns false if the import was cancelled, or another worker has taken it over. */
function importBatch(ctx: ImportContext, run: Run, { rows, cells, failed, size }: Batch, done: number): Promise<boolean> {
  return withTransaction(ctx, async (trx) => {
    const row = await trx
      .selectFrom('contact_import')
      .select(['status', 'done_rows'])
      .where('id', '=', run.id)
      .forUpdate()
      .executeTakeFirst()
    if (row?.status !== 'running' || row.done_rows !== done) return false
    await requireSameFields(trx, run.customFields)
    // A rolled back transaction ends the job, so the run can remember rows and contacts before.
    const isSame = samePeople(trx, run.settings.matchOn)
    const { first, repeated } = await run.repeated.separate(rows, isSame)
    const { faults, created, updated, unchanged, consents, denialsKept, formerKeys } = await applyRows(ctx, trx, first, isSame, run)
    if (!run.settings.dryRun) await storeFormerKeys(ctx, trx, run.id, formerKeys)
    const all = [...failed, ...[...repeated, ...faults].map((fault) => ({ ...fault, cells: cells.get(fault.number) ?? [] }))]
    await storeErrors(ctx, trx, run.id, all)
    await trx
      .updateTable('contact_import')
      .set({
        done_rows: done + size,
        created_count: sql<number>`created_count + ${created}`,
        updated_count: sql<number>`updated_count + ${updated}`,
        unchanged_count: sql<number>`unchanged_count + ${unchanged}`,
        failed_count: sql<number>`failed_count + ${all.length}`,
        companies_created: sql<number>`companies_created + ${run.companies.takeCreated()}`,
        consents_recorded: sql<number>`consents_recorded + ${consents}`,
        denials_kept: sql<number>`denials_kept + ${denialsKept}`,
      })
      .where('id', '=', run.id)
      .execute()
    return true
  })
}

/** Keeps the custom fields from changing until the transaction ends. The next attempt of the job reads changed ones. */
async function requireSameFields(trx: Transaction, customFields: readonly CustomFieldRow[]): Promise<void> {
  if (customFields.length === 0) return
  const ids = customFields.map(({ id }) => id)
  const rows = await trx.selectFrom('custom_field').select(['id', 'updated_at']).where('id', 'in', ids).orderBy('id').forShare().execute()
  const changed = new Map(rows.map(({ id, updated_at }) => [id, updated_at.getTime()]))
  if (customFields.some(({ id, updated_at }) => changed.get(id) !== updated_at.getTime()))
    throw new Error('A custom field was changed during an import.')
}

async function storeErrors(ctx: Context, trx: Transaction, importId: string, failed: readonly Failed[]): Promise<void> {
  if (failed.length === 0) return
  const rows = failed.map(({ number, cells, field, message }) => ({
    row_number: number,
    cells: cells.map(storableCell),
    field,
    message,
  }))
  await sql`
    insert into contact_import_error (organization_id, import_id, row_number, cells, field, message)
    select ${ctx.organizationId}, ${importId}, row_number, cells, field, message
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (row_number integer, cells text[], field text, message text)`.execute(
    trx,
  )
}

async function storeFormerKeys(ctx: Context, trx: Transaction, importId: string, keys: Outcome['formerKeys']): Promise<void> {
  if (keys.length === 0) return
  await sql`
    insert into contact_import_former_key (organization_id, import_id, contact_id, key)
    select ${ctx.organizationId}, ${importId}, contact_id, key
    from unnest(${keys.map(({ contactId }) => contactId)}::uuid[], ${keys.map(({ key }) => key)}::text[]) as given (contact_id, key)
    on conflict do nothing`.execute(trx)
}

/** Returns the keys that an interrupted job has stored, with what identifies their contacts now. */
async function storedFormerKeys(ctx: Context, importId: string): Promise<FormerKey[]> {
  const rows = await select(ctx, (db) =>
    db
      .selectFrom('contact_import_former_key')
      .leftJoin('contact', 'contact.id', 'contact_id')
      .select(['key', 'external_id', 'first_name', 'last_name'])
      .where('import_id', '=', importId),
  )
  return rows.map(({ key, external_id, first_name, last_name }) => ({
    key,
    identity: { externalId: external_id, firstName: first_name, lastName: last_name },
  }))
}

const end = (ctx: Context, id: string): Promise<void> => setEnd(ctx, id, { status: 'completed' })

const fail = (ctx: Context, id: string, error_code: ImportRecord['error_code'], error: string): Promise<void> =>
  setEnd(ctx, id, { status: 'failed', error_code, error })

async function setEnd(ctx: Context, id: string, values: Partial<Pick<ImportRecord, 'status' | 'error_code' | 'error'>>): Promise<void> {
  await withTransaction(ctx, async (trx) => {
    const row = await trx
      .updateTable('contact_import')
      .set({ ...values, ended_at: ctx.now() })
      .where('id', '=', id)
      .where('status', 'in', ['queued', 'running'])
      .returningAll()
      .executeTakeFirst()
    if (row === undefined) return
    await afterEnd(ctx, trx, id)
    if (row.settings.dryRun) return
    await emitProgress(ctx, trx, row.status === 'completed' ? 'import.completed' : 'import.failed', withoutNames(toImport(row)))
  })
}

/** Events outlive the erasure of a person, whom the name of a file, a header or an error can name. */
const withoutNames = (record: ContactImport): ContactImport => ({ ...record, fileName: '', mapping: [], error: null })
