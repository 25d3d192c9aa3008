import { counted, type Messages } from './messages.ts'

const count = counted('en')

const en = {
  title: 'Duplicates',
  open: (pairs: string) => `Duplicates (${pairs})`,
  more: (pairs: string) => `${pairs}+`,
  found: count({ one: '# pair', other: '# pairs' }),
  foundMore: count({ one: 'More than # pair', other: 'More than # pairs' }),
  none: 'No duplicates',
  pair: (one: string, other: string) => `${one} and ${other}`,
  likely: (confidence: string) => `${confidence} likely`,
  since: 'Created',
  dismiss: 'Not the same',
  dismissed: 'The pair was dismissed.',
}

/** Of pairs of contacts and of companies. */
export const pairMessages: Messages<typeof en> = { en }
