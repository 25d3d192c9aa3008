import type { Catalogue } from '../words/words.ts'

/** In a separate file because the first page load includes it. */
export const playgroundLabel: Catalogue<string> = { en: 'Playground' }
