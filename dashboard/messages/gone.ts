import type { Messages } from './messages.ts'

/** Messages about a record that was deleted while it was open. */
const en = {
  title: 'This record was deleted',
  help: 'You are viewing its last version, which can no longer be edited.',
  backTo: (list: string) => `Back to ${list}`,
  formHelp: 'Your changes can no longer be saved. Copy them if you still need them.',
  copyTyped: 'Copy your changes',
  close: 'Close',
}

export const goneMessages: Messages<typeof en> = { en }
