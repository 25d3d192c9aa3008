import { z } from 'zod'
import { route } from './route.ts'
import { createdAt, idInput, idOutput, limit, pageOf, pageQuery, queryBoolean, queryTime, text, Timestamp } from './schemas.ts'
import { scoredBy, searchTimings } from './search.ts'

const bestScore = z.number().nullable().meta({
  description: 'Score of the best passage, also of another knowledge base if several were searched together; null if no passage was found.',
})

/** A search in one knowledge base. */
const Retrieval = z
  .object({
    id: idOutput('ret'),
    query: z.string().describe('The text searched for, at most its first 4,000 characters.'),
    hits: z
      .array(
        z.object({
          chunkId: idOutput('chk').nullable().describe('Id of the chunk; null once its source is deleted.'),
          sourceId: idOutput('src').nullable().describe('Id of the source; null once it is deleted.'),
          score: z.number().describe('Score of the passage, 0 to 1.'),
        }),
      )
      .describe('Returned passages of this knowledge base, best first.'),
    bestScore,
    unanswered: z.boolean().describe('Whether no passage was found, or the `confidence` of the search was below 0.5.'),
    scoredBy: scoredBy.describe('Kind of the scores, as in the response of the search.'),
    timings: z.object(searchTimings).describe('Duration of each step in milliseconds.'),
    degraded: z.array(z.string()).describe('Parts that were left out, as in the response of the search.'),
    via: z
      .enum(['api', 'mcp', 'openai', 'dify', 'vapi', 'playground'])
      .describe(
        'Interface of the search: this API, the Model Context Protocol, an integration with OpenAI, Dify or Vapi, or the playground, that is, a signed-in user. Searches of the playground are in no statistic, and never among the unanswered questions.',
      ),
    tokenId: idOutput('tok').nullable().describe('API token of the search; null for a search by a user.'),
    createdAt: createdAt.describe('Time of the search: UTC with milliseconds (ISO 8601).'),
  })
  .meta({ id: 'Retrieval', description: 'A logged search.' })
export type Retrieval = z.input<typeof Retrieval>

export const UnansweredQuestion = z
  .object({
    question: z.string().describe('The question in its most recent wording.'),
    times: z.number().int().describe('Number of searches for it.'),
    lastAt: Timestamp.describe('Time of the last search for it: UTC with milliseconds (ISO 8601).'),
    bestScore,
  })
  .meta({
    id: 'UnansweredQuestion',
    description: 'A question without a good answer: no passage was found, or the `confidence` was below 0.5.',
  })
export type UnansweredQuestion = z.input<typeof UnansweredQuestion>

export const RetrievalDay = z
  .object({
    day: z.iso.date().meta({ description: 'Day in UTC.', examples: ['2026-05-25'] }),
    searches: z.number().int().describe('Number of searches.'),
    unanswered: z.number().int().describe('Number of searches without a good answer.'),
    p50Ms: z.number().describe('Median of the total time in milliseconds.'),
    p95Ms: z.number().describe('95th percentile of the total time in milliseconds.'),
  })
  .meta({ id: 'RetrievalDay', description: 'Searches of one day.' })
export type RetrievalDay = z.input<typeof RetrievalDay>

const since = queryTime.optional().meta({ description: 'Only searches at or after this time.' })
const until = queryTime.optional().meta({ description: 'Only searches before this time.' })

/** The orders of the list of searches; `-` means descending. */
export const retrievalSorts = ['-createdAt', 'createdAt', '-bestScore', 'bestScore', '-totalMs', 'totalMs'] as const
export type RetrievalSort = (typeof retrievalSorts)[number]

const ListRetrievals = z.strictObject({
  ...pageQuery,
  since,
  until,
  unanswered: queryBoolean.optional().meta({ description: 'true: only searches without a good answer; false: only the others.' }),
  q: text(1, 200)
    .optional()
    .meta({ description: 'Only searches with this text in the question, in any case.', examples: ['opening hours'] }),
  sort: z
    .enum(retrievalSorts)
    .default('-createdAt')
    .describe(
      'Order of the list; `-` means descending. `totalMs` is that of `timings`. A search without a `bestScore` counts as the lowest. `-createdAt` by default.',
    ),
})
export type ListRetrievals = z.output<typeof ListRetrievals>

const ListUnanswered = z.strictObject({ limit, since, until })
export type ListUnanswered = z.output<typeof ListUnanswered>

const RetrievalStats = z.strictObject({
  since: since.meta({ description: 'Only searches at or after this time. The last 30 days by default.' }),
})
export type RetrievalStats = z.output<typeof RetrievalStats>

const params = z.object({ baseId: idInput('kb') })

export const retrievals = {
  list: route({
    method: 'GET',
    path: '/v1/bases/{baseId}/retrievals',
    summary: 'List the logged searches of a knowledge base',
    description:
      'Newest first unless `sort` is given. A cursor belongs to its `sort`. Returns searches through every interface. A search is listed about a second after its response, and kept for the number of days in `retrievalLog`. Searches of evaluations are not logged.',
    scope: 'retrievals:read',
    params,
    query: ListRetrievals,
    status: 200,
    reply: pageOf(Retrieval),
  }),
  unanswered: route({
    method: 'GET',
    path: '/v1/bases/{baseId}/unanswered',
    summary: 'List questions without a good answer',
    answer: 'The questions.',
    description:
      'Returns questions whose searches found no passage or had a `confidence` below 0.5, most frequent first. Questions that differ only in case, white space or punctuation at either end count as one. Searches in the playground of the dashboard are left out.',
    scope: 'retrievals:read',
    params,
    query: ListUnanswered,
    status: 200,
    reply: z.object({ data: z.array(UnansweredQuestion).describe('Questions, most frequent first.') }),
  }),
  stats: route({
    method: 'GET',
    path: '/v1/bases/{baseId}/retrievals/stats',
    summary: 'Get daily search statistics of a knowledge base',
    answer: 'The statistics of each day.',
    description:
      'Returns one entry per day, newest first. Days without searches are left out. Searches in the playground of the dashboard do not count.',
    scope: 'retrievals:read',
    params,
    query: RetrievalStats,
    status: 200,
    reply: z.object({ data: z.array(RetrievalDay).describe('Days, newest first.') }),
  }),
}
