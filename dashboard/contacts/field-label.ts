import type { contactMessages } from './messages.ts'

/** Returns the label of a field, by its name in the history of a contact. */
export function fieldLabel(field: string, labels: (typeof contactMessages)['en']['fields']): string {
  return (labels as Readonly<Record<string, string>>)[field] ?? labels.customField
}
