import type { Catalogue } from '../words/words.ts'

const en = {
  secretOnce: 'Copy it now: it is shown this once and cannot be found out again.',
  secretKept: 'I have kept it',
  rotation: {
    overlap: 'The secret of now',
    overlaps: {
      '0': 'ends at once',
      '3600': 'works for another hour',
      '86400': 'works for another day',
      '604800': 'works for another week',
    },
    action: 'Make new secret',
  },
}

export const settingsWords: Catalogue<typeof en> = { en }
