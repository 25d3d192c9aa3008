import { idInput, numberFrom, type SearchHit, text, wholeNumber } from '@groundwork/api'
import { z } from 'zod'
import { searchBase } from '../../knowledge/search/search-base.ts'
import { AppError } from '../../lib/errors.ts'
import type { IntegrationContext } from '../integration.ts'
import { parsed, statusOf, type IntegrationResponse, type IntegrationEndpoint } from '../integration.ts'
import { metadataOf, type Metadata } from '../source-metadata.ts'
import { MetadataCondition, toSearchFilter } from './conditions.ts'

const Retrieval = z.object({
  knowledge_id: z.string(),
  query: text(1, 4000),
  retrieval_setting: z.object({
    top_k: wholeNumber(1, 100).nullish(),
    score_threshold: numberFrom(0, 1).nullish(),
  }),
  metadata_condition: MetadataCondition.nullish(),
})

/** Dify's external knowledge API. In Dify, `<URL>/dify` is the endpoint and the id of a knowledge base is the knowledge id. */
export const difyEndpoints: readonly IntegrationEndpoint[] = [
  {
    via: 'dify',
    method: 'POST',
    path: '/dify/retrieval',
    scope: 'search:read',
    formatError: refuse,
    handle: async (ctx, { body }) => ({ status: 200, body: { records: await retrieve(ctx, parsed(Retrieval, body)) } }),
  },
]

/** @throws AppError `not_found`, `unavailable`; `validation_error` for invalid conditions */
async function retrieve(ctx: IntegrationContext, input: z.output<typeof Retrieval>): Promise<object[]> {
  const { knowledge_id, query, retrieval_setting, metadata_condition: condition } = input
  const base = idInput('kb').safeParse(knowledge_id)
  if (!base.success) throw new AppError('not_found', 'There is no such knowledge base.')
  const { top_k: topK, score_threshold: similarityThreshold } = retrieval_setting
  const { data } = await searchBase(ctx, base.data, {
    query,
    topK: topK ?? undefined,
    similarityThreshold: similarityThreshold ?? undefined,
    filter: condition ? toSearchFilter(condition) : undefined,
  })
  const metadata = await metadataOf(
    ctx,
    data.map(({ sourceId }) => sourceId),
  )
  return data.map((hit) => toRecord(hit, metadata(hit.sourceId)))
}

function toRecord(
  { chunkId, sourceId, sourceName, url, text: content, highlights: [best], score, citation }: SearchHit,
  metadata: Metadata,
): object {
  const { title, page, startSecond, headingPath } = citation
  const place = {
    chunkId,
    sourceId,
    sourceName,
    url,
    page,
    startSecond,
    highlight: best === undefined ? null : content.slice(best.start, best.end),
    headings: headingPath.length === 0 ? null : headingPath.join(' > '),
  }
  const known = Object.entries(place).filter(([, value]) => value !== null)
  return { content, score, title: title ?? sourceName, metadata: { ...metadata, ...Object.fromEntries(known) } }
}

/** Dify expects 403 for an invalid key when it validates the endpoint. For other errors it shows the message. */
function refuse(error: AppError, { secret }: { secret: string }): IntegrationResponse {
  const { message, code } = error
  if (code === 'unauthorized' && secret === '') return refused(403, 1001, 'the header Authorization: Bearer <API token> is missing')
  if (code === 'unauthorized' || code === 'forbidden') return refused(403, 1002, message)
  if (code === 'not_found') return refused(404, 2001, message)
  return refused(statusOf(error), statusOf(error), message)
}

const refused = (status: number, error_code: number, error_msg: string): IntegrationResponse => ({
  status,
  body: { error_code, error_msg },
})
