import type { Messages } from './messages.ts'

const en = {
  country: 'Country',
  countryHelp: 'Phone numbers without a country code are of this country.',
  currency: 'Default currency',
  currencyHelp: 'Used for proposals without a currency.',
  timeZone: 'Time zone',
}

export const regionMessages: Messages<typeof en> = { en }
