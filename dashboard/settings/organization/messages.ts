import type { Messages } from '../../messages/messages.ts'

const en = {
  about: 'The name, dashboard URL and default currency of this organization.',
  name: 'Name',
  slug: 'Name in URLs',
  slugHelp: 'Part of every dashboard URL. If you change it, existing links stop working.',
  currency: 'Default currency',
  currencyHelp: 'A three-letter code such as EUR. Used for proposals without a currency.',
  saved: 'The organization was saved.',
  since: 'Created',
}

export const organizationMessages: Messages<typeof en> = { en }
