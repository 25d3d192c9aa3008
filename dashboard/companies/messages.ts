import { counted, type Messages } from '../messages/messages.ts'

const count = counted('en')

const en = {
  about: 'The companies that your contacts belong to.',
  search: 'Search companies',
  found: count({ one: '# company', other: '# companies' }),
  foundMore: count({ one: 'More than # company', other: 'More than # companies' }),
  emptyTitle: 'No companies yet',
  emptyHelp: 'Create a company, or import contacts with a column of companies.',
  noneFound: 'No matching companies',
  noneFoundHelp: 'Every word must occur in the name.',
  clearSearch: 'Clear search',
  new: 'Create company',
  edit: 'Edit company',
  save: 'Save company',
  delete: 'Delete company',
  created: (name: string) => `${name} was created.`,
  saved: 'The company was saved.',
  deleted: (name: string) => `${name} was deleted.`,
  restored: (name: string) => `${name} was restored.`,
  details: 'Details',
  yes: 'Yes',
  no: 'No',
  contacts: 'Contacts',
  noContacts: 'No contact belongs to this company yet.',
  fields: {
    name: 'Name',
    domains: 'Domains',
    phone: 'Phone',
    address: 'Address',
    vatId: 'VAT ID',
    tags: 'Tags',
    externalId: 'External ID',
    createdAt: 'Created',
    updatedAt: 'Updated',
  },
  addressParts: {
    line1: 'Street',
    line2: 'Addition',
    postalCode: 'Postal code',
    city: 'City',
    region: 'Region',
    country: 'Country',
  },
  columns: { name: 'Name', jobTitle: 'Job title', email: 'Email', phone: 'Phone' },
  help: {
    domains: 'Internet domains of the company, such as example.com. Press Enter after each.',
    phone: 'Include the country code, for example +44 20 7946 0018.',
    vatId: 'With the country prefix, for example DE123456789.',
  },
  invalid: {
    name: 'Enter a name of at most 200 characters.',
    domains: 'Enter domains such as example.com, at most 20.',
    phone: 'Enter an existing phone number with its country code.',
    address: 'Shorten the parts of the address.',
    vatId: 'Enter a country prefix of two letters, then letters and digits.',
    tags: 'Enter at most 50 tags of at most 60 characters.',
    externalId: 'Enter an ID of at most 200 characters.',
  },
  taken: {
    domains: 'Another company has one of these domains.',
    externalId: 'Another company has this ID.',
  },
  errors: {
    conflict: 'Another company has taken a domain or the external ID since.',
    changed: 'Someone else changed this company meanwhile. Close this form and open it again.',
    other: 'The company could not be saved. Reload the page and try again.',
  },
}

export const companyMessages: Messages<typeof en> = { en }
