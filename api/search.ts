import { z } from 'zod'
import { route } from './route.ts'
import { idInput, idOutput, text } from './schemas.ts'
import { SearchFilter } from './search-filter.ts'

const SearchBase = z
  .strictObject({
    query: text(1, 4000),
    topK: z.number().int().min(1).max(100).optional().meta({ description: "The base's setting by default" }),
    similarityThreshold: z.number().min(0).max(1).optional().meta({ description: 'Least score of a passage to be returned' }),
    hybridSearch: z.boolean().optional().meta({ description: 'false: by meaning alone' }),
    sourceIds: z.array(idInput('src')).min(1).max(100).optional().meta({ description: 'Search these sources only' }),
    filter: SearchFilter.optional().meta({ description: 'Search sources with such metadata only; it changes no score' }),
    perSourceLimit: z.number().int().min(1).max(100).optional().meta({ description: 'Passages at most from one source' }),
  })
  .meta({ id: 'SearchRequest', examples: [{ query: 'When do you open on Sunday?', topK: 5 }] })
export type SearchBase = z.output<typeof SearchBase>

export const SearchHit = z
  .object({
    chunkId: idOutput('chk'),
    sourceId: idOutput('src'),
    sourceName: z.string(),
    url: z.string().nullable().meta({
      description:
        'Of the source, by its canonical address, or of the page where it is a site; that of a video leads to the second at which the passage is spoken',
    }),
    text: z.string(),
    score: z
      .number()
      .meta({ description: '0 to 1: (vector + 2.5 × lexical) / 3.5, or the one side that was asked; see docs/retrieval.md' }),
    scores: z.object({ vector: z.number().nullable(), lexical: z.number().nullable() }),
    citation: z.object({
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
    }),
  })
  .meta({ id: 'SearchHit' })
export type SearchHit = z.input<typeof SearchHit>

export const SearchReply = z
  .object({
    data: z.array(SearchHit),
    timings: z.object({ embedMs: z.number(), searchMs: z.number(), totalMs: z.number() }),
    degraded: z.array(z.string()).meta({ description: 'What was left out, and why; empty when nothing was' }),
  })
  .meta({ id: 'SearchReply' })
export type SearchReply = z.input<typeof SearchReply>

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
    headers: { 'Server-Timing': 'Milliseconds spent on embedding the query and on the search' },
  }),
}
