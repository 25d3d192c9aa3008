import type { CustomField } from '@groundwork/api'

const types = ['text', 'number', 'date', 'boolean', 'select', 'multiselect'] as const

export const typeOf = (value: string): CustomField['type'] => types.find((type) => type === value) ?? 'text'
export const hasOptions = (type: string): boolean => type === 'select' || type === 'multiselect'
