import { counted, type Messages } from './messages.ts'

const count = counted('en')

/** Longer lists of names end with the number of the others. */
const maxNames = 5

/** Messages of the controls around lists. */
const en = {
  filters: 'Filters',
  sortBy: 'Sort by',
  filtersActive: count({ one: 'Filters, # active', other: 'Filters, # active' }),
  selected: count({ one: '# selected', other: '# selected' }),
  selectAllMatching: count({ one: 'Select all #', other: 'Select all #' }),
  clearSelection: 'Clear selection',
  more: 'More',
  moreActions: 'More actions for the selection',
  /** An action that only some of the selected rows can have. */
  someOf: (action: string, applicable: number) => `${action} (${applicable.toLocaleString()})`,
  andMore: (others: number) => `${others.toLocaleString()} more`,
  someFailed: (reason: string, names: readonly string[]) =>
    `${names.slice(0, maxNames).join(', ')}${names.length > maxNames ? ` and ${(names.length - maxNames).toLocaleString()} more` : ''}: ${reason}`,
}

export const listsMessages: Messages<typeof en> = { en }
