import type { AnswerEvent } from '@groundwork/api'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createOutbound } from '../../outbound/outbound.ts'
import { testApp } from '../../testing/app.ts'
import { openChatServer, streamed } from '../../testing/chat-server.ts'
import { unitEmbedder } from '../../testing/fixtures.ts'
import { addPassages } from '../../testing/passages.ts'
import { recordedAnswers, recordedPassages, recordedQuestion } from '../../testing/recorded-answers.ts'
import { newBase } from '../../testing/sources.ts'
import type { ChatModel } from './chat-model.ts'
import { openRemoteChat } from './remote-chat.ts'

const server = await openChatServer()
const outbound = createOutbound({ allowHosts: [], userAgent: 'test' })
afterAll(async () => {
  await outbound.close()
  await server.close()
})
const modelWith = (limits: object): ChatModel =>
  openRemoteChat({ url: server.url, model: 'test-model', fetch: outbound.trustedFetch(server.url), limits: { bytes: 200_000, ...limits } })
const models = { patient: modelWith({}), impatient: modelWith({ silenceMs: 400 }) }
let model = models.patient
const chatModel: ChatModel = { model: 'test-model', reply: (messages, signal) => model.reply(messages, signal) }
const { organization } = await testApp({ embedder: unitEmbedder, chatModel })
const owner = await organization()
const base = await newBase(owner)

const { hours, prices } = recordedPassages
await addPassages(owner, base, Object.values(recordedPassages))

type End = Extract<AnswerEvent, { type: 'end' }>

async function ask(query: string, body: object = {}): Promise<{ events: AnswerEvent[]; end: End }> {
  const answer = await owner.call('POST', `/v1/bases/${base}/answer`, { query, minConfidence: 0, ...body })
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8'])
  const frames = (answer.body as string).split('\n\n').filter((frame) => frame !== '')
  const events = frames.map((frame): AnswerEvent => JSON.parse(/^data: (.*)$/m.exec(frame)?.[1] ?? ''))
  expect(frames.map((frame) => /^event: (.*)$/m.exec(frame)?.[1])).toEqual(events.map(({ type }) => type))
  return { events, end: events.at(-1) as End }
}

beforeEach(() => {
  server.answer = streamed('NO_ANSWER')
  model = models.patient
})

