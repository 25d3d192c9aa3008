import { z } from 'zod'
import { RagSettingsOverride } from './bases.ts'
import { sourceErrorCodes } from './errors.ts'
import { AddSource, MetadataChanges, ReplaceSource, syncSchedules, UpsertSource } from './new-source.ts'
import { route } from './route.ts'
import { createdAt, idInput, idOutput, pageOf, pageQuery, text, Timestamp, updatedAt, Sha256 } from './schemas.ts'
import { sourceSorts, sourceTypes } from './source-types.ts'

export const sourceStatuses = ['processing', 'completed', 'failed'] as const
export const sourceStages = ['queued', 'fetching', 'extracting', 'chunking', 'embedding', 'indexing', 'done'] as const
export type SourceStage = (typeof sourceStages)[number]

/** Metadata of the video of a youtube source. */
const SourceVideo = z
  .object({
    id: z.string().meta({ description: 'YouTube id of the video.', examples: ['dQw4w9WgXcQ'] }),
    title: z.string().nullable().describe('Title of the video; null until it is known.'),
    author: z.string().nullable().describe('Name of the channel; null until it is known.'),
    durationSeconds: z.number().nullable().describe('Length of the video in seconds; null until it is known.'),
    captions: z
      .enum(['manual', 'automatic', 'uploaded'])
      .nullable()
      .describe(
        'Origin of the transcript: `manual` captions, `automatic` captions by speech recognition, or an `uploaded` file. Null until it is known.',
      ),
    captionLanguage: z.string().nullable().describe('BCP 47 tag of the captions in use; null until it is known.'),
    captionLanguages: z.array(z.string()).describe('BCP 47 tags of all available captions.'),
    requestedLanguage: z.string().nullable().describe('Caption language requested for this source; null without one.'),
  })
  .meta({ id: 'SourceVideo', description: 'The video of a `youtube` source.' })
export type SourceVideo = z.output<typeof SourceVideo>

/** Outcomes of a page of a crawled site. */
export const pageStatuses = ['fetched', 'unchanged', 'skipped', 'failed'] as const
export type PageStatus = (typeof pageStatuses)[number]

/** Reasons for skipped pages, followed by those for failed pages. */
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
  'sign_in',
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
    url: z.string().describe('URL of the page.'),
    status: z
      .enum(pageStatuses)
      .describe(
        '`fetched`: read again; `unchanged`: same content as before; `skipped`: left out, see `reason`; `failed`: could not be read, and its former content, if any, stays searchable.',
      ),
    reason: z
      .enum(pageReasons)
      .nullable()
      .describe(
        'Reason for a skipped or failed page; null otherwise. `thin`: the page shows text only when its scripts run, and no browser is configured (`CHROMIUM_PATH`); `render_failed`: the browser could not display it.',
      ),
    httpStatus: z.number().int().nullable().describe('HTTP status of the response; null without one.'),
    canonicalUrl: z.string().nullable().describe('URL that this page redirects to or duplicates; null if it stands for itself.'),
    title: z.string().nullable().describe('Title of the page; null without one.'),
    language: z.string().nullable().describe('Detected language (ISO 639-1); null if unknown.'),
    bytes: z.number().int().nullable().describe('Size of the page in bytes, as it was last fetched; null if unknown.'),
    rendered: z.boolean().describe('Whether the text was read from a browser that ran the scripts of the page.'),
    chunks: z.number().int().describe('Number of chunks of the page.'),
    fetchedAt: Timestamp.nullable().describe('Time at which the page was last fetched; null if it was not.'),
  })
  .meta({ id: 'SourcePage', description: 'A page of a crawled site and its outcome.' })
export type SourcePage = z.input<typeof SourcePage>

