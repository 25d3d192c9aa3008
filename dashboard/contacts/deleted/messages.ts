import type { Messages } from '../../messages/messages.ts'

const en = {
  title: 'Deleted contacts',
  about: 'Deleted contacts can be restored for 30 days. Their voided proposals stay voided.',
  search: 'Search deleted contacts',
  columns: { name: 'Contact', reach: 'Email or phone', deleted: 'Deleted', until: 'Restorable until', action: 'Actions' },
  restore: 'Restore',
  restoreOf: (name: string) => `Restore ${name}`,
  restored: (name: string) => `${name} was restored.`,
  taken: 'Another contact now uses the external ID of this contact. Change it in the other contact, then restore this one.',
  none: 'No deleted contacts',
  noneHelp: 'Contacts that were deleted in the last 30 days appear here.',
  noneFound: 'No deleted contacts found',
  clear: 'Clear search',
}

export const deletedMessages: Messages<typeof en> = { en }
