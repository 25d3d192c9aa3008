import { afterAll, describe, expect, test } from 'vitest'
import { createOutbound } from '../../outbound/outbound.ts'
import { interrupted, json, openChatServer, stalled, streamed } from '../../testing/chat-server.ts'
import { chatAddress, openRemoteChat, type RemoteChatOptions } from './remote-chat.ts'

const server = await openChatServer()
const outbound = createOutbound({ allowHosts: [], userAgent: 'test' })
afterAll(async () => {
  await outbound.close()
  await server.close()
})
const apiKey = 'very-secret-key'
const never = new AbortController().signal

async function ask(options: Partial<RemoteChatOptions> = {}, signal = never): Promise<string[]> {
  const model = openRemoteChat({ url: server.url, model: 'm', apiKey, fetch: outbound.trustedFetch(server.url), ...options })
  const parts: string[] = []
  for await (const part of model.reply([{ role: 'user', content: 'Hello' }], signal)) parts.push(part)
  return parts
}

test('the URL is the base URL with /chat/completions, or is given with it', () => {
  expect(chatAddress('https://example.com/v1/')).toBe('https://example.com/v1/chat/completions')
  expect(chatAddress('https://example.com/v1/chat/completions')).toBe('https://example.com/v1/chat/completions')
})

describe('a chat model behind an endpoint', () => {
  test('streams its reply, whatever the size of the parts', async () => {
    for (const size of [1, 3, 1000]) {
      server.answer = streamed('Grüße aus Köln, 東京 und 🚤!', size)
      expect((await ask()).join('')).toBe('Grüße aus Köln, 東京 und 🚤!')
    }
    expect(server.requests.at(-1)).toMatchObject({
      authorization: `Bearer ${apiKey}`,
      body: { model: 'm', stream: true, messages: [{ role: 'user', content: 'Hello' }] },
    })
  })

  test('may answer with one document, or end without [DONE]', async () => {
    server.answer = json(200, { choices: [{ message: { role: 'assistant', content: 'Hello.' } }] })
    expect(await ask()).toEqual(['Hello.'])
    server.answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
      response.end(
        ': a comment\n\ndata: {"choices":[{"delta":{"role":"assistant"}}]}\n\ndata: {"choices":[{"delta":{"content":"Hi."},"finish_reason":"stop"}]}\n\n',
      )
    }
    expect((await ask()).join('')).toBe('Hi.')
  })

  test('fails with an error that does not name the key', async () => {
    server.answer = json(429, { error: { message: `too many requests of ${apiKey}` } })
    const error = await ask().catch((thrown: unknown) => thrown as Error)
    expect(error).toMatchObject({ name: 'ChatError', message: 'The chat endpoint answered 429.', isLate: false })
    expect(JSON.stringify([(error as Error).message, String((error as Error).cause)])).not.toContain(apiKey)
    server.answer = json(200, { greeting: 'hello' })
    await expect(ask()).rejects.toThrow('does not have the form')
    server.answer = interrupted('It ends in the mid')
    await expect(ask()).rejects.toThrow('ended the reply early')
    server.answer = (response) => response.destroy()
    await expect(ask()).rejects.toThrow('could not be reached')
    server.answer = streamed('x'.repeat(5000))
    await expect(ask({ limits: { bytes: 4000 } })).rejects.toThrow('more than 4000 bytes')
  })

  test('is late if it says nothing, stops in the middle, or never ends', async () => {
    const limits = { silenceMs: 50, totalMs: 60_000 }
    for (const answer of [() => undefined, stalled(), stalled('Half a sent')]) {
      server.answer = answer
      await expect(ask({ limits })).rejects.toMatchObject({ name: 'ChatError', isLate: true })
    }
    server.answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const timer = setInterval(() => response.write(': still here\n\n'), 5)
      response.on('close', () => clearInterval(timer))
    }
    await expect(ask({ limits: { silenceMs: 60_000, totalMs: 100 } })).rejects.toMatchObject({ isLate: true })
  })

  test('ends the request when the reader leaves or aborts', async () => {
    const closed = new Promise<void>((resolve) => {
      server.answer = (response) => {
        response.on('close', () => resolve())
        stalled('One. Two.')(response)
      }
    })
    const model = openRemoteChat({ url: server.url, model: 'm', fetch: outbound.trustedFetch(server.url) })
    const reply = model.reply([], never)[Symbol.asyncIterator]()
    expect((await reply.next()).value).toBe('One. Tw')
    await reply.return?.()
    await closed
    server.answer = stalled()
    const abort = new AbortController()
    const asked = ask({}, abort.signal)
    abort.abort(new Error('the client left'))
    await expect(asked).rejects.toThrow('the client left')
  })
})
