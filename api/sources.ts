import { z } from 'zod'
import { RagSettingsOverride } from './bases.ts'
import { sourceErrorCodes } from './errors.ts'
import { AddSource, MetadataChanges, ReplaceSource, sourceTypes, syncSchedules, UpsertSource } from './new-source.ts'
import { route } from './route.ts'
import { idInput, idOutput, pageOf, pageQuery, text, Timestamp } from './schemas.ts'

export const sourceStatuses = ['processing', 'completed', 'failed'] as const
export const sourceStages = ['queued', 'fetching', 'extracting', 'chunking', 'embedding', 'indexing', 'done'] as const
export type SourceStage = (typeof sourceStages)[number]

/** What is known of the video behind a youtube source. */
const SourceVideo = z
  .object({
    id: z.string(),
    title: z.string().nullable(),
    author: z.string().nullable().meta({ description: 'The channel' }),
    durationSeconds: z.number().nullable(),
    captions: z
      .enum(['manual', 'automatic', 'uploaded'])
      .nullable()
      .meta({ description: 'Where the transcript comes from: captions that people wrote, that a machine recognized, or an uploaded file' }),
    captionLanguage: z.string().nullable().meta({ description: 'BCP 47 tag of the captions' }),
    captionLanguages: z.array(z.string()).meta({ description: 'All languages that the video has captions in' }),
    requestedLanguage: z.string().nullable().meta({ description: 'The language that was asked for when the source was added' }),
  })
  .meta({ id: 'SourceVideo' })
export type SourceVideo = z.output<typeof SourceVideo>

/** What came of a page of a crawled site. */
export const pageStatuses = ['fetched', 'unchanged', 'skipped', 'failed'] as const
export type PageStatus = (typeof pageStatuses)[number]

/** Why a page was skipped, then why one failed. */
export const pageReasons = [
  'robots_disallowed',
  'excluded',
  'noindex',
  'duplicate',
  'redirect',
  'off_site',
  'unsupported_type',
  'empty_content',
  'thin',
  'page_limit',
  'time_limit',
  'not_found',
  'blocked_address',
  'rate_limited',
  'fetch_failed',
  'too_many_redirects',
  'timeout',
  'too_large',
  'corrupt_file',
  'encrypted_file',
  'render_failed',
] as const
export type PageReason = (typeof pageReasons)[number]

export const SourcePage = z
  .object({
    id: idOutput('pag'),
    url: z.string(),
    status: z.enum(pageStatuses).meta({
      description:
        'fetched: read anew; unchanged: as it was; skipped: left out for the reason; failed: what was read of it before, if anything, still answers',
    }),
    reason: z
      .enum(pageReasons)
      .nullable()
      .meta({
        description:
          'thin: without a browser that runs its scripts, the page shows no text, and the operator has configured none (CHROMIUM_PATH); ' +
          'render_failed: nor with one, which failed to show it',
      }),
    httpStatus: z.number().int().nullable(),
    canonicalUrl: z
      .string()
      .nullable()
      .meta({ description: 'The address that stands for it: where it redirects to, or whose duplicate it is' }),
    title: z.string().nullable(),
    language: z.string().nullable(),
    rendered: z.boolean().meta({ description: 'Whether its text is what a browser showed when the scripts of the page had run' }),
    chunks: z.number().int(),
    fetchedAt: Timestamp.nullable(),
  })
  .meta({ id: 'SourcePage' })
export type SourcePage = z.input<typeof SourcePage>

