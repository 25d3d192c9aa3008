import { z } from 'zod'
import { chunkingStrategies, overlapDescription, overlapRule, RagSettingsOverride, ReindexProgress } from './bases.ts'
import { sourceErrorCodes } from './errors.ts'
import { documented } from './field-rules.ts'
import { route } from './route.ts'
import { createdAt, idInput, idOutput, pageOf, pageQuery, Timestamp, updatedAt } from './schemas.ts'

export const reindexStatuses = ['building', 'ready', 'switched', 'rolled_back', 'cancelled', 'failed'] as const

/** Chunking settings and embedding models of an index. */
export const ReindexSettings = z
  .object({
    chunkingStrategy: z.enum(chunkingStrategies).describe('Strategy that splits texts into chunks.'),
    chunkSize: z.number().int().describe('Maximum number of tokens in a chunk.'),
    chunkOverlap: z.number().int().describe('Number of tokens repeated from the previous chunk.'),
    embeddingModels: z
      .array(z.string())
      .describe('Embedding models: those of the sources in the former index, that of the program in the new one.'),
  })
  .meta({ id: 'ReindexSettings', description: 'Chunking settings and embedding models of an index.' })
export type ReindexSettings = z.output<typeof ReindexSettings>

const IndexMeasure = z
  .object({
    chunks: z.number().int().describe('Number of chunks.'),
    meanTokens: z.number().nullable().describe('Mean length of a chunk in tokens; null without chunks.'),
  })
  .meta({ id: 'IndexMeasure', description: 'Size of an index.' })

const IndexAnswers = z
  .object({
    recall: z.number().describe('Mean share of the expected sources with a passage, 0 to 1.'),
    mrr: z.number().describe('Mean reciprocal rank of the first correct passage, 0 to 1.'),
    found: z.number().int().describe('Number of questions with a correct passage.'),
  })
  .meta({ id: 'IndexAnswers', description: 'Retrieval quality of an index, measured with the evaluation questions.' })

/** Retrieval quality of both indexes, measured with the evaluation questions. */
export const ReindexEvaluation = z
  .object({
    questions: z.number().int().describe('Number of questions searched in both indexes.'),
    before: IndexAnswers.nullable().describe('Quality of the former index; null if the questions could not be searched.'),
    after: IndexAnswers.nullable().describe('Quality of the new index; null if the questions could not be searched.'),
    better: z.number().int().describe('Number of questions with a better rank in the new index.'),
    worse: z.number().int().describe('Number of questions with a worse rank in the new index.'),
    degraded: z.number().int().describe('Number of incomplete searches in both indexes.'),
    error: z.string().nullable().describe('Reason why the questions could not be searched; null otherwise.'),
  })
  .meta({ id: 'ReindexEvaluation', description: 'Comparison of both indexes with the evaluation questions.' })
export type ReindexEvaluation = z.output<typeof ReindexEvaluation>

/** Maximum number of failed sources in `failures`; `progress.failed` counts all. */
export const namedFailures = 100

export const Reindex = z
  .object({
    id: idOutput('rix'),
    baseId: idOutput('kb'),
    status: z
      .enum(reindexStatuses)
      .describe(
        '`building`: the new index is being built; `ready`: it is complete and can be switched to; `switched`: searches use it; `rolled_back`: searches use the former index again; `cancelled`: ended without a switch; `failed`: see `error`.',
      ),
    error: z.string().nullable().describe('Reason of the failure; null otherwise.'),
    switchWhenReady: z
      .boolean()
      .describe('Whether it switches automatically when it is ready, unless the evaluation questions get worse results.'),
    settings: z
      .object({
        before: ReindexSettings.describe('Settings of the former index.'),
        after: ReindexSettings.describe('Settings of the new index.'),
      })
      .describe('Settings of both indexes.'),
    progress: ReindexProgress,
    failures: z
      .array(
        z.object({
          sourceId: idOutput('src'),
          errorCode: z.enum(sourceErrorCodes).describe('Stable code of the failure.'),
          error: z.string().describe('Reason of the failure, in English.'),
        }),
      )
      .describe(`Sources that could not be indexed, at most ${namedFailures}. Their former index stays in use.`),
    comparison: z
      .object({
        before: IndexMeasure.describe('Former index of the sources.'),
        after: IndexMeasure.describe('New index of the sources.'),
        evaluation: ReindexEvaluation.nullable().describe(
          'Comparison with the evaluation questions; null without questions, and until all sources are indexed.',
        ),
      })
      .describe('Both indexes of the sources that are done.'),
    rollbackUntil: Timestamp.nullable().describe('Time until which the switch can be rolled back; null if it cannot.'),
    readyAt: Timestamp.nullable().describe('Time at which the new index was complete; null before.'),
    switchedAt: Timestamp.nullable().describe('Time of the switch; null before.'),
    createdAt,
    updatedAt,
  })
  .meta({ id: 'Reindex', description: 'A second index of a knowledge base, built beside the one in use.' })
