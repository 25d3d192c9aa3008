import { z } from 'zod'
import { documented } from './field-rules.ts'
import { route } from './route.ts'
import {
  clearableText,
  createdAt,
  idInput,
  idOutput,
  languageTag,
  numberFrom,
  pageOf,
  pageQuery,
  text,
  Timestamp,
  updatedAt,
  wholeNumber,
} from './schemas.ts'

export const chunkingStrategies = ['semantic', 'sentence', 'fixed', 'markdown'] as const

const chunking = {
  chunkingStrategy: z
    .enum(chunkingStrategies)
    .describe(
      '`semantic`: cuts where structure and vocabulary change; `sentence`: whole sentences up to `chunkSize`; `fixed`: every `chunkSize` tokens, between words; `markdown`: one chunk per section.',
    ),
  chunkSize: wholeNumber(64, 2048).describe('Maximum number of tokens in a chunk.'),
  chunkOverlap: wholeNumber(0, 1023).describe('Number of tokens repeated from the previous chunk. Must be less than half of `chunkSize`.'),
}
const retrieval = {
  topK: wholeNumber(1, 100).describe('Maximum number of passages that a search returns.'),
  similarityThreshold: numberFrom(0, 1).describe(
    'Minimum score of returned passages, from 0 to 1. 0 returns all; 0.2 separates good answers from weak ones.',
  ),
  hybridSearch: z.boolean().describe('true combines vector and keyword search (BM25); false uses vector search alone.'),
}
const rerank = z
  .boolean()
  .describe('Whether the reranker of the operator scores the 50 best passages. Without a reranker, searches report `rerank` in `degraded`.')

export const RagSettings = z
  .object({ ...chunking, ...retrieval, rerank: rerank.default(false) })
  .meta({ id: 'RagSettings', description: 'Chunking and search settings of a knowledge base.' })
export type RagSettings = z.output<typeof RagSettings>

export const defaultRagSettings: RagSettings = {
  chunkingStrategy: 'semantic',
  chunkSize: 512,
  chunkOverlap: 64,
  topK: 10,
  similarityThreshold: 0,
  hybridSearch: true,
  rerank: false,
}

/** `chunkOverlap * 2 < chunkSize` in JSON Schema: bounds that follow from it and hold for omitted fields too. */
export const overlapRule = {
  allOf: [32, 48, 64, 96, 128, 192, 256, 384, 512, 768].map((minimum) => ({
    if: { required: ['chunkOverlap'], properties: { chunkOverlap: { minimum } } },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { properties: { chunkSize: { minimum: 2 * minimum + 1 } } },
  })),
}
export const overlapDescription = '`chunkOverlap` must be less than half of `chunkSize`; an omitted field counts with its current value.'

export const RagSettingsInput = documented(z.strictObject({ ...chunking, ...retrieval, rerank }).partial(), overlapRule).meta({
  id: 'RagSettingsInput',
  description: `Chunking and search settings. Omitted settings keep their values, or have their defaults in a new knowledge base. ${overlapDescription}`,
})
export type RagSettingsInput = z.output<typeof RagSettingsInput>

/** Settings of a single source. Only chunking can differ from the knowledge base: a search covers all its sources alike. */
export const RagSettingsOverride = documented(z.strictObject(chunking).partial(), overlapRule).meta({
  id: 'RagSettingsOverride',
  description: `Chunking settings of a single source, in place of those of its knowledge base. ${overlapDescription}`,
})
export type RagSettingsOverride = z.output<typeof RagSettingsOverride>

const retrievalLog = {
  enabled: z.boolean().describe('Whether searches are logged. Turning it off deletes the log.'),
  days: wholeNumber(1, 365).describe('Number of days after which a logged search is deleted.'),
}
const defaultRetrievalLog = { enabled: true, days: 30 }
const logDescription = 'Log of searches, by default enabled with 30 days.'
const RetrievalLog = z.object(retrievalLog).meta({ id: 'RetrievalLogSettings', description: logDescription })
const RetrievalLogInput = z
  .strictObject(retrievalLog)
  .partial()
  .meta({
    id: 'RetrievalLogSettingsInput',
    description: `${logDescription} Omitted fields keep their values.`,
  })

/** Progress of a re-index. */
export const ReindexProgress = z
  .object({
    sources: z.number().int().describe('Number of sources that take part: those with searchable content.'),
    done: z.number().int().describe('Number of sources indexed so far.'),
    failed: z.number().int().describe('Number of sources that could not be indexed.'),
    chunks: z.number().int().describe('Number of chunks built so far.'),
  })
  .meta({ id: 'ReindexProgress', description: 'Progress of a re-index.' })

const Reindexing = z
  .object({
    id: idOutput('rix'),
    status: z
      .enum(['building', 'ready'])
      .describe('`building`: the new index is being built; `ready`: it is complete, and searches have not switched to it yet.'),
    progress: ReindexProgress,
  })
  .meta({ id: 'Reindexing', description: 'A re-index that is building or ready.' })

