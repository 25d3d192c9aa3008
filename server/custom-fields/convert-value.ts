import type { FieldType } from './values.ts'
import { isDate } from './values.ts'

/** Returns a value of one type as a value of another; undefined if that would lose it. */
export function convertValue(value: unknown, from: FieldType, to: FieldType): unknown {
  const parts = (Array.isArray(value) ? value : [value]).map((each) => asText(each, from))
  if (to.type === 'multiselect') return optionsOf(to, parts)
  const [only = '', ...others] = parts
  if (to.type === 'text') return parts.join('; ')
  return others.length > 0 ? undefined : parseText(only, to)
}

/** Returns the text of a single value. An option is shown by its label. */
function asText(value: unknown, { options }: FieldType): string {
  return options?.find((option) => option.value === value)?.label ?? String(value)
}

/** Returns the value that a text stands for; undefined if the type has none. */
export function parseText(text: string, to: FieldType): unknown {
  const trimmed = text.trim()
  switch (to.type) {
    case 'text':
      return trimmed
    case 'number':
      return /^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(trimmed) && Math.abs(Number(trimmed)) <= Number.MAX_SAFE_INTEGER
        ? Number(trimmed)
        : undefined
    case 'date':
      return isDate(trimmed) ? trimmed : undefined
    case 'boolean':
      return booleans.get(trimmed.toLowerCase())
    case 'select':
      return optionOf(to, trimmed)
    case 'multiselect':
      return optionsOf(to, trimmed.split(/\s*;\s*/))
    default:
      throw new Error(`a custom field has the type ${String(to.type satisfies never)}`)
  }
}

/** Returns the values of the options with these values or labels; undefined if one is missing. */
function optionsOf(to: FieldType, texts: readonly string[]): string[] | undefined {
  const values = texts.flatMap((text) => optionOf(to, text) ?? [])
  return values.length < texts.length ? undefined : [...new Set(values)]
}

const booleans = new Map([
  ['true', true],
  ['yes', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['0', false],
])

/** Returns the value of the option with this value or label, in any case; undefined without one. */
function optionOf({ options }: FieldType, text: string): string | undefined {
  const exact = options?.find(({ value, label }) => value === text || label === text)
  const lower = text.toLowerCase()
  return (exact ?? options?.find(({ value, label }) => value.toLowerCase() === lower || label.toLowerCase() === lower))?.value
}
