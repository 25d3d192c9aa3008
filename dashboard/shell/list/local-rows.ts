import type { Column } from '../data-table.tsx'

/** The search text and the order of a list. `-` before the key of a column means descending. */
export interface LocalFilter {
  q?: string | undefined
  sort?: string | undefined
}

/** What the browser knows of rows that it searches and sorts itself, in a list without such parameters in the API. */
export interface LocalRows<T> {
  /** Returns the text in which the words of a search are found. */
  textOf: (row: T) => string
  /** Returns the value by which a column is sorted; null sorts last. */
  orders: Readonly<Record<string, (row: T) => string | number | null>>
}

/** Returns the rows with all words of the search, in any case and without accents, in the order. */
export function localRows<T>(rows: readonly T[], { q = '', sort }: LocalFilter, { textOf, orders }: LocalRows<T>): readonly T[] {
  const words = plain(q).split(/\s+/)
  const found = q === '' ? rows : rows.filter((row) => words.every((word) => plain(textOf(row)).includes(word)))
  const valueOf = sort === undefined ? undefined : orders[sort.replace(/^-/, '')]
  if (valueOf === undefined) return found
  const direction = sort?.startsWith('-') === true ? -1 : 1
  return found.toSorted((a, b) => compare(valueOf(a), valueOf(b), direction))
}

const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

function compare(a: string | number | null, b: string | number | null, direction: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return direction * (typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b)))
}

/** Returns the `sort` of a column: the first click sorts by its values, and further ones reverse the order. */
export const columnSort = (
  key: string,
  sort: string | undefined,
  onSort: (sort: string) => void,
  first: 'ascending' | 'descending' = 'ascending',
): NonNullable<Column<unknown>['sort']> => {
  const isSorted = sort === key || sort === `-${key}`
  const isDescending = isSorted ? !sort.startsWith('-') : first === 'descending'
  return {
    order: isSorted ? (sort.startsWith('-') ? 'descending' : 'ascending') : undefined,
    onSort: () => onSort(isDescending ? `-${key}` : key),
  }
}