export const Base = z
  .object({
    id: idOutput('kb'),
    name: z.string().describe('Name of the knowledge base, shown in the dashboard and to agents. At most 200 characters.'),
    description: z.string().describe('Description of the contents, from which agents choose a knowledge base. Empty without one.'),
    starred: z.boolean().describe('Whether the knowledge base is marked with a star. Has no effect on searches.'),
    ragSettings: RagSettings,
    language: z
      .string()
      .nullable()
      .default(null)
      .meta({
        description:
          'BCP 47 tag of the main language; null if unknown. It selects captions, the first language for scanned pages, and the language of texts too short for detection.',
        examples: ['de'],
      }),
    retrievalLog: RetrievalLog.default(defaultRetrievalLog),
    warnings: z
      .array(z.string())
      .default([])
      .describe('Languages of the sources that the embedding model does not know, with the ways to another model, in English.'),
    reindexing: Reindexing.nullable().default(null).describe('The re-index that is building or ready; null without one.'),
    stats: z
      .object({
        sources: z.number().int().describe('Number of sources.'),
        processing: z.number().int().default(0).describe('Number of sources being processed.'),
        failed: z.number().int().default(0).describe('Number of sources with `status` `failed`, which have no searchable content.'),
        chunks: z.number().int().describe('Number of searchable chunks.'),
        bytes: z.number().int().default(0).describe('Total size in bytes of the files and pages that the sources were read from.'),
        lastUpdatedAt: Timestamp.describe(
          'Time of the last change to the knowledge base or one of its sources, deletions included: UTC with milliseconds. It never decreases.',
        ),
      })
      .describe('Totals over all sources.'),
    createdAt,
    updatedAt,
  })
  .meta({ id: 'KnowledgeBase', description: 'A set of sources that are searched together, with its settings and totals.' })
export type Base = z.input<typeof Base>

const name = text(1, 200).describe('Name of the knowledge base, shown in the dashboard and to agents.')
const description = clearableText(2000).describe(
  'Description of the contents, from which agents choose a knowledge base. null or the empty string clears it.',
)
const starred = z.boolean().describe('Whether the knowledge base is marked with a star. Has no effect on searches.')
const language = languageTag.nullable().meta({
  description:
    'BCP 47 tag of the main language; null if unknown. It selects captions, the first language for scanned pages, and the language of texts too short for detection. Applies to sources processed from then on.',
  examples: ['de'],
})

/** A new knowledge base without a chunkSize gets the default one. */
const overlapOfDefaultRule = {
  if: {
    required: ['ragSettings'],
    properties: {
      ragSettings: { required: ['chunkOverlap'], properties: { chunkOverlap: { minimum: defaultRagSettings.chunkSize / 2 } } },
    },
  },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { properties: { ragSettings: { required: ['chunkSize'], properties: { chunkSize: {} } } } },
}

const CreateBase = documented(
  z.strictObject({
    name,
    description: description.default(''),
    starred: starred.default(false),
    ragSettings: RagSettingsInput.optional(),
    language: language.default(null),
    retrievalLog: RetrievalLogInput.optional(),
  }),
  overlapOfDefaultRule,
).meta({
  id: 'CreateKnowledgeBase',
  description: 'A new knowledge base.',
  examples: [{ name: 'Front desk', description: 'Questions of hotel guests' }],
})
export type CreateBase = z.output<typeof CreateBase>

const UpdateBase = z
  .strictObject({
    name,
    description,
    starred,
    ragSettings: RagSettingsInput,
    language,
    retrievalLog: RetrievalLogInput,
  })
  .partial()
  .meta({
    id: 'UpdateKnowledgeBase',
    description: 'Changes to a knowledge base. Omitted fields keep their values.',
    examples: [{ starred: true, ragSettings: { topK: 5 } }],
  })
export type UpdateBase = z.output<typeof UpdateBase>

const ListBases = z.strictObject({
  ...pageQuery,
  q: text(1, 200)
    .optional()
    .meta({ description: 'Only knowledge bases with this text in the name or the description, in any case.', examples: ['price list'] }),
})
export type ListBases = z.output<typeof ListBases>

const params = z.object({ baseId: idInput('kb') })

export const bases = {
  create: route({
    method: 'POST',
    path: '/v1/bases',
    summary: 'Create a knowledge base',
    description: 'Tokens limited to certain knowledge bases get 403.',
    scope: 'bases:write',
    body: CreateBase,
    status: 201,
    reply: Base,
  }),
  list: route({
    method: 'GET',
    path: '/v1/bases',
    summary: 'List knowledge bases, newest first',
    scope: 'bases:read',
    query: ListBases,
    status: 200,
    reply: pageOf(Base),
  }),
  get: route({
    method: 'GET',
    path: '/v1/bases/{baseId}',
    summary: 'Get a knowledge base',
    scope: 'bases:read',
    params,
    status: 200,
    reply: Base,
  }),
  update: route({
    method: 'PATCH',
    path: '/v1/bases/{baseId}',
    summary: 'Update a knowledge base',
    description:
      'New chunking settings start a re-index in the background (`reindexing`). Searches use the former index until all sources switch together. An open re-index that switches automatically is replaced; 409 while one is open that does not. A new `language` applies to sources processed from then on.',
    scope: 'bases:write',
    params,
    body: UpdateBase,
    status: 200,
    reply: Base,
    errors: ['conflict'],
  }),
  delete: route({
    method: 'DELETE',
    path: '/v1/bases/{baseId}',
    summary: 'Delete a knowledge base with all its sources',
    description: 'Permanent and immediate: later requests and searches return nothing of it.',
    scope: 'bases:write',
    params,
    status: 204,
  }),
}