export const Source = z
  .object({
    id: idOutput('src'),
    baseId: idOutput('kb'),
    name: z.string().describe('Name of the source, shown in lists and search results.'),
    type: z
      .enum(sourceTypes)
      .describe(
        '`file`: an uploaded file; `url`: a page or file at a URL; `youtube`: the transcript of a video; `scrape`: the pages of a site.',
      ),
    url: z.string().optional().describe('URL of a `url`, `youtube` or `scrape` source; absent for files.'),
    storageUrl: z
      .string()
      .optional()
      .describe('`storageUrl` of the upload, for `file` sources and for videos with an uploaded transcript.'),
    video: SourceVideo.optional().describe('Video of a `youtube` source; absent for other types.'),
    status: z
      .enum(sourceStatuses)
      .describe(
        '`processing`: an attempt is in progress, and former content stays searchable, as do the pages that the first crawl of a site has read; `completed`: the source has searchable content; `failed`: it has none, see `error`.',
      ),
    stage: z.enum(sourceStages).describe('Stage of the current or last attempt. `done` after its success.'),
    progress: z
      .object({
        done: z.number().int().describe('Number of units completed in this stage.'),
        total: z.number().int().describe('Number of units in this stage; 0 if unknown.'),
        unit: z
          .string()
          .meta({ description: 'Unit of `done` and `total`: `pages` or `chunks`; empty in stages without a count.', examples: ['chunks'] }),
        reused: z
          .number()
          .int()
          .default(0)
          .describe('Number of completed chunks with a reused embedding: equal text is embedded once per knowledge base.'),
        remainingSeconds: z
          .number()
          .int()
          .nullable()
          .default(null)
          .describe('Estimated seconds until the end of the stage; null while there is no estimate.'),
      })
      .describe('Progress within the current stage.'),
    chunksCount: z.number().int().describe('Number of searchable chunks.'),
    embeddingModel: z.string().nullable().describe('Model that embedded the searchable chunks; null without any.'),
    embeddingDimensions: z.number().int().nullable().describe('Number of components of their vectors; null without any.'),
    error: z
      .string()
      .nullable()
      .describe(
        'Reason why the last attempt failed, in English; null if it did not. With `status` `completed`, the former content stays searchable.',
      ),
    errorCode: z.enum(sourceErrorCodes).nullable().describe('Stable code of `error`; null without one.'),
    warnings: z
      .array(z.string())
      .describe('Parts of the content that could not be read, and a language that the embedding model does not know, in English.'),
    ragSettingsOverride: RagSettingsOverride.optional(),
    maxPages: z.number().int().optional().describe('Maximum number of pages with text; only for `scrape` sources.'),
    include: z.array(z.string()).optional().describe('Globs of paths to crawl, empty for all; only for `scrape` sources.'),
    exclude: z.array(z.string()).optional().describe('Globs of paths to leave out; only for `scrape` sources.'),
    externalId: z.string().nullable().default(null).describe('Your own id of the source, unique in the knowledge base; null without one.'),
    metadata: z
      .record(z.string(), z.unknown())
      .describe('Data of your own for filtering searches: texts, numbers, booleans or lists of texts, by key.'),
    enabled: z.boolean().describe('Whether searches include the source.'),
    syncSchedule: z.enum(syncSchedules).nullable().default(null).describe('Interval of automatic syncs; null without them.'),
    mediaType: z
      .string()
      .nullable()
      .meta({ description: 'Media type detected from the content; null until it is known.', examples: ['application/pdf'] }),
    contentHash: z
      .string()
      .nullable()
      .describe('SHA-256 of the original bytes in hexadecimal, or of all pages of a site; null until they were read.'),
    bytes: z
      .number()
      .int()
      .nullable()
      .describe('Size of the original in bytes; for a site, the total of its pages with text. Null until it is known.'),
    pages: z
      .number()
      .int()
      .nullable()
      .describe(
        'Number of pages of the document, or of the site; null for formats without pages. While a site is fetched for the first time, the number of its searchable pages.',
      ),
    language: z.string().nullable().describe('Detected language (ISO 639-1); null if unknown.'),
    title: z.string().nullable().default(null).describe('Title of the document itself; null for a site, and without one.'),
    canonicalUrl: z
      .string()
      .nullable()
      .default(null)
      .describe(
        'For `url` sources: the URL that citations use, after redirects or as the page names it within its site. Null for other types and until it is known.',
      ),
    lastSyncedAt: Timestamp.nullable().describe('Time at which the content was last compared with its origin; null before.'),
    createdAt,
    updatedAt,
  })
  .meta({ id: 'Source', description: 'A file, page, video or site in a knowledge base, with the state of its processing.' })