export const Source = z
  .object({
    id: idOutput('src'),
    baseId: idOutput('kb'),
    name: z.string(),
    type: z.enum(sourceTypes),
    url: z.string().optional().meta({ description: 'Of url, youtube and scrape sources' }),
    storageUrl: z.string().optional().meta({ description: 'Of file sources, and of youtube sources whose transcript was uploaded' }),
    video: SourceVideo.optional().meta({ description: 'Of youtube sources; what is not known until the video was asked for is null' }),
    status: z
      .enum(sourceStatuses)
      .meta({ description: 'processing: an attempt is under way; completed: there is content to search; failed: there is none' }),
    stage: z.enum(sourceStages),
    progress: z.object({
      done: z.number().int(),
      total: z.number().int(),
      unit: z.string(),
      reused: z
        .number()
        .int()
        .default(0)
        .meta({ description: 'Of those done, the ones whose embedding was there already: equal text is not embedded twice in a base' }),
      remainingSeconds: z
        .number()
        .int()
        .nullable()
        .default(null)
        .meta({ description: 'What the rest of the stage may take, by its pace so far; null while there is nothing to tell by' }),
    }),
    chunksCount: z.number().int(),
    embeddingModel: z.string().nullable(),
    embeddingDimensions: z.number().int().nullable(),
    error: z
      .string()
      .nullable()
      .meta({ description: 'Why the last attempt failed. Where status is completed nevertheless, what was there before serves on.' }),
    errorCode: z.enum(sourceErrorCodes).nullable(),
    warnings: z.array(z.string()),
    ragSettingsOverride: RagSettingsOverride.optional(),
    maxPages: z.number().int().optional().meta({ description: 'Of scrape sources, as are include and exclude' }),
    include: z.array(z.string()).optional(),
    exclude: z.array(z.string()).optional(),
    externalId: z.string().nullable().default(null).meta({ description: 'Yours; unique in the base' }),
    metadata: z.record(z.string(), z.unknown()),
    enabled: z.boolean().meta({ description: 'Whether searches see it' }),
    syncSchedule: z.enum(syncSchedules).nullable().default(null).meta({ description: 'How often it is synced by itself' }),
    mediaType: z.string().nullable(),
    contentHash: z.string().nullable().meta({ description: 'SHA-256 of the original bytes, hexadecimal' }),
    bytes: z.number().int().nullable(),
    pages: z.number().int().nullable(),
    language: z.string().nullable(),
    title: z.string().nullable().default(null).meta({ description: 'What the document calls itself; null for a site' }),
    canonicalUrl: z.string().nullable().default(null).meta({
      description:
        'Of url sources: the address that stands for the page, which citations name. Where redirects led, or the one of the same site that the page names as canonical.',
    }),
    lastSyncedAt: Timestamp.nullable().meta({ description: 'When the content was last found to be as it is at its origin' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Source' })
export type Source = z.input<typeof Source>

export const UpsertedSource = Source.extend({
  created: z.boolean().meta({ description: 'Whether the base had no source of this externalId' }),
}).meta({ id: 'UpsertedSource' })
export type UpsertedSource = z.input<typeof UpsertedSource>

const UpdateSource = z
  .strictObject({
    name: text(1, 200),
    metadata: MetadataChanges.meta({ description: 'Key by key: a value replaces, null removes, what is not named stays' }),
    enabled: z.boolean(),
    syncSchedule: z.enum(syncSchedules).nullable(),
  })
  .partial()
  .meta({ id: 'UpdateSource', examples: [{ metadata: { product: 'bicycle', draft: null }, syncSchedule: 'daily' }] })
export type UpdateSource = z.output<typeof UpdateSource>

export const SourceChunk = z
  .object({
    id: idOutput('chk'),
    ordinal: z.number().int().meta({ description: 'Position in the source, from 0' }),
    text: z.string(),
    headingPath: z.array(z.string()),
    page: z.number().int().nullable(),
    pageEnd: z.number().int().nullable(),
    startSecond: z.number().int().nullable(),
    tokens: z.number().int(),
    start: z.number().int().meta({ description: 'Span in the text of GET …/content, UTF-16 code units' }),
    end: z.number().int().meta({ description: 'Exclusive' }),
  })
  .meta({ id: 'SourceChunk' })
export type SourceChunk = z.input<typeof SourceChunk>

export const SourceContent = z
  .object({
    title: z.string().nullable(),
    url: z.string().nullable().meta({ description: 'Where it stands; null for what was uploaded' }),
    mediaType: z.string(),
    language: z.string().nullable(),
    pages: z.number().int().nullable(),
    text: z.string().meta({ description: 'Paragraphs, headings and tables with an empty line between them; tables are Markdown' }),
  })
  .meta({ id: 'SourceContent' })
export type SourceContent = z.input<typeof SourceContent>

const ListSources = z.strictObject({
  ...pageQuery,
  status: z.enum(sourceStatuses).optional(),
  type: z.enum(sourceTypes).optional(),
})
export type ListSources = z.output<typeof ListSources>

const ListSourcePages = z.strictObject({ ...pageQuery, status: z.enum(pageStatuses).optional() })
export type ListSourcePages = z.output<typeof ListSourcePages>
const ListChunks = z.strictObject(pageQuery)
export type ListChunks = z.output<typeof ListChunks>

const inBase = z.object({ baseId: idInput('kb') })
const params = z.object({ baseId: idInput('kb'), sourceId: idInput('src') })
const ofPage = z.object({ baseId: idInput('kb'), sourceId: idInput('src'), pageId: idInput('pag') })

export const sources = {
  add: route({
    method: 'POST',
    path: '/v1/bases/{baseId}/sources',
    summary: 'Add a source',
    description: 'Processing goes on after the answer: poll the source until its status is no longer processing.',
    scope: 'sources:write',
    params: inBase,
    body: AddSource,
    status: 201,
    reply: Source,
    errors: ['conflict'],
  }),
  upsert: route({
    method: 'POST',
    path: '/v1/bases/{baseId}/sources/upsert',
    summary: 'Add a source, or replace the content of the one with the same externalId',
    description:
      'What is there already keeps its id and serves on until the new content is complete; name and the fields that are sent replace those before, metadata key by key. Content that is the same is not indexed again.',
    scope: 'sources:write',
    params: inBase,
    body: UpsertSource,
    status: 200,
    reply: UpsertedSource,
  }),
  list: route({
    method: 'GET',
    path: '/v1/bases/{baseId}/sources',
    summary: 'List the sources of a base, newest first',
    scope: 'sources:read',
    params: inBase,
    query: ListSources,
    status: 200,
    reply: pageOf(Source),
  }),
  get: route({
    method: 'GET',
    path: '/v1/bases/{baseId}/sources/{sourceId}',
    summary: 'Get a source with its processing status',
    scope: 'sources:read',
    params,
    status: 200,
    reply: Source,
  }),
  pages: route({
    method: 'GET',
    path: '/v1/bases/{baseId}/sources/{sourceId}/pages',
    summary: 'List the pages of a crawled site with what came of each',
    description: 'In the order in which the crawl met them. Of a crawl that goes on, pages that still wait show what came of them before.',
    scope: 'sources:read',
    params,
    query: ListSourcePages,
    status: 200,
    reply: pageOf(SourcePage),
  }),
  update: route({
    method: 'PATCH',
    path: '/v1/bases/{baseId}/sources/{sourceId}',
    summary: 'Change a source',
    description: 'A source that is not enabled is not searched, from the answer on.',
    scope: 'sources:write',
    params,
    body: UpdateSource,
    status: 200,
    reply: Source,
  }),
  replace: route({
    method: 'POST',
    path: '/v1/bases/{baseId}/sources/{sourceId}/replace',
    summary: 'Replace the content of a source',
    description:
      'Takes what Add source takes for its type. The id stays; what was there before serves on until the new content is complete, and if that fails.',
    scope: 'sources:write',
    params,
    body: ReplaceSource,
    status: 202,
    reply: Source,
  }),
  cancel: route({
    method: 'POST',
    path: '/v1/bases/{baseId}/sources/{sourceId}/cancel',
    summary: 'Stop the processing of a source',
    description: 'It is failed with the errorCode cancelled; where something was there before, that serves on and the status is completed.',
    scope: 'sources:write',
    params,
    status: 200,
    reply: Source,
    errors: ['conflict'],
  }),
  chunks: route({
    method: 'GET',
    path: '/v1/bases/{baseId}/sources/{sourceId}/chunks',
    summary: 'List the chunks of a source in their order',
    description: 'Of the content that is searched; none before there is any.',
    scope: 'sources:read',
    params,
    query: ListChunks,
    status: 200,
    reply: pageOf(SourceChunk),
  }),
  content: route({
    method: 'GET',
    path: '/v1/bases/{baseId}/sources/{sourceId}/content',
    summary: 'Get the text that was read out of a source',
    description:
      'Citations point into it. As text/plain, where that is accepted, it is the field text alone. 404 before there is any, and for a site, which has a text for each of its pages.',
    scope: 'sources:read',
    params,
    status: 200,
    reply: SourceContent,
    plain: 'text',
  }),
  pageContent: route({
    method: 'GET',
    path: '/v1/bases/{baseId}/sources/{sourceId}/pages/{pageId}/content',
    summary: 'Get the text that was read out of a page of a crawled site',
    description: 'Citations of the page point into it. As text/plain, where that is accepted, it is the field text alone.',
    scope: 'sources:read',
    params: ofPage,
    status: 200,
    reply: SourceContent,
    plain: 'text',
  }),
  original: route({
    method: 'GET',
    path: '/v1/bases/{baseId}/sources/{sourceId}/original',
    summary: 'Get the bytes that a source was read from',
    description:
      'The file that was uploaded, or what the address answered; of a video, the captions as WebVTT. Of what serves, or before that, of what is being read. 404 while nothing was fetched yet, and for a site, of which only the texts are kept.',
    scope: 'sources:read',
    params,
    status: 200,
    file: true,
  }),
  retry: route({
    method: 'POST',
    path: '/v1/bases/{baseId}/sources/{sourceId}/retry',
    summary: 'Process a source again whose last attempt failed',
    scope: 'sources:write',
    params,
    status: 200,
    reply: Source,
    errors: ['conflict'],
  }),
  sync: route({
    method: 'POST',
    path: '/v1/bases/{baseId}/sources/{sourceId}/sync',
    summary: 'Look for something new at the address of a source',
    description:
      'Of url, youtube and scrape sources. The status is processing until it is known; what was there before serves on, until what is new is complete. Where nothing has changed, only lastSyncedAt does. A sync that fails leaves the source completed, with error and errorCode.',
    scope: 'sources:write',
    params,
    status: 202,
    reply: Source,
    errors: ['conflict'],
  }),
  delete: route({
    method: 'DELETE',
    path: '/v1/bases/{baseId}/sources/{sourceId}',
    summary: 'Delete a source and all its chunks',
    description: 'Final and immediate: a search that starts after the answer cannot return anything of it.',
    scope: 'sources:write',
    params,
    status: 204,
  }),
}