export type Reindex = z.input<typeof Reindex>

const StartReindex = documented(
  z.strictObject({
    ...RagSettingsOverride.shape,
    switchWhenReady: z
      .boolean()
      .default(false)
      .describe('true switches automatically when the index is ready, unless the evaluation questions get worse results.'),
  }),
  overlapRule,
).meta({
  id: 'StartReindex',
  description: `Chunking settings of the new index. Omitted settings are those of the knowledge base. ${overlapDescription}`,
  examples: [{ chunkSize: 256 }],
})
export type StartReindex = z.output<typeof StartReindex>

const SwitchReindex = z
  .strictObject({
    force: z.boolean().default(false).describe('true switches even if the evaluation questions get worse results.'),
  })
  .meta({ id: 'SwitchReindex', description: 'Options of the switch.', examples: [{}] })
export type SwitchReindex = z.output<typeof SwitchReindex>

const ListReindexes = z.strictObject(pageQuery)
export type ListReindexes = z.output<typeof ListReindexes>

const inBase = z.object({ baseId: idInput('kb') })
const params = z.object({ baseId: idInput('kb'), reindexId: idInput('rix') })

export const reindexes = {
  start: route({
    method: 'POST',
    path: '/v1/bases/{baseId}/reindexes',
    summary: 'Start a re-index of a knowledge base',
    description:
      'Indexes the stored texts of all sources again, with the given chunking settings and the current embedding model. Searches use the former index until the switch, which you request or which `switchWhenReady` makes automatic. 409 while another re-index is building or ready.',
    scope: 'bases:write',
    params: inBase,
    body: StartReindex,
    status: 201,
    reply: Reindex,
    errors: ['conflict'],
  }),
  list: route({
    method: 'GET',
    path: '/v1/bases/{baseId}/reindexes',
    summary: 'List the re-indexes of a knowledge base, newest first',
    scope: 'bases:read',
    params: inBase,
    query: ListReindexes,
    status: 200,
    reply: pageOf(Reindex),
  }),
  get: route({
    method: 'GET',
    path: '/v1/bases/{baseId}/reindexes/{reindexId}',
    summary: 'Get a re-index with its progress and comparison',
    scope: 'bases:read',
    params,
    status: 200,
    reply: Reindex,
  }),
  switch: route({
    method: 'POST',
    path: '/v1/bases/{baseId}/reindexes/{reindexId}/switch',
    summary: 'Switch searches to the new index',
    description:
      'Changes all sources and the chunking settings of the knowledge base in one transaction. The former index is kept for seven days, or until the next re-index starts. 409 unless the re-index is ready and, without `force`, if recall or mean reciprocal rank of the evaluation questions falls. 403 `quota_exceeded` if the new index has more chunks than the quota allows.',
    scope: 'bases:write',
    params,
    body: SwitchReindex,
    status: 200,
    reply: Reindex,
    errors: ['conflict', 'quota_exceeded'],
  }),
  rollback: route({
    method: 'POST',
    path: '/v1/bases/{baseId}/reindexes/{reindexId}/rollback',
    summary: 'Roll back to the former index',
    description:
      'Restores the former index and chunking settings in one transaction. Content replaced since the switch stays as it is. 409 if the former index is no longer kept, 403 `quota_exceeded` if it has more chunks than the quota allows.',
    scope: 'bases:write',
    params,
    status: 200,
    reply: Reindex,
    errors: ['conflict', 'quota_exceeded'],
  }),
  cancel: route({
    method: 'POST',
    path: '/v1/bases/{baseId}/reindexes/{reindexId}/cancel',
    summary: 'Cancel a re-index',
    description: 'Deletes the new index. 409 unless the re-index is building or ready.',
    scope: 'bases:write',
    params,
    status: 200,
    reply: Reindex,
    errors: ['conflict'],
  }),
}
