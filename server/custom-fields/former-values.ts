import { sql } from 'kysely'
import type { Transaction } from '../db/schema.ts'
import { AppError } from '../lib/errors.ts'
import { convertValue } from './convert-value.ts'
import type { CustomFieldRow } from './record.ts'
import { typeFault } from './values.ts'

type Values = Readonly<Record<string, unknown>>

const prefix = 'customFields.'

/** Converts values of a history, by names such as `customFields.fld_…`, to the present types of their fields. */
export interface FormerValues {
  /** Returns the values in the present types. Values that cannot be converted stay as they are. */
  converted<V extends Values>(values: V): V
  /** @throws AppError `validation_error`, field `customFields.<id>`, for a value that does not fit the type of the field any more */
  requireFitting(values: Values): void
}

/** Reads the custom fields of contacts that the values name. */
export async function formerCustomValues(trx: Transaction, values: readonly Values[]): Promise<FormerValues> {
  const names = new Set(values.flatMap((each) => Object.keys(each).filter((name) => name.startsWith(prefix))))
  const ids = [...names].map((name) => name.slice(-36))
  const rows =
    ids.length === 0
      ? []
      : await trx
          .selectFrom('custom_field')
          .selectAll()
          .where('entity', '=', 'contact')
          .where(sql<boolean>`id = any (${ids}::uuid[])`)
          .execute()
  const fields = new Map<string, CustomFieldRow>(rows.map((row) => [`${prefix}fld_${row.id}`, row]))
  return {
    converted<V extends Values>(of: V): V {
      const entries = Object.entries(of).map(([name, value]): [string, unknown] => [name, convertedValue(fields.get(name), value)])
      // Safe cast: the same names, with values of the history.
      return Object.fromEntries(entries) as V
    },
    requireFitting(of) {
      for (const [name, value] of Object.entries(of)) {
        const field = fields.get(name)
        const fault = field === undefined || value === null ? undefined : typeFault(field, value)
        if (fault === undefined) continue
        const message = `${name}: the former value ${JSON.stringify(value)} does not fit the custom field any more: it ${fault}`
        throw new AppError('validation_error', message, { field: name })
      }
    },
  }
}

/** Since the type that a value had is not stored, it is converted from its text. */
function convertedValue(field: CustomFieldRow | undefined, value: unknown): unknown {
  if (field === undefined || value === null || value === undefined || typeFault(field, value) === undefined) return value
  return convertValue(value, { type: 'text', options: null }, field) ?? value
}