describe('POST /v1/bases/{baseId}/answer', () => {
  it('streams the passages, each sentence with its passages, and the outcome', async () => {
    server.answer = streamed('The boathouse opens at 9:00 on Sunday [1]. A rowing boat costs 12 euros an hour. [2]')
    const { events, end } = await ask('When does the boathouse open on Sunday, and what does a rowing boat cost?')
    expect(events.map(({ id, type }) => `${id} ${type}`)).toEqual(['1 passages', '2 text', '3 text', '4 end'])
    const [first] = events
    const chunks = first?.type === 'passages' ? first.data.map(({ text, chunkId }) => ({ text, chunkId })) : []
    const idOf = (text: string): string | undefined => chunks.find((chunk) => chunk.text === text)?.chunkId
    const answer = 'The boathouse opens at 9:00 on Sunday. A rowing boat costs 12 euros an hour.'
    expect(end).toMatchObject({ outcome: 'answered', reason: null, answer, withheldSentences: 0, model: 'test-model' })
    expect(end.citations.map(({ chunkId, start, end: stop }) => [chunkId, answer.slice(start, stop)])).toEqual([
      [idOf(hours), 'The boathouse opens at 9:00 on Sunday.'],
      [idOf(prices), 'A rowing boat costs 12 euros an hour.'],
    ])
    expect(events.flatMap((event) => (event.type === 'text' ? event.text : [])).join('')).toBe(answer)
  })

  describe.each(Object.entries(recordedAnswers))('with a model that is %s', (_kind, recorded) => {
    it.each(recorded)('answers from passages or refuses: $name', async ({ reply, outcome, reason = null, answer = '' }) => {
      const closed = new Promise<void>((resolve) => {
        server.answer = (response) => {
          response.on('close', () => resolve())
          reply(response)
        }
      })
      if (reason === 'model_timeout') model = models.impatient
      const { events, end } = await ask(recordedQuestion)
      expect(end).toMatchObject({ outcome, reason, answer })
      const [first, ...texts] = events.slice(0, -1)
      const passages = first?.type === 'passages' ? first.data.map(({ chunkId }) => chunkId) : []
      const sentences = texts.map((event) => (event.type === 'text' ? event : null))
      expect(
        sentences
          .map((event) => event?.text)
          .join('')
          .trim(),
      ).toBe(answer)
      for (const sentence of sentences) {
        expect(sentence?.citations.length).toBeGreaterThan(0)
        for (const { start, end: stop } of sentence?.citations ?? []) expect(answer.slice(start, stop)).toBe(sentence?.text.trim())
      }
      for (const { chunkId } of end.citations) expect(passages).toContain(chunkId)
      const afterPassages = JSON.stringify(events.slice(1)).replaceAll(/(?:chk|src)_[0-9a-f-]{36}/g, 'an id')
      expect(afterPassages).not.toMatch(/99|Nemo|evil|free|!\[|javascript|<(?:img|script|a )|\[\d|CUDA|undici|fetch|JSON|Zod/i)
      // The request to the model ends with the answer.
      await closed
    })
  })

  it('keeps the supported sentences of a reply that also invents some', async () => {
    server.answer = streamed(
      'A deposit of 50 euros is required [2]. It is refunded within 3 days by bank transfer [2]. Dogs are not allowed [2].',
    )
    const { end } = await ask('Is a deposit required, and are dogs allowed?')
    expect(end).toMatchObject({
      outcome: 'answered',
      answer: 'A deposit of 50 euros is required. Dogs are not allowed.',
      withheldSentences: 1,
    })
  })

  it('shows the model no commands of passages, and the question outside of the untrusted content', async () => {
    await ask(recordedQuestion, { messages: undefined })
    const { body } = server.requests.at(-1) ?? {}
    const content = body?.messages.at(-1)?.content ?? ''
    expect(content).toContain(hours)
    expect(content).not.toMatch(/Ignore all|card number/)
    const [boundary = 'none'] = /(?<=<<<)untrusted-content [0-9a-f]{32}/.exec(content) ?? []
    expect(content.split(`${boundary}>>>`)[1]).toContain(`Question: ${recordedQuestion}`)
  })

  it('does not ask the model if the passages probably do not answer the question', async () => {
    const before = server.requests.length
    const { events, end } = await ask('Who won the world cup of 1974?', { minConfidence: 1 })
    expect(events.map(({ type }) => type)).toEqual(['passages', 'end'])
    expect(end).toMatchObject({ outcome: 'refused', reason: 'low_confidence', answer: '', citations: [] })
    expect(server.requests.length).toBe(before)
  })

  it('passes the conversation on', async () => {
    const messages = [
      { role: 'user', content: 'What does a rowing boat cost?' },
      { role: 'assistant', content: '12 euros an hour.' },
      { role: 'user', content: 'And is a deposit required?' },
    ]
    server.answer = streamed('A deposit of 50 euros is required [2].')
    const { end } = await ask('', { query: undefined, messages })
    expect(end.outcome).toBe('answered')
    expect(server.requests.at(-1)?.body.messages.at(-1)?.content).toContain('assistant: 12 euros an hour.')
  })

  it('refuses unknown knowledge bases, those of others, and invalid bodies before it streams', async () => {
    const other = await organization()
    expect((await other.call('POST', `/v1/bases/${base}/answer`, { query: 'boat' })).status).toBe(404)
    for (const body of [{}, { query: 'boat', topK: 21 }, { query: 'boat', minConfidence: 2 }, { query: 'boat', model: 'x' }])
      expect((await owner.call('POST', `/v1/bases/${base}/answer`, body)).status).toBe(422)
    const reader = await organization({ scopes: ['contacts:read'] })
    expect((await reader.call('POST', `/v1/bases/${base}/answer`, { query: 'boat' })).status).toBe(403)
  })
})

it('is refused without a chat model', async () => {
  const plain = await (await testApp({ embedder: unitEmbedder })).organization()
  const { status, body } = await plain.call('POST', `/v1/bases/${await newBase(plain)}/answer`, { query: 'boat' })
  expect([status, body.error.code]).toEqual([409, 'conflict'])
})
