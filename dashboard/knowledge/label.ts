import type { Catalogue } from '../words/words.ts'

/** What the room is called; apart from its other words, since the navigation says it on every page. */
export const knowledgeLabel: Catalogue<string> = { en: 'Knowledge' }
