import { wordsOf } from '../../words/words.ts'
import { webhookWords } from './words.ts'

/** Returns the label of an event type, or the type itself if it has no label. */
export function eventLabel(type: string): string {
  const { events, testEvent } = wordsOf(webhookWords)
  return type === 'webhook_endpoint.test' ? testEvent : ((events as Readonly<Record<string, string>>)[type] ?? type)
}
