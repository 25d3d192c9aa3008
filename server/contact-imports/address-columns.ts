import type { ContactImport } from '@groundwork/api'
import { groupBy } from '../lib/group-by.ts'
import { addressGroupOf, isAddressField } from './guess.ts'

/**
 * Returns the columns with parts of an address in groups, by the beginning of their headers: an address comes from one group. Columns
 * without such a beginning belong to the only other group if no part is in both, as in `Home Address`, `City` and `Country`.
 */
export function addressGroups(mapping: ContactImport['mapping']): readonly (readonly number[])[] {
  const columns = mapping.flatMap(({ column, field }, index) =>
    isAddressField(field) ? [{ index, field, group: addressGroupOf(column) }] : [],
  )
  const named = columns.filter(({ group }) => group !== undefined)
  const rest = columns.filter(({ group }) => group === undefined)
  const isCommon = named.some(({ field }) => rest.some((other) => other.field === field))
  if (new Set(named.map(({ group }) => group)).size === 1 && !isCommon) return [columns.map(({ index }) => index)]
  return [...groupBy(columns, ({ group }) => group).values()].map((group) => group.map(({ index }) => index))
}
