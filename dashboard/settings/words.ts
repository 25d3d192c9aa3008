import type { Catalogue } from '../words/words.ts'

const en = {
  secretOnce: 'Copy it now: it is shown this once and cannot be found out again.',
  secretKept: 'I have kept it',
}

export const settingsWords: Catalogue<typeof en> = { en }
