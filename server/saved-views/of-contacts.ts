import type { ContactView, CreateContactView, GroundworkApi, UpdateContactView } from '@groundwork/api'
import type { Selectable } from 'kysely'
import { withFieldIds } from '../contacts/filter-fields.ts'
import { contactCondition } from '../contacts/filter.ts'
import type { ContactViewTable, Transaction } from '../db/schema.ts'
import type { Handlers } from '../handlers.ts'
import { AppError } from '../lib/errors.ts'
import { savedViews } from './views.ts'

export const contactViewHandlers: Handlers<GroundworkApi>['contactViews'] = savedViews<
  Selectable<ContactViewTable>,
  ContactView,
  CreateContactView,
  UpdateContactView
>({
  table: 'contact_view',
  columnsOf: ({ columns }) => (columns === undefined ? {} : { columns }),
  async readFilter(ctx, given) {
    const filter = await withFieldIds(ctx, given)
    contactCondition(filter)
    return filter
  },
  checkRecords: (trx, { columns = [] }) => requireColumns(trx, columns),
  ownFields: ({ filter, q, sort, columns }) => ({ filter, sort: q === null ? sort : null, columns }),
})

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
