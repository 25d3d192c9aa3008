import { messagesOf } from '../../messages/messages.ts'
import { webhookMessages } from './messages.ts'

/** Returns the label of an event type, or the type itself if it has no label. */
export function eventLabel(type: string): string {
  const { events, testEvent } = messagesOf(webhookMessages)
  return type === 'webhook_endpoint.test' ? testEvent : ((events as Readonly<Record<string, string>>)[type] ?? type)
}
