import type { Messages } from '../../messages/messages.ts'

const en = {
  about: 'Pairs of contacts that are probably the same person.',
  noneHelp: 'Contacts are compared whenever they change. New pairs appear here.',
  reasons: {
    name: 'Same name',
    similar_name: 'Similar name',
    email: 'Same email',
    phone: 'Same phone',
    company: 'Same company',
    email_domain: 'Same company domain',
    address: 'Same address',
  },
  merge: 'Compare and merge',
  confirm: (one: string, other: string) => `Mark ${one} and ${other} as different people?`,
  confirmHelp: 'The pair will not be shown again. Neither contact will change.',
}

export const duplicateMessages: Messages<typeof en> = { en }
