import type { Messages } from './messages.ts'

const en = {
  actions: 'Actions',
  createContact: 'Create contact',
  importContacts: 'Import contacts',
  deletedContacts: 'Show deleted contacts',
  createCompany: 'Create company',
  createProposal: 'Create proposal',
  createBase: 'Create knowledge base',
  createToken: 'Create API token',
  createEndpoint: 'Create webhook endpoint',
  inviteMember: 'Invite member',
  switchTheme: 'Switch between light and dark themes',
  readGuides: 'Read the guides',
  signOut: 'Sign out',
}

export const paletteMessages: Messages<typeof en> = { en }
