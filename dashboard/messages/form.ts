import type { Messages } from './messages.ts'

const en = {
  discard: {
    title: 'Discard your changes?',
    body: 'You have changes that are not saved.',
    action: 'Discard changes',
    cancel: 'Keep editing',
  },
}

export const formMessages: Messages<typeof en> = { en }
