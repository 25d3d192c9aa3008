import { wireId, type ContactView } from '@groundwork/api'
import type { Selectable } from 'kysely'
import type { ContactViewTable } from '../db/schema.ts'

export type ContactViewRow = Selectable<ContactViewTable>

export const toView = (row: ContactViewRow): ContactView => ({
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
})
