import { z } from 'zod'
import { exactlyOne } from './field-rules.ts'
import { route } from './route.ts'
import { idInput, idOutput, numberFrom, text, wholeNumber } from './schemas.ts'
import { SearchFilter } from './search-filter.ts'

const SearchMessage = z
  .strictObject({ role: z.enum(['user', 'assistant', 'system', 'tool']), content: text(0, 20_000) })
  .meta({ id: 'SearchMessage' })
export type SearchMessage = z.output<typeof SearchMessage>

const asksSomething = (messages: readonly SearchMessage[]): boolean =>
  messages.some(({ role, content }) => role === 'user' && content !== '')
const question = { type: 'object', properties: { role: { const: 'user' }, content: { pattern: String.raw`\S` } } }

const asked = {
  query: text(1, 4000).optional().meta({ description: 'Required, unless there are messages' }),
  messages: z
    .array(SearchMessage)
    .min(1)
    .max(100)
    .refine((messages) => asksSomething(messages), 'must have a turn of the user with text')
    .optional()
    .meta({
      contains: question,
      description:
        'The last turns of a conversation instead of query, oldest first. The last one of the user is searched for, with the words of earlier ones at a lower weight where it leans on them ("and on Sunday?")',
      examples: [
        [
          { role: 'user', content: 'When do you open on Saturday?' },
          { role: 'assistant', content: 'At nine.' },
          { role: 'user', content: 'And on Sunday?' },
        ],
      ],
    }),
  partial: z.boolean().optional().meta({
    description:
      'Whether the last word may be unfinished, as of somebody who is still speaking: from three letters on, words that begin with it match too',
  }),
  topK: wholeNumber(1, 100).optional().meta({ description: "The base's setting by default; 10 over several bases" }),
  similarityThreshold: numberFrom(0, 1)
    .optional()
    .meta({ description: "Least score of a passage to be returned. The base's setting by default; 0 over several bases" }),
  hybridSearch: z
    .boolean()
    .optional()
    .meta({ description: "false: by meaning alone. The base's setting by default; true over several bases" }),
  rerank: z.boolean().optional().meta({
    description:
      "Have the operator's reranker read the 50 best passages and score them: `score` is its relevance then. The base's setting by default; false over several bases",
  }),
  sourceIds: z.array(idInput('src')).min(1).max(100).optional().meta({ description: 'Search these sources only' }),
  filter: SearchFilter.optional().meta({ description: 'Search sources with such metadata only; it changes no score' }),
  collapseDuplicates: z
    .boolean()
    .optional()
    .meta({ description: 'Whether passages of one text are one hit, the best of them; true by default' }),
  neighbours: wholeNumber(0, 3)
    .optional()
    .meta({ description: 'So many passages before and after each one of the answer, of the same document; 0 by default' }),
  explain: z.boolean().optional().meta({ description: 'Tell of each passage how its score came about' }),
  latencyBudgetMs: wholeNumber(1, 10_000).optional().meta({
    description:
      'Milliseconds from the arrival of the request to its answer. Rather than be late it leaves out, in this order: reranking, the embedding of the query, neighbours and explanations, at last what is not found yet; `degraded` names what',
  }),
  perSourceLimit: wholeNumber(1, 100).optional().meta({ description: 'Passages at most from one source' }),
}

/** Wants a query or messages with a question in them. */
function oneQuestion<S extends z.ZodType>(schema: S): S {
  return exactlyOne(schema, ['query', 'messages'], { field: 'query', message: 'is required unless there are messages' })
}

const SearchBase = oneQuestion(
  z.strictObject({
    ...asked,
    reindexId: idInput('rix').optional().meta({
      description:
        'Try a question in the index that a re-index has built, before the switch to it: sources that are not built are searched as they are. 422 where the base has none of this id, 409 where it is switched or over. Not written to the log of searches',
    }),
  }),
).meta({
  id: 'SearchRequest',
  examples: [{ query: 'When do you open on Sunday?', topK: 5 }],
})
export type SearchBase = z.output<typeof SearchBase>

const SearchBases = oneQuestion(
  z.strictObject({
    baseIds: z
      .array(idInput('kb'))
      .min(1)
      .max(20)
      .transform((ids) => [...new Set(ids)])
      .meta({ description: 'Searched as if they were one' }),
    ...asked,
  }),
).meta({
  id: 'SearchBasesRequest',
  examples: [{ baseIds: ['kb_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8'], query: 'When do you open on Sunday?' }],
})
export type SearchBases = z.output<typeof SearchBases>

const Citation = z
  .object({
    page: z.number().int().nullable(),
    pageEnd: z.number().int().nullable(),
    startSecond: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'Second of the recording at which the passage begins; null for what is not a transcript' }),
    headingPath: z.array(z.string()),
    start: z.number().int().meta({ description: 'Offset of the passage in the extracted text, UTF-16 code units' }),
    end: z.number().int(),
    title: z.string().nullable().meta({ description: 'Of the document, or of the page where the source is a site' }),
  })
  .meta({ id: 'Citation' })

