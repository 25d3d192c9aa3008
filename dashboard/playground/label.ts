import type { Catalogue } from '../words/words.ts'

/** Apart from the words of the room, since every first visit loads it. */
export const playgroundLabel: Catalogue<string> = { en: 'Playground' }
