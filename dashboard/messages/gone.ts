import type { Messages } from './messages.ts'

/** Messages about a record that was deleted while it was open. */
const en = {
  title: 'This was deleted in the meantime',
  help: 'This is the last version. It can no longer be changed.',
  backTo: (list: string) => `Back to ${list}`,
  formHelp: 'What you entered can no longer be saved. Copy it if you still need it.',
  copyTyped: 'Copy what you entered',
  close: 'Close',
}

export const goneMessages: Messages<typeof en> = { en }
