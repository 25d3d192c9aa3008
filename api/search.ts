import { z } from 'zod'
import { exactlyOne } from './field-rules.ts'
import { route } from './route.ts'
import { idInput, idOutput, numberFrom, text, wholeNumber } from './schemas.ts'
import { SearchFilter } from './search-filter.ts'

const SearchMessage = z
  .strictObject({
    role: z.enum(['user', 'assistant', 'system', 'tool']).describe('Author of the message. Only messages of the `user` are searched for.'),
    content: text(0, 20_000).describe('Text of the message. Can be empty.'),
  })
  .meta({ id: 'SearchMessage', description: 'A message of a conversation.' })
export type SearchMessage = z.output<typeof SearchMessage>

const asksSomething = (messages: readonly SearchMessage[]): boolean =>
  messages.some(({ role, content }) => role === 'user' && content !== '')
const question = { type: 'object', properties: { role: { const: 'user' }, content: { pattern: String.raw`\S` } } }

export const asked = {
  query: text(1, 4000)
    .optional()
    .meta({
      description: 'Question or keywords to search for. Exactly one of `query` and `messages` is required.',
      examples: ['When do you open on Sunday?'],
    }),
  messages: z
    .array(SearchMessage)
    .min(1)
    .max(100)
    .refine((messages) => asksSomething(messages), 'must contain a non-empty message of the user')
    .optional()
    .meta({
      contains: question,
      description:
        'Last messages of a conversation, oldest first, in place of `query`. The last message of the user is the question; if it refers to earlier ones ("and on Sunday?"), their words are searched for with a lower weight.',
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
      'true if the last word may be unfinished, as in live speech recognition: from three letters on, it also matches words that begin with it. Such searches are not logged.',
  }),
  topK: wholeNumber(1, 100)
    .optional()
    .meta({ description: 'Maximum number of passages to return. By default the setting of the knowledge base, or 10 for several.' }),
  similarityThreshold: numberFrom(0, 1).optional().meta({
    description: 'Minimum score of returned passages, from 0 to 1. By default the setting of the knowledge base, or 0 for several.',
  }),
  hybridSearch: z.boolean().optional().meta({
    description:
      'true combines vector and keyword search (BM25); false uses vector search alone. By default the setting of the knowledge base, or true for several.',
  }),
  rerank: z.boolean().optional().meta({
    description:
      'true lets the reranker of the operator score the 50 best passages; `score` is then its relevance. By default the setting of the knowledge base, or false for several.',
  }),
  sourceIds: z
    .array(idInput('src'))
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'Only passages of these sources, at most 100. Does not change scores.' }),
  filter: SearchFilter.optional().meta({ description: 'Only passages of sources whose metadata match. Does not change scores.' }),
  collapseDuplicates: z
    .boolean()
    .optional()
    .meta({ description: 'Whether passages with equal text are merged into the best one. true by default.' }),
  neighbours: wholeNumber(0, 3).optional().meta({
    description: 'Number of neighbouring passages to return before and after each passage, from the same document. 0 by default.',
  }),
  explain: z.boolean().optional().meta({ description: 'true adds an explanation of the score to each passage. false by default.' }),
  latencyBudgetMs: wholeNumber(1, 10_000).optional().meta({
    description:
      'Maximum time in milliseconds from the arrival of the request to its response. To keep it, the search leaves out in this order: reranking, the query embedding, neighbours, explanations and highlights, and finally passages not yet found. `degraded` lists the parts left out. No limit by default.',
  }),
  perSourceLimit: wholeNumber(1, 100).optional().meta({ description: 'Maximum number of passages from one source. No limit by default.' }),
}

/** Requires exactly one of query and messages. */
export function oneQuestion<S extends z.ZodType>(schema: S): S {
  return exactlyOne(schema, ['query', 'messages'], { field: 'query', message: 'is required unless messages are given' })
}

const SearchBase = oneQuestion(
  z.strictObject({
    ...asked,
    reindexId: idInput('rix').optional().meta({
      description:
        'Searches the new index of this re-index before the switch; sources not yet built are searched in the former index. 422 for an unknown id, 409 unless the re-index is building or ready. Such searches are not logged.',
    }),
  }),
).meta({
  id: 'SearchRequest',
  description: 'A search in one knowledge base.',
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
      .meta({ description: 'Ids of the knowledge bases to search as one, 1 to 20.' }),
    ...asked,
  }),
).meta({
  id: 'SearchBasesRequest',
  description: 'A search in several knowledge bases.',
  examples: [{ baseIds: ['kb_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8'], query: 'When do you open on Sunday?' }],
})
export type SearchBases = z.output<typeof SearchBases>