export type Source = z.input<typeof Source>

export const UpsertedSource = Source.extend({
  created: z.boolean().describe('true if the source was added, false if an existing one was updated.'),
}).meta({ id: 'UpsertedSource', description: 'A source that was added or updated.' })
export type UpsertedSource = z.input<typeof UpsertedSource>

const UpdateSource = z
  .strictObject({
    name: text(1, 200).describe('New name of the source.'),
    metadata: MetadataChanges.describe('Changes by key: a value replaces the former one, null removes the key, omitted keys stay.'),
    enabled: z.boolean().describe('Whether searches include the source, from this response on.'),
    syncSchedule: z
      .enum(syncSchedules)
      .nullable()
      .describe('Interval of automatic syncs; null ends them. Not possible for uploaded files and transcripts, which have no URL.'),
  })
  .partial()
  .meta({
    id: 'UpdateSource',
    description: 'Changes to a source. Omitted fields keep their values.',
    examples: [{ metadata: { product: 'bicycle', draft: null }, syncSchedule: 'daily' }],
  })
export type UpdateSource = z.output<typeof UpdateSource>

export const SourceChunk = z
  .object({
    id: idOutput('chk'),
    ordinal: z.number().int().describe('Position in the source, from 0.'),
    text: z.string().describe('Text of the chunk.'),
    headingPath: z.array(z.string()).describe('Headings above the chunk, outermost first.'),
    page: z.number().int().nullable().describe('First page of the chunk, from 1; null for formats without pages.'),
    pageEnd: z.number().int().nullable().describe('Last page of the chunk, from 1; null for formats without pages.'),
    startSecond: z.number().int().nullable().describe('Second of the recording at which the chunk begins; null without a recording.'),
    tokens: z.number().int().describe('Length of the chunk in tokens.'),
    start: z.number().int().describe('Offset of the chunk in the extracted text (`GET …/content`), in UTF-16 code units.'),
    end: z.number().int().describe('Offset of the end of the chunk, exclusive.'),
    pageId: idOutput('pag').optional().describe('Page of the site that the chunk is from; only for `scrape` sources.'),
    pageUrl: z.string().optional().describe('URL of that page; only for `scrape` sources.'),
    pageTitle: z.string().nullable().optional().describe('Title of that page, null without one; only for `scrape` sources.'),
  })
  .meta({ id: 'SourceChunk', description: 'A part of a source that searches can return.' })
export type SourceChunk = z.input<typeof SourceChunk>

export const DocumentOutlineEntry = z
  .object({
    kind: z.enum(['heading', 'table', 'page']).describe('A heading, a table, or the beginning of a page.'),
    title: z.string().nullable().describe('The heading, or the column names of the table; null for a page.'),
    level: z.number().int().nullable().describe('Depth of a heading, 1 to 6; null for others.'),
    rows: z.number().int().nullable().describe('Rows of a table below its header; null for others.'),
    page: z.number().int().nullable().describe('Page, from 1; null for formats without pages.'),
    start: z.number().int().describe('Offset in the extracted text, in UTF-16 code units.'),
  })
  .meta({ id: 'DocumentOutlineEntry', description: 'A part of the structure that was found in a document.' })
export type DocumentOutlineEntry = z.input<typeof DocumentOutlineEntry>

export const SourceContent = z
  .object({
    title: z.string().nullable().describe('Title of the document or the page; null without one.'),
    url: z.string().nullable().describe('URL of the document; null for uploaded files.'),
    mediaType: z.string().meta({ description: 'Media type detected from the content.', examples: ['text/html'] }),
    language: z.string().nullable().describe('Detected language (ISO 639-1); null if unknown.'),
    pages: z.number().int().nullable().describe('Number of pages; null for formats without pages.'),
    text: z.string().describe('Extracted text: paragraphs, headings and tables, separated by empty lines. Tables are in Markdown.'),
    outline: z.array(DocumentOutlineEntry).describe('Headings, tables and pages of the text in order, at most 2,000.'),
  })
  .meta({ id: 'SourceContent', description: 'The text extracted from a source or from a page of a site.' })
