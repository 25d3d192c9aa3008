import type { ContactImport, CreateContactImport, ImportEncoding } from '@groundwork/api'
import type { importMessages } from './messages.ts'

type Words = (typeof importMessages)['en']
type Delimiter = keyof Words['delimiters']

/** How a CSV file is read; empty texts for XLSX. */
export interface FileFormat {
  encoding: string
  delimiter: string
}

export const formatOf = ({ encoding, delimiter }: Pick<ContactImport, 'encoding' | 'delimiter'>): FileFormat => ({
  encoding: encoding ?? '',
  delimiter: delimiter ?? '',
})

/** Returns the format as an import takes it. It recognizes a delimiter that only the file itself can name. */
export function sentFormat({ encoding, delimiter }: FileFormat, words: Words): Pick<CreateContactImport, 'encoding' | 'delimiter'> {
  return {
    ...(isIn(encoding, words.encodings) && { encoding }),
    ...(isIn(delimiter, words.delimiters) && { delimiter }),
  }
}

const isIn = <T extends ImportEncoding | Delimiter>(value: string, labels: Readonly<Record<T, string>>): value is T =>
  Object.hasOwn(labels, value)

/** Returns options of a NativeSelect, with the present value first if it is none of them. */
export function formatOptions(labels: Readonly<Record<string, string>>, present: string): { value: string; label: string }[] {
  const options = Object.entries(labels).map(([value, label]) => ({ value, label }))
  return Object.hasOwn(labels, present) ? options : [{ value: present, label: present }, ...options]
}

export const labelIn = (labels: Readonly<Record<string, string>>, value: string): string => labels[value] ?? value
