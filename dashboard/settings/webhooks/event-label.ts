import { wordsOf } from '../../words/words.ts'
import { webhookWords } from './words.ts'

/** What an event says; of a type that these words do not know, its name. */
export const eventLabel = (type: string): string => (wordsOf(webhookWords).events as Readonly<Record<string, string>>)[type] ?? type
