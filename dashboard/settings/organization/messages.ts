import type { Messages } from '../../messages/messages.ts'

const en = {
  about: 'The name and dashboard URL of this organization, and its details in proposals.',
  name: 'Name',
  slug: 'Name in URLs',
  slugHelp: 'Part of every dashboard URL. If you change it, existing links stop working.',
  currency: 'Default currency',
  currencyHelp: 'A three-letter code such as EUR. Used for proposals without a currency.',
  proposals: 'In proposals',
  proposalsHelp: 'Clients read these details in proposals and their e-mails.',
  legalName: 'Legal name',
  legalNameHelp: 'If empty, proposals show the name.',
  address: 'Address',
  taxId: 'Tax or VAT number',
  country: 'Country',
  countryHelp: 'A two-letter code such as DE.',
  color: 'Color',
  colorHelp: 'For buttons and headings. A light color is shown darker, so that white text on it is readable.',
  language: 'Language',
  languageHelp: 'For recipients without a language of their own.',
  languages: { en: 'English', de: 'German', fr: 'French', es: 'Spanish' },
  timeZone: 'Time zone',
  replyTo: 'Reply-to address',
  replyToHelp: 'Replies to e-mails about proposals go to the member who sent the proposal. This address is for all other proposals.',
  reminderDays: 'Reminders after days',
  reminderDaysHelp: 'Up to five numbers, such as 3, 7, 14. Leave empty to send no reminders.',
  saved: 'The organization was saved.',
  since: 'Created',
}

export const organizationMessages: Messages<typeof en> = { en }
