import type { ContactImport } from '@groundwork/api'
import { words } from './guess.ts'

/**
 * Returns for each column of addresses or numbers the column of its label. Columns belong together if their headers differ in their last
 * word alone, such as `E-mail 1 - Label` and `E-mail 1 - Value`, or `E-mail Type` and `E-mail Address`; without such headers, by their
 * order.
 */
export function labelColumns(mapping: ContactImport['mapping']): ReadonlyMap<number, number> {
  const columnsOf = (field: string) => mapping.flatMap((column, index) => (column.field === field ? [{ index, stem: stemOf(column) }] : []))
  return new Map(
    ['email', 'phone'].flatMap((field) => {
      const [values, labels] = [columnsOf(field), columnsOf(`${field}Label`)]
      const named = values.flatMap((value): [number, number][] => {
        const label = labels.find(({ stem }) => stem === value.stem)
        return label === undefined ? [] : [[value.index, label.index]]
      })
      if (named.length > 0) return named
      return values.flatMap((value, at): [number, number][] => {
        const label = labels[at]
        return label === undefined ? [] : [[value.index, label.index]]
      })
    }),
  )
}

const stemOf = ({ column }: ContactImport['mapping'][number]): string => words(column).replace(/ (?:value|address|number|label|type)$/, '')
