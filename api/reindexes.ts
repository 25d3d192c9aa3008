import { z } from 'zod'
import { chunkingStrategies, overlapDescription, overlapRule, RagSettingsOverride, ReindexProgress } from './bases.ts'
import { sourceErrorCodes } from './errors.ts'
import { documented } from './field-rules.ts'
import { route } from './route.ts'
import { idInput, idOutput, pageOf, pageQuery, Timestamp } from './schemas.ts'

export const reindexStatuses = ['building', 'ready', 'switched', 'rolled_back', 'cancelled', 'failed'] as const

/** How an index is made. */
export const ReindexSettings = z
  .object({
    chunkingStrategy: z.enum(chunkingStrategies),
    chunkSize: z.number().int(),
    chunkOverlap: z.number().int(),
    embeddingModels: z.array(z.string()).meta({ description: 'Of the sources before; after, the one that the program has' }),
  })
  .meta({ id: 'ReindexSettings' })
export type ReindexSettings = z.output<typeof ReindexSettings>

const IndexMeasure = z
  .object({
    chunks: z.number().int(),
    meanTokens: z.number().nullable().meta({ description: 'Mean length of a chunk; null without one' }),
  })
  .meta({ id: 'IndexMeasure' })

const IndexAnswers = z
  .object({
    recall: z.number().meta({ description: 'Mean share of the expected sources of which a right passage came back, 0 to 1' }),
    mrr: z.number().meta({ description: 'Mean reciprocal rank of the first right passage, 0 to 1' }),
    found: z.number().int().meta({ description: 'Questions with a right passage' }),
  })
  .meta({ id: 'IndexAnswers' })

/** How the saved questions of a base are answered by either index. */
export const ReindexEvaluation = z
  .object({
    questions: z.number().int(),
    before: IndexAnswers.nullable(),
    after: IndexAnswers.nullable(),
    better: z.number().int().meta({ description: 'Questions whose first right passage stands higher than before' }),
    worse: z.number().int(),
    degraded: z.number().int().meta({ description: 'Searches of both that were not complete' }),
    error: z.string().nullable().meta({ description: 'Why the questions could not be asked' }),
  })
  .meta({ id: 'ReindexEvaluation' })
export type ReindexEvaluation = z.output<typeof ReindexEvaluation>

/** Failed sources that a re-index names; of more, `progress.failed` has the number. */
export const namedFailures = 100

export const Reindex = z
  .object({
    id: idOutput('rix'),
    baseId: idOutput('kb'),
    status: z.enum(reindexStatuses).meta({
      description:
        'building: sources are indexed beside what is searched; ready: all are, it can be switched; switched: it is what is searched; rolled_back: what was searched before is again; cancelled: ended without a switch; failed: it came to nothing, see error',
    }),
    error: z.string().nullable(),
    switchWhenReady: z.boolean().meta({
      description: 'Whether it switches by itself once it is ready, unless the saved questions of the base are answered worse',
    }),
    settings: z.object({ before: ReindexSettings, after: ReindexSettings }),
    progress: ReindexProgress,
    failures: z
      .array(z.object({ sourceId: idOutput('src'), errorCode: z.enum(sourceErrorCodes), error: z.string() }))
      .meta({ description: `Sources that could not be indexed anew, ${namedFailures} at most; they stay as they are` }),
    comparison: z
      .object({
        before: IndexMeasure,
        after: IndexMeasure,
        evaluation: ReindexEvaluation.nullable().meta({
          description: 'The saved questions of the base, asked in both; null without questions, and until all sources are built',
        }),
      })
      .meta({ description: 'The sources that are done, in the index that was there when each was built, and in the new one' }),
    rollbackUntil: Timestamp.nullable().meta({ description: 'Until when the switch can be rolled back; null where it cannot' }),
    readyAt: Timestamp.nullable(),
    switchedAt: Timestamp.nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Reindex' })
export type Reindex = z.input<typeof Reindex>

const StartReindex = documented(
  z.strictObject({
    ...RagSettingsOverride.shape,
    switchWhenReady: z.boolean().default(false).meta({
      description: 'Switch once it is ready, unless the saved questions of the base are answered worse; without it, a switch is asked for',
    }),
  }),
  overlapRule,
).meta({ id: 'StartReindex', description: overlapDescription, examples: [{ chunkSize: 256 }] })
export type StartReindex = z.output<typeof StartReindex>

const SwitchReindex = z
  .strictObject({
    force: z.boolean().default(false).meta({ description: 'Switch although the questions of the base are answered worse' }),
  })
  .meta({ id: 'SwitchReindex', examples: [{}] })
export type SwitchReindex = z.output<typeof SwitchReindex>

const ListReindexes = z.strictObject(pageQuery)
export type ListReindexes = z.output<typeof ListReindexes>

const inBase = z.object({ baseId: idInput('kb') })
const params = z.object({ baseId: idInput('kb'), reindexId: idInput('rix') })

export const reindexes = {
  start: route({
    method: 'POST',
    path: '/v1/bases/{baseId}/reindexes',
    summary: 'Index all sources of a base anew, beside what is searched',
    description:
      'From their stored texts, with these chunking settings (what is left out: as the base is set) and the embedding model that the program has now. Nothing of it is searched before the switch, which is asked for, or follows by itself with `switchWhenReady`. 409 while another one is building or ready.',
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
    summary: 'List the re-indexes of a base, newest first',
    scope: 'bases:read',
    params: inBase,
    query: ListReindexes,
    status: 200,
    reply: pageOf(Reindex),
  }),
  get: route({
    method: 'GET',
    path: '/v1/bases/{baseId}/reindexes/{reindexId}',
    summary: 'Get a re-index: how far it is, and how it compares',
    scope: 'bases:read',
    params,
    status: 200,
    reply: Reindex,
  }),
  switch: route({
    method: 'POST',
    path: '/v1/bases/{baseId}/reindexes/{reindexId}/switch',
    summary: 'Have the new index searched',
    description:
      'All sources and the chunking settings of the base change in one transaction. What was searched before is kept for seven days, or until the next re-index of the base begins. 409 unless it is ready, and, without force, where the saved questions of the base are answered worse: recall or mean reciprocal rank falls.',
    scope: 'bases:write',
    params,
    body: SwitchReindex,
    status: 200,
    reply: Reindex,
    errors: ['conflict'],
  }),
  rollback: route({
    method: 'POST',
    path: '/v1/bases/{baseId}/reindexes/{reindexId}/rollback',
    summary: 'Have the index before the switch searched again',
    description:
      'In one transaction, with the chunking settings of that time. Content that was replaced since stays as it is. 409 when what was searched before is no longer kept.',
    scope: 'bases:write',
    params,
    status: 200,
    reply: Reindex,
    errors: ['conflict'],
  }),
  cancel: route({
    method: 'POST',
    path: '/v1/bases/{baseId}/reindexes/{reindexId}/cancel',
    summary: 'End a re-index without a switch',
    description: 'What was built goes. 409 unless it is building or ready.',
    scope: 'bases:write',
    params,
    status: 200,
    reply: Reindex,
    errors: ['conflict'],
  }),
}
