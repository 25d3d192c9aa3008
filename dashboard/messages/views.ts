import { counted, type Messages } from './messages.ts'

const count = counted('en')

/** Messages about saved views of lists. */
const en = {
  saveAs: 'Save as view',
  save: 'Save changes',
  reset: 'Reset',
  unsaved: 'Unsaved changes',
  saved: (name: string) => `${name} was saved.`,
  deleted: (name: string) => `${name} was deleted.`,
  actionsOf: (name: string) => `Actions for the view ${name}`,
  rename: 'Rename view',
  publish: 'Make visible to all members',
  unpublish: 'Make private',
  delete: 'Delete view',
  confirmDelete: (name: string) => `Delete the view ${name}?`,
  deletedForAll: (stays: string) => `All members will lose this view. ${stays}`,
  newTitle: 'New view',
  name: 'Name',
  visible: 'Visible to all members',
  visibleHelp: 'Otherwise, only you can see this view.',
  create: 'Save view',
  others: count({ one: '# more condition', other: '# more conditions' }),
  removeOthers: 'Remove conditions',
  tooMany: 'You have reached the limit of 200 views. Delete one first.',
}

export const viewsMessages: Messages<typeof en> = { en }
