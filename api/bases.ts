import { z } from 'zod'
import { documented } from './field-rules.ts'
import { route } from './route.ts'
import { clearableText, idInput, idOutput, languageTag, numberFrom, pageOf, pageQuery, text, Timestamp, wholeNumber } from './schemas.ts'

export const chunkingStrategies = ['semantic', 'sentence', 'fixed', 'markdown'] as const

const chunking = {
  chunkingStrategy: z.enum(chunkingStrategies),
  chunkSize: wholeNumber(64, 2048).meta({ description: 'Tokens at most in a chunk' }),
  chunkOverlap: wholeNumber(0, 1023).meta({ description: 'Tokens repeated from the chunk before; less than half of chunkSize' }),
}
const retrieval = {
  topK: wholeNumber(1, 100),
  similarityThreshold: numberFrom(0, 1),
  hybridSearch: z.boolean(),
}
const rerank = z.boolean().meta({ description: 'Whether the reranker scores the best passages, where the operator has one' })

export const RagSettings = z.object({ ...chunking, ...retrieval, rerank: rerank.default(false) }).meta({ id: 'RagSettings' })
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

/** What JSON Schema can say of `chunkOverlap * 2 < chunkSize`: bounds that follow from it, and hold for absent fields too. */
export const overlapRule = {
  allOf: [32, 48, 64, 96, 128, 192, 256, 384, 512, 768].map((minimum) => ({
    if: { required: ['chunkOverlap'], properties: { chunkOverlap: { minimum } } },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { properties: { chunkSize: { minimum: 2 * minimum + 1 } } },
  })),
}
export const overlapDescription =
  'chunkOverlap has to be less than half of chunkSize, which counts as it is set already where the request leaves it out.'

export const RagSettingsInput = documented(z.strictObject({ ...chunking, ...retrieval, rerank }).partial(), overlapRule).meta({
  id: 'RagSettingsInput',
  description: overlapDescription,
})
export type RagSettingsInput = z.output<typeof RagSettingsInput>

/** What a single source may set otherwise than its base: how it is cut. Retrieval covers all sources of a base alike. */
export const RagSettingsOverride = documented(z.strictObject(chunking).partial(), overlapRule).meta({
  id: 'RagSettingsOverride',
  description: overlapDescription,
})
export type RagSettingsOverride = z.output<typeof RagSettingsOverride>

const retrievalLog = {
  enabled: z.boolean().meta({ description: 'Whether searches are written down; turning it off deletes what was' }),
  days: wholeNumber(1, 365).meta({ description: 'How long a search is kept' }),
}
const defaultRetrievalLog = { enabled: true, days: 30 }
const RetrievalLog = z.object(retrievalLog).meta({ id: 'RetrievalLogSettings' })
const RetrievalLogInput = z.strictObject(retrievalLog).partial().meta({ id: 'RetrievalLogSettingsInput' })

/** How far a re-index is. */
export const ReindexProgress = z
  .object({
    sources: z.number().int().meta({ description: 'That have something to search' }),
    done: z.number().int(),
    failed: z.number().int(),
    chunks: z.number().int().meta({ description: 'Built so far' }),
  })
  .meta({ id: 'ReindexProgress' })

const Reindexing = z
  .object({
    id: idOutput('rix'),
    status: z.enum(['building', 'ready']).meta({
      description: 'building: sources are indexed beside what is searched; ready: all are, and what is searched was not switched yet',
    }),
    progress: ReindexProgress,
  })
  .meta({ id: 'Reindexing' })

export const Base = z
  .object({
    id: idOutput('kb'),
    name: z.string(),
    description: z.string(),
    starred: z.boolean(),
    ragSettings: RagSettings,
    language: z.string().nullable().default(null).meta({
      description:
        'BCP 47 tag of what most of it is written in: captions are read in it where a source names no other, scanned pages by it first, and texts too short to tell count as written in it',
    }),
    retrievalLog: RetrievalLog.default(defaultRetrievalLog),
    reindexing: Reindexing.nullable().default(null).meta({ description: 'The re-index that is building or ready; null without one' }),
    stats: z.object({
      sources: z.number().int(),
      processing: z.number().int().default(0).meta({ description: 'Sources that an attempt is under way for' }),
      failed: z.number().int().default(0).meta({ description: 'Sources without anything to search' }),
      chunks: z.number().int(),
      bytes: z.number().int().default(0).meta({ description: 'Of what the sources were read from' }),
      lastUpdatedAt: Timestamp.meta({
        description: 'When the knowledge base or one of its sources last changed, deletions included; never decreases',
      }),
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'KnowledgeBase' })
export type Base = z.input<typeof Base>

const language = languageTag.nullable().meta({ examples: ['de'] })

/** Without a chunkSize, a new base has the default one. */
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
    name: text(1, 200),
    description: clearableText(2000).default(''),
    starred: z.boolean().default(false),
    ragSettings: RagSettingsInput.optional(),
    language: language.default(null),
    retrievalLog: RetrievalLogInput.optional(),
  }),
  overlapOfDefaultRule,
).meta({ id: 'CreateKnowledgeBase', examples: [{ name: 'Front desk', description: 'What guests ask' }] })
export type CreateBase = z.output<typeof CreateBase>

const UpdateBase = z
  .strictObject({
    name: text(1, 200),
    description: clearableText(2000),
    starred: z.boolean(),
    ragSettings: RagSettingsInput,
    language,
    retrievalLog: RetrievalLogInput,
  })
  .partial()
  .meta({ id: 'UpdateKnowledgeBase', examples: [{ starred: true, ragSettings: { topK: 5 } }] })
export type UpdateBase = z.output<typeof UpdateBase>

const ListBases = z.strictObject(pageQuery)
export type ListBases = z.output<typeof ListBases>

const params = z.object({ baseId: idInput('kb') })

export const bases = {
  create: route({
    method: 'POST',
    path: '/v1/bases',
    summary: 'Create a knowledge base',
    scope: 'bases:write',
    body: CreateBase,
    status: 201,
    reply: Base,
  }),
  list: route({
    method: 'GET',
    path: '/v1/bases',
    summary: 'List knowledge bases',
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
    summary: 'Change a knowledge base',
    description:
      'New chunking settings apply to what is processed from now on; what is there is indexed anew in the background (`reindexing`), and searched as it was until all of it is switched at once. 409 while a re-index is open that does not switch by itself; one that does is replaced. Another language applies to what is processed from now on.',
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
    description: 'Final: nothing of it is returned again.',
    scope: 'bases:write',
    params,
    status: 204,
  }),
}
