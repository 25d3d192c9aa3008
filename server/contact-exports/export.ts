import { exportMediaTypes, wireId, type ExportContacts } from '@groundwork/api'
import { csvRow, withoutPrefix } from '@groundwork/sdk/csv'
import { audit } from '../audit/audit.ts'
import { withFieldIds } from '../contacts/filter-fields.ts'
import { contactCondition } from '../contacts/filter.ts'
import { toContact, type ContactRow } from '../contacts/record.ts'
import { contactsOfText } from '../contacts/search.ts'
import { outsideRequestTransaction, select, withTransaction, type Context } from '../context.ts'
import { newestFirst } from '../db/newest-first.ts'
import type { Download } from '../handlers.ts'
import { pageOf } from '../lib/cursor.ts'
import { columnsOf, type Column, type ExportedContact } from './columns.ts'
import { xlsxFile } from './xlsx-writer.ts'

/** Contacts that one statement reads. */
const pageSize = 500

/**
 * Returns a file with all contacts that match the text and meet the filter. Reads them page by page, as fast as the file is taken, so
 * its memory does not grow with their number. Contacts that are created meanwhile do not shift the rows.
 * @throws AppError `validation_error` for an unknown key of the filter
 */
export async function exportContacts(given: Context, { format, q, filter, bom }: ExportContacts): Promise<Download> {
  const ctx = outsideRequestTransaction(given)
  const wanted = { q, filter: filter === undefined ? undefined : await withFieldIds(ctx, filter) }
  const first = await pageAfter(ctx, wanted, undefined)
  const fields = await select(ctx, (db) =>
    db.selectFrom('custom_field').selectAll().where('entity', '=', 'contact').where('archived_at', 'is', null).orderBy('name'),
  )
  await withTransaction(ctx, (trx) => audit(ctx, trx, { action: 'contacts.exported', target: wireId('org', ctx.organizationId) }))
  const pages = pagesFrom(ctx, wanted, first)
  const file = { name: `contacts.${format}`, mediaType: exportMediaTypes[format] }
  if (format === 'jsonl') return { ...file, bytes: jsonLines(pages) }
  const columns = columnsOf(fields)
  if (format === 'xlsx') return { ...file, bytes: xlsxFile(rowsOf(columns.map(unstripped), pages)) }
  return { ...file, mediaType: `${file.mediaType}; charset=utf-8`, bytes: csvFile(rowsOf(columns, pages), bom) }
}

type Wanted = Pick<ExportContacts, 'q' | 'filter'>
interface Page {
  readonly rows: readonly ContactRow[]
  readonly nextCursor: string | null
}

async function pageAfter(ctx: Context, { q, filter }: Wanted, cursor: string | undefined): Promise<Page> {
  if (q !== undefined) return contactsOfText(ctx, { q, filter, limit: pageSize, cursor })
  const found = await select(ctx, (db) => {
    const contacts = db.selectFrom('contact').selectAll('contact').where('contact.deleted_at', 'is', null)
    return newestFirst(filter === undefined ? contacts : contacts.where(contactCondition(filter)), 'contact', { limit: pageSize, cursor })
  })
  return pageOf(found, pageSize)
}

async function* pagesFrom(ctx: Context, wanted: Wanted, first: Page): AsyncGenerator<ExportedContact[]> {
  for (let page = first; ;) {
    yield await withCompanies(ctx, page.rows)
    if (page.nextCursor === null) return
    page = await pageAfter(ctx, wanted, page.nextCursor)
  }
}

async function withCompanies(ctx: Context, rows: readonly ContactRow[]): Promise<ExportedContact[]> {
  const ids = [...new Set(rows.flatMap(({ company_id }) => company_id ?? []))]
  const companies =
    ids.length === 0
      ? []
      : await select(ctx, (db) =>
          db.selectFrom('company').select(['id', 'name', 'domains']).where('id', 'in', ids).where('deleted_at', 'is', null),
        )
  const byId = new Map(companies.map((company) => [company.id, company]))
  return rows.map((row) => {
    const company = row.company_id === null ? undefined : byId.get(row.company_id)
    return { ...toContact(row), companyName: company?.name ?? null, companyDomain: company?.domains[0] ?? null }
  })
}

async function* jsonLines(pages: AsyncIterable<ExportedContact[]>): AsyncGenerator<string> {
  for await (const page of pages) if (page.length > 0) yield page.map((contact) => `${JSON.stringify(contact)}\n`).join('')
}

/** An import removes an apostrophe before a formula, so a text that has one itself gets another. `csvRow` does the same. */
const unstripped = ({ name, value }: Column): Column => ({
  name,
  value(contact) {
    const cell = value(contact)
    return typeof cell === 'string' && withoutPrefix(cell) !== cell ? `'${cell}` : cell
  },
})

/** Yields rows in groups, the names of the columns first. */
async function* rowsOf(columns: readonly Column[], pages: AsyncIterable<ExportedContact[]>): AsyncGenerator<(string | number | null)[][]> {
  yield [columns.map(({ name }) => name)]
  for await (const page of pages) yield page.map((contact) => columns.map(({ value }) => value(contact)))
}

async function* csvFile(rows: AsyncIterable<(string | number | null)[][]>, bom: boolean): AsyncGenerator<string> {
  if (bom) yield '\ufeff'
  for await (const group of rows) if (group.length > 0) yield group.map((row) => csvRow(row)).join('')
}
