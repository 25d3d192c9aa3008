import { wireId, type ContactView, type CreateContactView, type GroundworkApi, type UpdateContactView } from '@groundwork/api'
import type { Selectable } from 'kysely'
import { contactCondition } from '../contacts/filter.ts'
import type { ContactViewTable, Transaction } from '../db/schema.ts'
import type { Handlers } from '../handlers.ts'
import { AppError } from '../lib/errors.ts'
import { savedViews } from './views.ts'

const views = savedViews<Selectable<ContactViewTable>, ContactView, CreateContactView, UpdateContactView>({
  table: 'contact_view',
  prefix: 'view',
  of: 'contacts',
  columnsOf: ({ columns }) => (columns === undefined ? {} : { columns }),
  checkFilter: (filter) => void contactCondition(filter),
  checkRecords: (trx, { columns = [] }) => requireColumns(trx, columns),
  toView: (row) => ({
    id: wireId('view', row.id),
    name: row.name,
    filter: row.filter,
    q: row.q,
    sort: row.sort,
    columns: row.columns,
    shared: row.shared,
    ownerId: row.owner_id === null ? null : wireId('usr', row.owner_id),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }),
})

export const contactViewHandlers: Handlers<GroundworkApi>['contactViews'] = {
  list: (ctx, { query }) => views.list(ctx, query),
  create: (ctx, { body }) => views.create(ctx, body),
  get: (ctx, { params }) => views.get(ctx, params.id),
  update: (ctx, { params, body }) => views.update(ctx, params.id, body),
  delete: (ctx, { params }) => views.delete(ctx, params.id),
}

/** @throws AppError `validation_error`, field `columns.<index>`, for a custom field that contacts do not have */
async function requireColumns(trx: Transaction, columns: readonly string[]): Promise<void> {
  const ids = columns.flatMap((name) => (name.startsWith('customFields.') ? [name.slice(-36)] : []))
  if (ids.length === 0) return
  const found = await trx.selectFrom('custom_field').select('id').where('entity', '=', 'contact').where('id', 'in', ids).execute()
  const known = new Set(found.map(({ id }) => id))
  const missing = columns.findIndex((name) => name.startsWith('customFields.') && !known.has(name.slice(-36)))
  if (missing === -1) return
  const field = `columns.${missing}`
  throw new AppError('validation_error', `${field}: contacts have no custom field ${columns[missing]?.slice(-40)}`, { field })
}
