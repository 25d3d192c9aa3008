import type { Catalogue } from '../words/words.ts'

/** Apart from the words of the page, since the navigation says it on every page. */
export const homeLabel: Catalogue<string> = { en: 'Home' }
