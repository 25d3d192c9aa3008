import type { Catalogue } from '../../words/words.ts'

const en = {
  about: 'What the organization is called, here and in its addresses.',
  name: 'Name',
  slug: 'Name in addresses',
  slugHelp: 'A change breaks links to pages of the dashboard that were kept or shared.',
  currency: 'Default currency',
  currencyHelp: 'Three letters, such as EUR: of proposals that name none.',
  saved: 'The organization was saved.',
  since: 'Here since',
}

export const organizationWords: Catalogue<typeof en> = { en }
