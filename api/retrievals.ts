import { z } from 'zod'
import { route } from './route.ts'
import { idInput, idOutput, limit, pageOf, pageQuery, queryBoolean, queryTime, Timestamp } from './schemas.ts'

const bestScore = z.number().nullable().meta({
  description: 'Of the best passage that was found, in another base too where several were searched as one; null where there was none',
})

/** One search as one base knows it. */
const Retrieval = z
  .object({
    id: idOutput('ret'),
    query: z.string().meta({ description: 'What was searched for; its first 4,000 characters' }),
    hits: z
      .array(
        z.object({
          chunkId: idOutput('chk').nullable(),
          sourceId: idOutput('src').nullable().meta({ description: 'null once the source is deleted' }),
          score: z.number(),
        }),
      )
      .meta({ description: 'Passages of this base, best first' }),
    bestScore,
    unanswered: z.boolean().meta({ description: 'Whether no passage reached .2, or none was found' }),
    scoredBy: z.enum(['hybrid', 'vector', 'lexical', 'rerank']).meta({ description: 'What the scores are, as the answer told it' }),
    timings: z.object({ embedMs: z.number(), searchMs: z.number(), rerankMs: z.number(), assembleMs: z.number(), totalMs: z.number() }),
    degraded: z.array(z.string()).meta({ description: 'As the answer told it' }),
    via: z.enum(['api', 'mcp', 'openai', 'dify', 'vapi']).meta({ description: 'By which of the doors it came' }),
    tokenId: idOutput('tok').nullable(),
    createdAt: Timestamp,
  })
  .meta({ id: 'Retrieval' })
export type Retrieval = z.input<typeof Retrieval>

export const UnansweredQuestion = z
  .object({
    question: z.string().meta({ description: 'As it was asked last' }),
    times: z.number().int(),
    lastAt: Timestamp,
    bestScore,
  })
  .meta({ id: 'UnansweredQuestion' })
export type UnansweredQuestion = z.input<typeof UnansweredQuestion>

export const RetrievalDay = z
  .object({
    day: z.iso.date().meta({ description: 'UTC' }),
    searches: z.number().int(),
    unanswered: z.number().int(),
    p50Ms: z.number().meta({ description: 'Half of the searches took no longer in all' }),
    p95Ms: z.number(),
  })
  .meta({ id: 'RetrievalDay' })
export type RetrievalDay = z.input<typeof RetrievalDay>

const since = queryTime.optional().meta({ description: 'From this moment on' })
const until = queryTime.optional().meta({ description: 'Before this moment' })

const ListRetrievals = z.strictObject({
  ...pageQuery,
  since,
  until,
  unanswered: queryBoolean.optional().meta({ description: 'Only those without a good answer, or only those with one' }),
})
export type ListRetrievals = z.output<typeof ListRetrievals>

const ListUnanswered = z.strictObject({ limit, since, until })
export type ListUnanswered = z.output<typeof ListUnanswered>

const RetrievalStats = z.strictObject({ since: since.meta({ description: 'From this moment on; the last 30 days by default' }) })
export type RetrievalStats = z.output<typeof RetrievalStats>

const params = z.object({ baseId: idInput('kb') })

export const retrievals = {
  list: route({
    method: 'GET',
    path: '/v1/bases/{baseId}/retrievals',
    summary: 'List the searches of a knowledge base, newest first',
    description:
      'By whichever door they came. A search is here about a second after its answer, and for as many days as the base keeps it. Evaluations are not written down.',
    scope: 'retrievals:read',
    params,
    query: ListRetrievals,
    status: 200,
    reply: pageOf(Retrieval),
  }),
  unanswered: route({
    method: 'GET',
    path: '/v1/bases/{baseId}/unanswered',
    summary: 'List the questions that a knowledge base has no good answer to',
    description:
      'Those of which no passage reached a score of .2, the most asked first. Questions are one that differ in capitals, white space or marks at their end.',
    scope: 'retrievals:read',
    params,
    query: ListUnanswered,
    status: 200,
    reply: z.object({ data: z.array(UnansweredQuestion) }),
  }),
  stats: route({
    method: 'GET',
    path: '/v1/bases/{baseId}/retrievals/stats',
    summary: 'Count the searches of a knowledge base by day',
    description: 'Newest day first; a day without a search is left out.',
    scope: 'retrievals:read',
    params,
    query: RetrievalStats,
    status: 200,
    reply: z.object({ data: z.array(RetrievalDay) }),
  }),
}
