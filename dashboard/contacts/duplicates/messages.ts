import { counted, type Messages } from '../../messages/messages.ts'

const count = counted('en')

const en = {
  title: 'Duplicates',
  about: 'Pairs of contacts that are probably the same person.',
  open: (pairs: string) => `Duplicates (${pairs})`,
  more: (pairs: string) => `${pairs}+`,
  found: count({ one: '# pair', other: '# pairs' }),
  foundMore: count({ one: 'More than # pair', other: 'More than # pairs' }),
  none: 'No duplicates',
  noneHelp: 'Contacts are compared whenever they change. New pairs appear here.',
  pair: (one: string, other: string) => `${one} and ${other}`,
  likely: (confidence: string) => `${confidence} likely`,
  reasons: {
    name: 'Same name',
    similar_name: 'Similar name',
    email: 'Same email',
    phone: 'Same phone',
    company: 'Same company',
    email_domain: 'Same company domain',
    address: 'Same address',
  },
  since: 'Created',
  merge: 'Compare and merge',
  dismiss: 'Not the same',
  confirm: (one: string, other: string) => `Mark ${one} and ${other} as different people?`,
  confirmHelp: 'The pair will not be shown again. Neither contact will change.',
  dismissed: 'The pair was dismissed.',
}

export const duplicateMessages: Messages<typeof en> = { en }
