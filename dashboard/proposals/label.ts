import type { Catalogue } from '../words/words.ts'

/** Apart from the words of the pages, which are loaded with them: the navigation needs no more. */
export const proposalsLabel: Catalogue<string> = { en: 'Proposals' }
