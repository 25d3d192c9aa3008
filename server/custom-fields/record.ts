import { wireId, type CustomField } from '@groundwork/api'
import type { Selectable } from 'kysely'
import type { CustomFieldTable } from '../db/schema.ts'

export type CustomFieldRow = Selectable<CustomFieldTable>

export function toCustomField(row: CustomFieldRow): CustomField {
  return {
    id: wireId('fld', row.id),
    entity: row.entity,
    name: row.name,
    type: row.type,
    options: row.options === null ? null : [...row.options],
    archivedAt: row.archived_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
