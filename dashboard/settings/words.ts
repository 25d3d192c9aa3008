import type { Catalogue } from '../words/words.ts'

const en = {
  title: 'Settings',
  tokens: 'API Tokens',
  secretOnce: 'Copy it now: it is shown this once and cannot be found out again.',
  secretKept: 'I have kept it',
}

export const settingsWords: Catalogue<typeof en> = { en }
export const settingsLabel: Catalogue<string> = { en: en.title }
export const tokensLabel: Catalogue<string> = { en: en.tokens }
