import { createParser } from 'eventsource-parser'
import { z } from 'zod'
import { endpointError, jsonPost, parseJson, type Fetch } from '../../outbound/json-endpoint.ts'
import { ChatError, type ChatMessage, type ChatModel } from './chat-model.ts'

export interface RemoteChatOptions {
  /** Base URL or the URL of `/chat/completions` itself. */
  readonly url: string
  readonly model: string
  readonly apiKey?: string
  readonly fetch: Fetch
  readonly limits?: Partial<ChatLimits>
}

interface ChatLimits {
  /** Maximum time without a byte, before the first one and between two. */
  readonly silenceMs: number
  readonly totalMs: number
  readonly bytes: number
}

const defaultLimits: ChatLimits = { silenceMs: 15_000, totalMs: 60_000, bytes: 1_000_000 }

const Content = z.string().nullish()
const FinishReason = z.string().nullish()
const Part = z.object({
  choices: z.array(z.object({ delta: z.object({ content: Content }).default({}), finish_reason: FinishReason })).default([]),
  // Some endpoints send an error as an event, and then [DONE].
  error: z.null().optional(),
})
const Whole = z.object({ choices: z.array(z.object({ message: z.object({ content: Content }), finish_reason: FinishReason })).min(1) })

/** Opens a model behind `POST …/chat/completions` in the form of OpenAI. Endpoints that do not stream are accepted as well. */
export function openRemoteChat({ url, model, apiKey, fetch, limits }: RemoteChatOptions): ChatModel {
  // The error of fetch for an invalid header would contain the key.
  if (apiKey && !/^[\x21-\x7e]+$/.test(apiKey)) throw new Error('The API key of the chat endpoint has characters that no header can carry.')
  const address = chatAddress(url)
  const { silenceMs, totalMs, bytes: maxBytes } = { ...defaultLimits, ...limits }

  async function open(messages: readonly ChatMessage[], signal: AbortSignal): Promise<Response> {
    const request = jsonPost({ model, messages, stream: true, temperature: 0 }, apiKey)
    const headers = { ...(request.headers as Record<string, string>), accept: 'text/event-stream, application/json' }
    const response = await fetch(address, { ...request, headers, signal })
    if (response.ok) return response
    const text = await response.text()
    throw new ChatError(`The chat endpoint answered ${response.status}.`, { cause: endpointError(response.status, text, apiKey) })
  }

  return {
    model,
    async *reply(messages, signal) {
      const late = new AbortController()
      const expire = (): void => late.abort()
      const total = setTimeout(expire, totalMs)
      let silence = setTimeout(expire, silenceMs)
      try {
        const response = await open(messages, AbortSignal.any([signal, late.signal]))
        const read = isEventStream(response) ? eventTexts() : wholeText()
        const decoder = new TextDecoder()
        let received = 0
        for await (const chunk of response.body ?? []) {
          received += chunk.length
          if (received > maxBytes) throw new ChatError(`The chat endpoint answered more than ${maxBytes} bytes.`)
          const text = decoder.decode(chunk, { stream: true })
          // The time that the reader of the reply takes does not count.
          clearTimeout(silence)
          yield* read.push(text)
          silence = setTimeout(expire, silenceMs)
        }
        yield* read.end()
      } catch (error) {
        signal.throwIfAborted()
        if (late.signal.aborted) throw new ChatError('The chat endpoint did not answer in time.', { isLate: true, cause: error })
        if (error instanceof ChatError) throw error
        throw new ChatError('The chat endpoint could not be reached, or ended the reply early.', { cause: error })
      } finally {
        clearTimeout(total)
        clearTimeout(silence)
        // Ends the request if the reader has left.
        late.abort()
      }
    },
  }
}

/** Returns the URL of the endpoint: `…/chat/completions` is kept, and appended to any other path. */
export function chatAddress(base: string): string {
  const url = new URL(base)
  const path = url.pathname.replace(/\/+$/, '')
  if (!path.endsWith('/chat/completions')) url.pathname = `${path}/chat/completions`
  return url.href
}

const isEventStream = (response: Response): boolean => response.headers.get('content-type')?.startsWith('text/event-stream') === true

interface TextReader {
  push(text: string): Iterable<string>
  end(): Iterable<string>
}

/** Reads server-sent events with parts of the reply. */
function eventTexts(): TextReader {
  let events: string[] = []
  let isComplete = false
  const parser = createParser({
    onEvent({ data }) {
      events.push(data)
    },
  })
  return {
    // The texts before a part that fails arrive too.
    *push(text) {
      events = []
      parser.feed(text)
      for (const data of events) {
        const { choices } = data === '[DONE]' ? { choices: [] } : parsed(Part, data)
        for (const { delta, finish_reason: reason } of choices) {
          yield delta.content ?? ''
          requireWhole(reason)
        }
        // Some endpoints end without [DONE], others without a reason.
        isComplete ||= data === '[DONE]' || choices.some((choice) => choice.finish_reason != null)
      }
    },
    end() {
      if (!isComplete) throw new ChatError('The chat endpoint ended the reply early.')
      return []
    },
  }
}

/** Reads a reply of one JSON document. */
function wholeText(): TextReader {
  let whole = ''
  return {
    push(text) {
      whole += text
      return []
    },
    end: () =>
      parsed(Whole, whole).choices.map(({ message, finish_reason: reason }) => {
        requireWhole(reason)
        return message.content ?? ''
      }),
  }
}

/** The last sentence of a reply that was cut off can say the opposite of the whole one. */
function requireWhole(finishReason: string | null | undefined): void {
  if (finishReason === 'length' || finishReason === 'content_filter')
    throw new ChatError(`The chat endpoint cut the reply off: ${finishReason}.`)
}

function parsed<T>(schema: z.ZodType<T>, json: string): T {
  const result = schema.safeParse(parseJson(json))
  if (result.success) return result.data
  throw new ChatError('The reply of the chat endpoint does not have the form of a chat completion.', { cause: result.error })
}
