import type { ContactImport, CustomField } from '@groundwork/api'
import type { importMessages } from './messages.ts'

type Words = (typeof importMessages)['en']
type Field = keyof Words['fields']

const groups: Record<'contact' | 'address' | 'company' | 'consent', readonly Field[]> = {
  contact: [
    'firstName',
    'lastName',
    'fullName',
    'email',
    'emailLabel',
    'phone',
    'phoneLabel',
    'jobTitle',
    'tags',
    'source',
    'language',
    'timeZone',
    'doNotContact',
    'externalId',
  ],
  address: ['street', 'postalCode', 'city', 'region', 'country'],
  company: ['companyName', 'companyDomain'],
  consent: ['consent.email', 'optOut.email', 'consent.phone', 'optOut.phone', 'consent.sms', 'optOut.sms', 'consent.post', 'optOut.post'],
}

/** Returns the fields as options of a NativeSelect. */
export const fieldOptions = (words: Words, customFields: readonly CustomField[]) => [
  { value: '', label: words.ignored },
  ...Object.entries(groups).map(([group, fields]) => ({
    group: words.groups[group as keyof typeof groups],
    items: fields.map((field) => ({ value: field, label: words.fields[field] })),
  })),
  ...(customFields.length === 0
    ? []
    : [{ group: words.groups.customFields, items: customFields.map(({ id, name }) => ({ value: id, label: name })) }]),
]

/** Returns the columns with names, each name once. The first column counts: the columns of errors in a file of failed rows follow later. */
export const namedColumns = (mapping: ContactImport['mapping']): ContactImport['mapping'] => {
  const byName = new Map(mapping.toReversed().map((each) => [each.column, each]))
  return mapping.filter((each) => each.column !== '' && byName.get(each.column) === each)
}

/** Returns the columns that share the name of one, and so its field. */
export const sameColumns = (mapping: ContactImport['mapping'], { column, field }: MappedColumn): ContactImport['mapping'] =>
  mapping.filter((each) => each.column === column && each.field === field)

type MappedColumn = ContactImport['mapping'][number]

/** Returns the label of a field in the list of failed rows, where custom fields have the prefix `customFields.`. */
export function labelOf(field: string, words: Words, customFields: readonly CustomField[]): string {
  const custom = customFields.find(({ id }) => field === id || field === `customFields.${id}`)
  return custom?.name ?? (words.fields as Readonly<Record<string, string>>)[field] ?? ''
}