export type SourceContent = z.input<typeof SourceContent>

/** The conditions of the list of sources, as query parameters. */
export const sourceConditions = {
  status: z.enum(sourceStatuses).optional().describe('Only sources with this status.'),
  type: z.enum(sourceTypes).optional().describe('Only sources of this type.'),
  q: text(1, 200)
    .optional()
    .meta({ description: 'Only sources with this text in the name, the URL or the title, in any case.', examples: ['price list'] }),
}

const ListSources = z.strictObject({
  ...pageQuery,
  cursor: text(1, 2000)
    .optional()
    .meta({ description: '`nextCursor` of the previous page. Without it, the list starts at the first source.' }),
  sort: z
    .enum(sourceSorts)
    .default('-createdAt')
    .describe(
      'Order of the list; `-` means descending. `name` is the name, or the title of a page whose name is its URL, without regard to case and accents. A source of unknown size counts as the smallest. `status` lists failed sources first, then those in progress. `-createdAt` by default.',
    ),
  ...sourceConditions,
  contentHash: Sha256.optional().describe('Only sources with this `contentHash`: the SHA-256 of the original in hexadecimal.'),
})
export type ListSources = z.output<typeof ListSources>

const FindSources = z.strictObject({ ...pageQuery, q: sourceConditions.q })
export type FindSources = z.output<typeof FindSources>

