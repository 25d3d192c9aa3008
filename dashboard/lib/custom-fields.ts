import type { CustomField } from '@groundwork/api'
import { queryOptions } from '@tanstack/react-query'
import { formatDecimal, parseDecimal } from './decimals.ts'
import { dayOf, isDay } from './formats.ts'
import type { Workspace } from './workspace.ts'

export const customFieldsKey = ['custom-fields'] as const
/** Dry runs of a change of type, which depend on the values of records. */
export const conversionsKey = ['custom-fields', 'conversions'] as const

/** The custom fields of contacts or companies that are in use, by name. */
export const customFieldsQuery = ({ client, organization }: Workspace, entity: CustomField['entity']) =>
  queryOptions({
    queryKey: [organization.id, ...customFieldsKey, entity],
    queryFn: async ({ signal }) => {
      const fields: CustomField[] = []
      for await (const field of client.customFields.list({ entity, limit: 100 }, { signal })) fields.push(field)
      return fields.toSorted((a, b) => a.name.localeCompare(b.name))
    },
  })

/** Returns the text of a custom field's value: the labels of options, and days and numbers as they are written here. */
export function customText(value: unknown, field: CustomField | undefined, words: { yes: string; no: string }): string {
  if (typeof value === 'boolean') return value ? words.yes : words.no
  if (Array.isArray(value)) return value.map((each) => customText(each, field, words)).join(', ')
  if (typeof value === 'number') return value.toLocaleString(undefined, { maximumFractionDigits: 20 })
  if (field?.type === 'date' && typeof value === 'string' && isDay(value)) return dayOf(value)
  return field?.options?.find((option) => option.value === value)?.label ?? (typeof value === 'string' ? value : JSON.stringify(value))
}

/** Returns a number with all its digits in the format of the locale, as `parseNumber` reads it. */
export function formatNumber(value: number, locale?: string): string {
  const digits = Math.abs(value).toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20 })
  return (value < 0 ? '-' : '') + formatDecimal(digits, locale)
}

/** Returns the number of a typed text in the format of the locale, such as -3.5 for `-3,5`, or undefined if it is no number. */
export function parseNumber(typed: string, locale?: string): number | undefined {
  const [, sign = '', digits = ''] = /^\s*([-−+]?)(.*)$/s.exec(typed) ?? []
  const decimal = parseDecimal(digits, locale)
  const number = Number(decimal)
  if (decimal === undefined || !Number.isFinite(number)) return undefined
  return sign === '' || sign === '+' || number === 0 ? number : -number
}
