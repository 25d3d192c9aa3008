import type { Messages } from '../../messages/messages.ts'

const en = {
  title: 'Deleted contacts',
  about: 'You can restore deleted contacts for 30 days. Their voided proposals stay voided.',
  search: 'Search deleted contacts',
  columns: { name: 'Contact', reach: 'Email or phone', deleted: 'Deleted', until: 'Restore by', action: 'Actions' },
  restore: 'Restore',
  restoreOf: (name: string) => `Restore ${name}`,
  restored: (name: string) => `${name} was restored.`,
  taken: 'Another contact now uses this contact’s external ID. Change it there, then restore this contact.',
  none: 'No deleted contacts',
  noneHelp: 'Contacts deleted in the last 30 days appear here.',
  noneFound: 'No deleted contacts found',
  clear: 'Clear search',
}

export const deletedMessages: Messages<typeof en> = { en }