const Neighbour = z.object({ chunkId: idOutput('chk'), text: z.string(), citation: Citation }).meta({ id: 'SearchNeighbour' })

const Explanation = z
  .object({
    words: z
      .array(
        z.object({
          word: z.string(),
          weight: z.number().meta({ description: 'How rare it is among the passages; half of that for a word of an earlier turn alone' }),
          bm25: z.number().meta({ description: 'What it brings' }),
        }),
      )
      .meta({ description: 'Words of the question that the passage has, with what each brings; those that bring most come first' }),
    bm25: z.number().meta({ description: 'Sum of what the words bring; lexical is bm25 / (bm25 + halfBm25)' }),
    halfBm25: z.number().meta({ description: '20, and less in a base of fewer than a thousand passages' }),
    cosine: z
      .number()
      .nullable()
      .meta({ description: 'Of the embeddings, -1 to 1; vector is 0 where it is less. null where none were compared' }),
    weights: z
      .object({ vector: z.number(), lexical: z.number() })
      .meta({ description: 'The match is the weighted mean; 0 for a side that was not asked' }),
    formula: z.string().meta({
      examples: [
        'vector = 0.5; lexical = 5 / (5 + 20) = 0.2; match = (1 × vector + 2.5 × lexical) / 3.5 = 0.285714; agreement = 0.2; score = (match + 0.4 × agreement) / 1.4 = 0.261224',
      ],
    }),
  })
  .meta({ id: 'SearchExplanation' })

export const SearchHit = z
  .object({
    chunkId: idOutput('chk'),
    sourceId: idOutput('src'),
    baseId: idOutput('kb'),
    sourceName: z.string(),
    url: z.string().nullable().meta({
      description:
        'Of the source, by its canonical address, or of the page where it is a site; that of a video leads to the second at which the passage is spoken',
    }),
    text: z.string(),
    score: z.number().meta({ description: '0 to 1, on the scale that `scoredBy` names; see docs/retrieval.md' }),
    scores: z
      .object({
        vector: z.number().nullable(),
        lexical: z.number().nullable(),
        agreement: z
          .number()
          .nullable()
          .meta({ description: 'With the two best matches; null where one side alone was asked, or there was nothing to compare' }),
        rerank: z.number().nullable().default(null).meta({ description: "The reranker's relevance" }),
      })
      .meta({ description: 'What there is to the score, each 0 to 1; null for what was not asked' }),
    citation: Citation,
    duplicates: z.number().int().meta({ description: 'Passages of the same text that were left out above the end of the list' }),
    neighbours: z
      .object({ before: z.array(Neighbour), after: z.array(Neighbour) })
      .optional()
      .meta({ description: 'What stands before and after the passage, in the order of the document; only where it was asked for' }),
    explanation: Explanation.optional().meta({ description: 'How the score came about; only where it was asked for' }),
  })
  .meta({ id: 'SearchHit' })
export type SearchHit = z.input<typeof SearchHit>

export const SearchReply = z
  .object({
    data: z.array(SearchHit),
    query: z.string().meta({ description: 'What was searched for: of messages the last question, behind those that it leans on' }),
    scoredBy: z.enum(['hybrid', 'vector', 'lexical', 'rerank']).meta({
      description:
        'What `score` is in this answer: (match + 0.4 × agreement) / 1.4, where the match is (vector + 2.5 × lexical) / 3.5; or the one score of that name',
    }),
    timings: z.object({
      embedMs: z.number(),
      searchMs: z.number(),
      rerankMs: z.number().default(0).meta({ description: '0 where nothing was reranked' }),
      assembleMs: z.number(),
      totalMs: z.number(),
    }),
    degraded: z.array(z.string()).meta({
      description:
        'What was asked for and left out: `vector` (words alone were compared, of all sources or of some), `rerank`, `neighbours`, `explain`, or `search` where the passages were not found in time; empty when nothing was',
    }),
  })
  .meta({ id: 'SearchReply' })
export type SearchReply = z.input<typeof SearchReply>

const headers = {
  'Server-Timing': 'Milliseconds spent on embedding the query, on the search, on reranking, on assembling the answer, and in total',
}

export const search = {
  base: route({
    method: 'POST',
    path: '/v1/bases/{baseId}/search',
    summary: 'Find the passages that answer a question',
    scope: 'search:read',
    reads: true,
    params: z.object({ baseId: idInput('kb') }),
    body: SearchBase,
    status: 200,
    reply: SearchReply,
    headers,
    errors: ['conflict'],
  }),
  all: route({
    method: 'POST',
    path: '/v1/search',
    summary: 'Find the passages of several bases that answer a question',
    description:
      'Their passages are compared by one scale, and words weigh by how common they are in all of these bases. What the request leaves open is as in a new base, whatever the bases are set to. A base that is not there, or that the token may not see, is 422.',
    scope: 'search:read',
    reads: true,
    body: SearchBases,
    status: 200,
    reply: SearchReply,
    headers,
  }),
}
