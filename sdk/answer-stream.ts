import type { AnswerEvent, AnswerRequest } from './contract.ts'
import { ConnectionError, GroundworkError } from './errors.ts'
import { serverSentEvents } from './server-sent-events.ts'
import type { RequestOptions, Transport } from './transport.ts'

export function answerStream(transport: Transport) {
  /**
   * Streams the answer to a question: the passages, the sentences as they are written, and the outcome:
   * `for await (const event of client.bases.answer(baseId, { query: 'When do you open?' }))`.
   * @throws ConflictError if no chat model is configured; ConnectionError if the stream ends early
   */
  return async function* answer(
    baseId: string,
    body: AnswerRequest,
    options: RequestOptions = {},
  ): AsyncGenerator<AnswerEvent, void, void> {
    const request = { method: 'POST', path: `/v1/bases/${encodeURIComponent(baseId)}/answer`, body, reads: true }
    const headers = { accept: 'text/event-stream', ...options.headers }
    const response = await transport.receive(request, { ...options, headers })
    if (!response.headers.get('content-type')?.startsWith('text/event-stream') || response.body === null)
      throw new GroundworkError('the response is not an event stream; check that baseUrl is the URL of Groundwork', {
        code: 'invalid_answer',
      })
    const reader = response.body.getReader()
    try {
      const decoder = new TextDecoder()
      const take = serverSentEvents()
      for (;;) {
        const { done, value } = await reader.read().catch((cause: unknown) => {
          options.signal?.throwIfAborted()
          throw interrupted(cause)
        })
        if (done) throw interrupted()
        for (const { data } of take(decoder.decode(value, { stream: true }))) {
          const event = answerEvent(data)
          yield event
          if (event.type === 'end') return
        }
      }
    } finally {
      // The stream may have ended or been aborted already.
      await reader.cancel().catch(() => undefined)
    }
  }
}

const interrupted = (cause?: unknown): ConnectionError =>
  new ConnectionError('the answer was interrupted', { code: 'connection_failed', cause })

/** Trusts the event types of the contract. */
const answerEvent = (data: string): AnswerEvent => JSON.parse(data) as AnswerEvent
