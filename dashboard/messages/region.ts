import type { Messages } from './messages.ts'

const en = {
  country: 'Country',
  countryHelp: 'Used for phone numbers without a country code.',
  currency: 'Default currency',
  currencyHelp: 'Used for proposals that do not specify a currency.',
  timeZone: 'Time zone',
}

export const regionMessages: Messages<typeof en> = { en }