const ListSourcePages = z.strictObject({ ...pageQuery, status: z.enum(pageStatuses).optional().describe('Only pages with this status.') })
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
    description:
      'Processes the source in the background: poll it until its `status` is no longer `processing`. 409 if the knowledge base has a source with this `externalId`, 403 `quota_exceeded` if the organization has as many sources as its quota allows.',
    scope: 'sources:write',
    params: inBase,
    body: AddSource,
    status: 201,
    reply: Source,
    errors: ['conflict', 'quota_exceeded'],
  }),
  upsert: route({
    method: 'POST',
    path: '/v1/bases/{baseId}/sources/upsert',
    summary: 'Add a source, or replace the source with the same externalId',
    answer: 'The added or updated source.',
    description:
      'An existing source keeps its id, and its content stays searchable until the new content is complete. The name and the given fields replace the former ones, metadata by key. Unchanged content is not indexed again. A new source counts towards the quota.',
    scope: 'sources:write',
    params: inBase,
    body: UpsertSource,
    status: 200,
    reply: UpsertedSource,
    errors: ['quota_exceeded'],
  }),
  list: route({
    method: 'GET',
    path: '/v1/bases/{baseId}/sources',
    summary: 'List the sources of a knowledge base',
    description: 'Newest first unless `sort` is given. A cursor belongs to its `sort`.',
    scope: 'sources:read',
    params: inBase,
    query: ListSources,
    status: 200,
    reply: pageOf(Source),
  }),
  find: route({
    method: 'GET',
    path: '/v1/sources',
    summary: 'List the sources of all knowledge bases',
    description: 'Newest first. A token that is limited to some knowledge bases gets only their sources.',
    scope: 'sources:read',
    query: FindSources,
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
    summary: 'List the pages of a crawled site',
    description:
      'Returns the outcome of each page in crawl order. During a crawl, pending pages have their former outcome. Empty for other types of sources.',
    scope: 'sources:read',
    params,
    query: ListSourcePages,
    status: 200,
    reply: pageOf(SourcePage),
  }),
  update: route({
    method: 'PATCH',
    path: '/v1/bases/{baseId}/sources/{sourceId}',
    summary: 'Update a source',
    description: 'Does not process the source again. A source with `enabled` false is left out of every search from this response on.',
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
    description: 'The source keeps its id. Its former content stays searchable until the new content is complete, and if that fails.',
    scope: 'sources:write',
    params,
    body: ReplaceSource,
    status: 202,
    reply: Source,
  }),
  cancel: route({
    method: 'POST',
    path: '/v1/bases/{baseId}/sources/{sourceId}/cancel',
    summary: 'Cancel the processing of a source',
    description:
      "The `errorCode` becomes `cancelled`. The status becomes `completed` if former content stays searchable, or else `failed`. Pages that a site's first crawl has read are no longer searchable then, but a retry does not fetch them again. 409 unless the source is processing.",
    scope: 'sources:write',
    params,
    status: 200,
    reply: Source,
    errors: ['conflict'],
  }),
  chunks: route({
    method: 'GET',
    path: '/v1/bases/{baseId}/sources/{sourceId}/chunks',
    summary: 'List the chunks of a source',
    description:
      'Returns the searchable chunks in document order; empty before the first successful attempt. During the first crawl of a site, returns those of the pages that are searchable so far.',
    scope: 'sources:read',
    params,
    query: ListChunks,
    status: 200,
    reply: pageOf(SourceChunk),
  }),
  content: route({
    method: 'GET',
    path: '/v1/bases/{baseId}/sources/{sourceId}/content',
    summary: 'Get the extracted text of a source',
    answer: 'The extracted text.',
    description:
      'The offsets of citations refer to this text. With `Accept: text/plain`, the response is the text alone. 404 before the source was read, and for a site, whose pages have a text each.',
    scope: 'sources:read',
    params,
    status: 200,
    reply: SourceContent,
    plain: 'text',
  }),
  pageContent: route({
    method: 'GET',
    path: '/v1/bases/{baseId}/sources/{sourceId}/pages/{pageId}/content',
    summary: 'Get the extracted text of a page of a crawled site',
    answer: 'The extracted text.',
    description:
      'The offsets of citations refer to this text. With `Accept: text/plain`, the response is the text alone. 404 for a page without stored text.',
    scope: 'sources:read',
    params: ofPage,
    status: 200,
    reply: SourceContent,
    plain: 'text',
  }),
  original: route({
    method: 'GET',
    path: '/v1/bases/{baseId}/sources/{sourceId}/original',
    summary: 'Download the original of a source',
    answer: 'The file as an attachment.',
    description:
      'Returns the uploaded or fetched bytes; for a video, the captions as WebVTT. During the first attempt, these are the bytes being processed. 404 before anything was fetched, and for a site, of which only texts are stored.',
    scope: 'sources:read',
    params,
    status: 200,
    file: true,
  }),
  retry: route({
    method: 'POST',
    path: '/v1/bases/{baseId}/sources/{sourceId}/retry',
    summary: 'Retry a failed source',
    description:
      'Processes the source again. After a replacement that failed, it reads the new URL or file. A cancelled or failed crawl continues: pages that it read less than a day ago are not fetched again. 409 unless its last attempt failed.',
    scope: 'sources:write',
    params,
    status: 200,
    reply: Source,
    errors: ['conflict'],
  }),
  sync: route({
    method: 'POST',
    path: '/v1/bases/{baseId}/sources/{sourceId}/sync',
    summary: 'Sync a source with its URL',
    description:
      'Fetches the URL of a `url`, `youtube` or `scrape` source again. The status is `processing` meanwhile, and the former content stays searchable until new content is complete. Without changes, only `lastSyncedAt` changes. A failed sync leaves the source `completed`, with `error` and `errorCode`. 409 for uploads, and while the source is processing.',
    scope: 'sources:write',
    params,
    status: 202,
    reply: Source,
    errors: ['conflict'],
  }),
  delete: route({
    method: 'DELETE',
    path: '/v1/bases/{baseId}/sources/{sourceId}',
    summary: 'Delete a source',
    description:
      'Permanent and immediate: a search that starts after this response returns nothing of it. Chunks and files are deleted too.',
    scope: 'sources:write',
    params,
    status: 204,
  }),
}
