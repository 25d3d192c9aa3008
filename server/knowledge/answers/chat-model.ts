export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

/** A model that writes text. */
export interface ChatModel {
  readonly model: string
  /**
   * Yields the parts of the reply to a conversation as they arrive.
   * @throws ChatError, or the reason of the signal
   */
  reply(messages: readonly ChatMessage[], signal: AbortSignal): AsyncIterable<string>
}

/** The chat model gave no complete reply. `isLate` if a time limit ended it. */
export class ChatError extends Error {
  override readonly name = 'ChatError'
  readonly isLate: boolean

  constructor(message: string, { isLate = false, cause }: { isLate?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.isLate = isLate
  }
}
