import { expect, test } from 'vitest'
import type { AnswerEvent } from './contract.ts'
import { clientAnswered, eventStreamAnswer, refused } from './testing.ts'

const end = { id: '2', type: 'end', outcome: 'answered', reason: null, answer: 'At nine.', citations: [], withheldSentences: 0, model: 'm' }
const frame = (event: object): string => `data: ${JSON.stringify(event)}\n\n`

async function read(answer: AsyncIterable<AnswerEvent>): Promise<AnswerEvent[]> {
  const events: AnswerEvent[] = []
  for await (const event of answer) events.push(event)
  return events
}

test('an answer is streamed until its outcome', async () => {
  const stream = eventStreamAnswer()
  const { client, requests } = clientAnswered([stream.answer])
  const answer = read(client.bases.answer('kb_1', { query: 'When do you open?' }))
  stream.send(frame({ id: '1', type: 'text', text: 'At nine.', citations: [] }) + frame(end))
  expect((await answer).map(({ type }) => type)).toEqual(['text', 'end'])
  expect([requests[0]?.method, requests[0]?.url.slice('http://groundwork.test'.length)]).toEqual(['POST', '/v1/bases/kb_1/answer'])
  expect(requests[0]?.headers.get('content-type')).toBe('application/json')
  expect(await requests[0]?.json()).toEqual({ query: 'When do you open?' })
})

test('a stream that ends before the outcome is an error', async () => {
  const stream = eventStreamAnswer()
  const { client } = clientAnswered([stream.answer])
  const answer = read(client.bases.answer('kb_1', { query: 'When do you open?' }))
  stream.send(frame({ id: '1', type: 'text', text: 'At nine.', citations: [] }))
  stream.end()
  await expect(answer).rejects.toMatchObject({ code: 'connection_failed' })
})

test('a refusal before the stream is the error of the API', async () => {
  const { client } = clientAnswered([refused(404, 'not_found')])
  await expect(read(client.bases.answer('kb_1', { query: 'When do you open?' }))).rejects.toMatchObject({ status: 404, code: 'not_found' })
})
