import type { Messages } from '../../messages/messages.ts'

const en = {
  about: 'Pairs of companies that are probably the same.',
  noneHelp: 'Companies are compared whenever they change. New pairs appear here.',
  reasons: {
    name: 'Same name',
    similar_name: 'Similar name',
    vat_id: 'Same VAT ID',
    phone: 'Same phone',
    address: 'Same address',
    domain: 'Same domain name',
  },
  merge: 'Merge…',
  confirm: (one: string, other: string) => `Mark ${one} and ${other} as different companies?`,
  confirmHelp: 'The pair will not be shown again. Neither company will change.',
}

export const companyDuplicateMessages: Messages<typeof en> = { en }
