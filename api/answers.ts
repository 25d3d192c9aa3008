import { z } from 'zod'
import { route } from './route.ts'
import { idInput, idOutput, numberFrom, wholeNumber } from './schemas.ts'
import { asked, oneQuestion, SearchHit } from './search.ts'

const { query, messages, similarityThreshold, hybridSearch, rerank, sourceIds, filter } = asked

const AnswerBase = oneQuestion(
  z.strictObject({
    query,
    messages,
    topK: wholeNumber(1, 20).optional().meta({ description: 'Maximum number of passages that the model reads. 6 by default.' }),
    minConfidence: numberFrom(0, 1).optional().meta({
      description: 'Minimum `confidence` of the search. Below it, the answer is refused and the model is not asked. 0.5 by default.',
    }),
    similarityThreshold,
    hybridSearch,
    rerank,
    sourceIds,
    filter,
  }),
).meta({
  id: 'AnswerRequest',
  description: 'A question to a knowledge base.',
  examples: [{ query: 'When do you open on Sunday?' }],
})
export type AnswerBase = z.output<typeof AnswerBase>

const AnswerCitation = z
  .object({
    chunkId: idOutput('chk'),
    sourceId: idOutput('src'),
    start: z.number().int().describe('Offset of the sentence in the answer, in UTF-16 code units.'),
    end: z.number().int().describe('Offset of the end of the sentence, exclusive.'),
  })
  .meta({ id: 'AnswerCitation', description: 'A passage that supports a sentence of the answer.' })
export type AnswerCitation = z.input<typeof AnswerCitation>

const AnswerReason = z.enum(['low_confidence', 'no_answer', 'not_grounded', 'model_timeout', 'model_error'])
export type AnswerReason = z.output<typeof AnswerReason>

const id = z.string().describe('Number of the event in the stream, from 1.')

const AnswerPassages = z
  .object({
    id,
    type: z.literal('passages').describe('First event.'),
    query: z.string().describe('The text searched for.'),
    confidence: z.number().describe('Estimated probability that the passages answer the question, 0 to 1.'),
    data: z.array(SearchHit).describe('Passages, best first.'),
  })
  .meta({ id: 'AnswerPassages', description: 'The passages of an answer, its first event.' })

const AnswerText = z
  .object({
    id,
    type: z.literal('text').describe('The next sentence of the answer.'),
    text: z.string().describe('The sentence with the white space before it.'),
    citations: z.array(AnswerCitation).describe('Passages that support the sentence, at least one.'),
  })
  .meta({ id: 'AnswerText', description: 'A sentence of an answer.' })

const AnswerEnd = z
  .object({
    id,
    type: z.literal('end').describe('Last event.'),
    outcome: z
      .enum(['answered', 'refused', 'failed'])
      .describe(
        '`answered`: the passages support the answer. `refused`: there is no answer; say that you do not know. `failed`: the model gave no complete reply; `answer` has the sentences until then.',
      ),
    reason: AnswerReason.nullable().describe(
      'Why there is no complete answer: `low_confidence`: the passages probably do not answer the question; `no_answer`: the model found no answer in them; `not_grounded`: no passage supports the text of the model; `model_timeout`, `model_error`: the model did not reply. Null for `answered`.',
    ),
    answer: z.string().describe('The whole answer; empty if it was refused.'),
    citations: z.array(AnswerCitation).describe('Passages that support the sentences, in order.'),
    withheldSentences: z.number().int().describe('Number of sentences of the model that were left out because no passage supports them.'),
    model: z.string().describe('Name of the chat model.'),
  })
  .meta({ id: 'AnswerEnd', description: 'The outcome of an answer, its last event.' })

const AnswerEvent = z
  .discriminatedUnion('type', [AnswerPassages, AnswerText, AnswerEnd])
  .meta({ id: 'AnswerEvent', description: 'An event of the stream of an answer.' })
export type AnswerEvent = z.input<typeof AnswerEvent>

export const answers = {
  base: route({
    method: 'POST',
    path: '/v1/bases/{baseId}/answer',
    summary: 'Answer a question',
    description:
      'Searches the knowledge base and lets the chat model of the operator write an answer from the passages. Each sentence is compared with the passages before it is sent; sentences that none of them supports are left out. The stream has one event with the passages, one for each sentence, and one with the outcome. 409 if the operator has not configured a chat model.',
    answer: 'A stream of server-sent events, which ends with the event `end`.',
    scope: 'search:read',
    reads: true,
    params: z.object({ baseId: idInput('kb') }),
    body: AnswerBase,
    status: 200,
    reply: AnswerEvent,
    stream: true,
    errors: ['conflict'],
  }),
}
