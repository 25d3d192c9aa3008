import { wordsOf } from '../../words/words.ts'
import { webhookWords } from './words.ts'

/** What an event says; of a type that these words do not know, its name. */
export function eventLabel(type: string): string {
  const { events, testEvent } = wordsOf(webhookWords)
  return type === 'webhook_endpoint.test' ? testEvent : ((events as Readonly<Record<string, string>>)[type] ?? type)
}
