import type { Messages } from '../messages/messages.ts'

const en = {
  secretOnce: 'Copy this secret now. You won’t be able to see it again.',
  secretKept: 'I’ve saved it',
  rotation: {
    overlap: 'Current secret',
    overlaps: {
      '0': 'Expires immediately',
      '3600': 'Expires in 1 hour',
      '86400': 'Expires in 1 day',
      '604800': 'Expires in 7 days',
    },
    action: 'Rotate secret',
    notRotated: 'This secret has expired or been revoked. Create a new one instead.',
  },
}

export const settingsMessages: Messages<typeof en> = { en }
