import { counted, type Messages } from '../../messages/messages.ts'

const count = counted('en')

const en = {
  about: 'Tags for your contacts. Tags that differ only in case count as one.',
  emptyTitle: 'No tags yet',
  emptyHelp: 'Add tags to contacts to group and find them.',
  columns: { tag: 'Tag', contacts: 'Contacts' },
  menu: (tag: string) => `Actions for ${tag}`,
  rename: 'Rename tag',
  newName: 'New name',
  renamed: 'The tag was renamed.',
  taken: 'Another tag already has this name. Merge the tags instead.',
  delete: 'Delete tag',
  deleteTitle: (tag: string) => `Delete “${tag}”?`,
  deleteBody: count({ one: 'This removes the tag from # contact.', other: 'This removes the tag from # contacts.' }),
  deleted: 'The tag was deleted.',
  merge: count({ one: 'Merge # tag', other: 'Merge # tags' }),
  mergeTitle: 'Merge tags',
  mergeHelp: (tags: string) => `The tag you keep replaces the others on all contacts. Selected tags: ${tags}.`,
  into: 'Tag to keep',
  mergeAction: 'Merge tags',
  merged: 'The tags were merged.',
  rest: 'The remaining contacts will be updated shortly.',
}

export const tagMessages: Messages<typeof en> = { en }