const Citation = z
  .object({
    page: z.number().int().nullable().describe('First page of the passage, from 1; null for formats without pages.'),
    pageEnd: z.number().int().nullable().describe('Last page of the passage, from 1; null for formats without pages.'),
    startSecond: z.number().int().nullable().describe('Second of the recording at which the passage begins; null without a recording.'),
    headingPath: z.array(z.string()).describe('Headings above the passage, outermost first.'),
    start: z.number().int().describe('Offset of the passage in the extracted text, in UTF-16 code units.'),
    end: z.number().int().describe('Offset of the end of the passage, exclusive.'),
    title: z.string().nullable().describe('Title of the document, or of the page of a site; null without one.'),
  })
  .meta({ id: 'Citation', description: 'Position of a passage in its document.' })

const Neighbour = z
  .object({ chunkId: idOutput('chk'), text: z.string().describe('Text of the passage.'), citation: Citation })
  .meta({ id: 'SearchNeighbour', description: 'A passage next to a search result.' })

const Highlight = z
  .object({
    start: z.number().int().describe('Offset in `text`, in UTF-16 code units.'),
    end: z.number().int().describe('Offset of the end in `text`, exclusive.'),
  })
  .meta({
    id: 'SearchHighlight',
    description: 'A sentence, table row, list item or line of code in a passage.',
    examples: [{ start: 14, end: 58 }],
  })

const Explanation = z
  .object({
    words: z
      .array(
        z.object({
          word: z.string().describe('Word of the query.'),
          weight: z.number().describe('Inverse document frequency of the word; half of it for a word of earlier messages only.'),
          bm25: z.number().describe('BM25 contribution of the word.'),
        }),
      )
      .describe('Query words in the passage, in descending order of their BM25 contribution.'),
    bm25: z.number().describe('Sum of the contributions. The lexical score is bm25 / (bm25 + halfBm25).'),
    halfBm25: z
      .number()
      .describe('BM25 at which the lexical score is one half: 20, or less in a knowledge base with fewer than 1,000 chunks.'),
    cosine: z
      .number()
      .nullable()
      .describe(
        'Cosine similarity of the embeddings, -1 to 1; a negative one counts as 0 in the vector score. Null if no embeddings were compared.',
      ),
    weights: z
      .object({
        vector: z.number().describe('Weight of the vector score; 0 if it was not used.'),
        lexical: z.number().describe('Weight of the lexical score; 0 if it was not used.'),
      })
      .describe('Weights of both scores in their mean.'),
    formula: z.string().meta({
      description: 'Calculation of the score with its numbers, rounded to six decimals.',
      examples: [
        'vector = 0.5; lexical = 5 / (5 + 20) = 0.2; match = (1 × vector + 2.5 × lexical) / 3.5 = 0.285714; agreement = 0.2; sentence = 0.6; relevance = (match + 0.4 × agreement) / 1.4 + 0.07 × sentence = 0.303224; score = (s(relevance) - s(0)) / (s(1) - s(0)) with s(x) = 1 / (1 + e^(8 × (0.3 - x))) = 0.463536',
      ],
    }),
  })
  .meta({ id: 'SearchExplanation', description: 'Calculation of the score of a passage.' })

