import { wireId, type Company } from '@groundwork/api'
import type { Selectable } from 'kysely'
import type { CompanyTable } from '../db/schema.ts'

export type CompanyRow = Selectable<CompanyTable>

export function toCompany(row: CompanyRow): Company {
  return {
    id: wireId('co', row.id),
    externalId: row.external_id,
    name: row.name,
    domains: row.domains,
    phone: row.phone,
    address: row.address,
    vatId: row.vat_id,
    tags: row.tags,
    customFields: row.custom_fields,
    mergedIds: row.merged_ids.map((id) => wireId('co', id)),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
