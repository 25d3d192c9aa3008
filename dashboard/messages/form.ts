import type { Messages } from './messages.ts'

const en = {
  discard: {
    title: 'Discard your changes?',
    body: 'You have unsaved changes.',
    action: 'Discard changes',
    cancel: 'Keep editing',
  },
}

export const formMessages: Messages<typeof en> = { en }