export const SearchHit = z
  .object({
    chunkId: idOutput('chk'),
    sourceId: idOutput('src'),
    baseId: idOutput('kb'),
    sourceName: z.string().describe('Name of the source.'),
    url: z
      .string()
      .nullable()
      .describe(
        'URL for citations: the canonical URL of the source, the page of a site, or a video at the second of the passage. Null for uploaded files.',
      ),
    text: z.string().describe('Text of the passage.'),
    highlights: z
      .array(Highlight)
      .describe(
        'Sentences or table rows of the passage that best answer the question, best first: 1 to 3, or none if `degraded` contains `highlights`. `text.slice(start, end)` is the sentence.',
      ),
    score: z
      .number()
      .describe(
        'Relevance of the passage, 0 to 1, on one scale for `hybrid`, `vector` and `lexical` searches; with reranking, that of the reranker.',
      ),
    scores: z
      .object({
        vector: z.number().nullable().describe('Cosine similarity of the embeddings, 0 to 1; null if none were compared.'),
        lexical: z.number().nullable().describe('Normalized BM25 score, 0 to 1; null without keyword search.'),
        agreement: z
          .number()
          .nullable()
          .describe('Similarity to the two best matches (pseudo-relevance feedback), 0 to 1; null if it was not used.'),
        sentence: z
          .number()
          .nullable()
          .default(null)
          .describe(
            'How clearly one sentence of the passage answers the question, 0 to 1; 0 in most passages. Null after the ten best passages and without keyword search.',
          ),
        rerank: z.number().nullable().default(null).describe('Relevance according to the reranker, 0 to 1; null without reranking.'),
      })
      .describe('Parts of the score.'),
    citation: Citation,
    duplicates: z
      .number()
      .int()
      .describe('Number of passages with equal text that were found and merged into this one. A larger `topK` can find more.'),
    neighbours: z
      .object({
        before: z.array(Neighbour).describe('Passages before this one, in document order.'),
        after: z.array(Neighbour).describe('Passages after this one, in document order.'),
      })
      .optional()
      .describe('Neighbouring passages of the same document; only if requested.'),
    explanation: Explanation.optional().describe('Calculation of the score; only if requested.'),
  })
  .meta({ id: 'SearchHit', description: 'A passage that matches the query.' })
export type SearchHit = z.input<typeof SearchHit>

/** Kinds of scores. */
export const scoredBy = z.enum(['hybrid', 'vector', 'lexical', 'rerank'])

/** Duration of each step of a search, in milliseconds. */
export const searchTimings = {
  embedMs: z.number().describe('Time for the query embedding.'),
  searchMs: z.number().describe('Time for the search itself.'),
  rerankMs: z.number().describe('Time for reranking; 0 without it.'),
  assembleMs: z.number().describe('Time for assembling the response.'),
  totalMs: z.number().describe('Total time.'),
}

export const SearchReply = z
  .object({
    data: z.array(SearchHit).describe('Passages, best first.'),
    query: z.string().describe('The text searched for. For `messages`: the last question, after the earlier messages that it refers to.'),
    confidence: z
      .number()
      .describe(
        'Estimated probability that the passages answer the question, 0 to 1. Computed from the best matches of the whole knowledge bases: `hybridSearch`, filters, `topK` and the threshold do not change it. Below 0.5, an agent should say that it does not know. 0 if no passage was found in time.',
      ),
    belowThreshold: z
      .number()
      .int()
      .describe('Number of passages among the `topK` best that were left out because their score is below `similarityThreshold`.'),
    scoredBy: scoredBy.describe(
      'The relevance behind `score`. `hybrid`: (match + 0.4 × agreement) / 1.4 + 0.07 × sentence with match = (vector + 2.5 × lexical) / 3.5; `lexical`: lexical + 0.07 × sentence; `vector`: the vector score. For `rerank`, it is the relevance according to the reranker.',
    ),
    timings: z.object({ ...searchTimings, rerankMs: searchTimings.rerankMs.default(0) }).describe('Duration of each step in milliseconds.'),
    degraded: z.array(z.string()).meta({
      description:
        'Requested parts that were left out; empty for a complete search. `vector`: only keywords were compared, for some or all passages; `rerank`, `neighbours`, `explain`, `highlights`: left out; `search`: the passages were not found in time; `index`: the search engine of the operator lacks the latest changes.',
      examples: [['rerank']],
    }),
  })
  .meta({ id: 'SearchReply', description: 'The result of a search.' })
export type SearchReply = z.input<typeof SearchReply>

const headers = {
  'Server-Timing': 'Duration of the query embedding, the search, reranking, assembling and the total, in milliseconds.',
}

export const search = {
  base: route({
    method: 'POST',
    path: '/v1/bases/{baseId}/search',
    summary: 'Search a knowledge base',
    description:
      'Returns the passages that best answer a question, with scores and citations. 409 for a `reindexId` that is not building or ready.',
    answer: 'The best passages.',
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
    summary: 'Search several knowledge bases',
    answer: 'The best passages.',
    description:
      'Ranks the passages of all given knowledge bases together, with word frequencies counted over all of them. Omitted options have the defaults of a new knowledge base; the settings of these knowledge bases do not apply. 422 for a knowledge base that does not exist or that the token cannot see.',
    scope: 'search:read',
    reads: true,
    body: SearchBases,
    status: 200,
    reply: SearchReply,
    headers,
  }),
}
