import { z } from 'zod'
import { RagSettingsOverride } from './bases.ts'
import { documented, notWith, onlyWith, someOf } from './field-rules.ts'
import { exactNumber, languageTag, text, wholeNumber } from './schemas.ts'

export const sourceTypes = ['file', 'url', 'youtube', 'scrape'] as const
export type SourceType = (typeof sourceTypes)[number]
/** How often a source can be synced by itself. */
export const syncSchedules = ['hourly', 'daily', 'weekly'] as const
export type SyncSchedule = (typeof syncSchedules)[number]

/** An absolute address without a name and password in it. */
export const webUrlPattern = String.raw`^[Hh][Tt][Tt][Pp][Ss]?://[^\s/?#@\\]+(?:[/?#]\S*)?$`
const onPublicInternet =
  'The host is on the public internet, unless the operator allows it (FETCH_ALLOW_HOSTS); 422 for a private IP address.'

export const webUrl = text(1, 2048)
  .refine(isWebAddress, 'must be an absolute http or https URL')
  .meta({ format: 'uri', pattern: webUrlPattern, examples: ['https://example.com/manual'], description: onPublicInternet })

function isWebAddress(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, username, password } = new URL(value)
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === ''
}

const videoId = String.raw`[\w-]{11}`
const videoSite = String.raw`(?:(?:www|m|music)\.)?youtube(?:-nocookie)?\.com`
const videoPages = [
  String.raw`(?:youtu\.be/|${videoSite}/(?:embed|shorts|live|v|e)/)${videoId}/?(?:[?#]\S*)?`,
  String.raw`${videoSite}/watch/?\?(?:[^\s#]*&)?v=${videoId}(?:[&#]\S*)?`,
]
const videoUrlPattern = `^(?:https?://)?(?:${videoPages.join('|')})$`
const videoUrl = text(1, 2048).meta({
  pattern: videoUrlPattern,
  examples: ['https://www.youtube.com/watch?v=dQw4w9WgXcQ'],
  description: 'Any URL that YouTube shows the video at; its id has 11 characters',
})

const uuidPattern = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
/** What the answer to Begin an upload calls its storageUrl. */
export const storageUrl = text(1, 300).meta({
  pattern: `^groundwork://uploads/upl_${uuidPattern}$`,
  examples: ['groundwork://uploads/upl_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8'],
})
const finishedUpload = storageUrl.meta({ description: 'The storageUrl of an upload whose bytes have arrived' })
const transcript = storageUrl
  .optional()
  .meta({ description: 'Of a finished upload: a transcript (VTT, SRT or TXT) to read instead of the captions' })
const captionLanguage = languageTag.optional().meta({
  description: "The language of the captions to read, where there are any; else the base's, else the one that is spoken",
  examples: ['en'],
})

const key = text(1, 64)
const MetadataValue = z.union([text(0, 500), exactNumber, z.boolean(), z.array(text(0, 500)).max(50)])
/** Keys that the metadata of a source can have. */
export const maxMetadataKeys = 50

function metadataOf<V extends z.ZodType>(value: V) {
  const record = z.record(key, value)
  const few = record.refine((given) => Object.keys(given).length <= maxMetadataKeys, `has more than ${maxMetadataKeys} keys`)
  return few.meta({ maxProperties: maxMetadataKeys })
}
/** Changes key by key. */
export const MetadataChanges = metadataOf(MetadataValue.nullable())

const globs = z.array(text(1, 300)).max(50)

/** How a site is crawled, as it is kept. */
export const CrawlSettings = z.object({
  maxPages: z.number().int().default(100),
  include: z.array(z.string()).default([]),
  exclude: z.array(z.string()).default([]),
})

const crawlFields = {
  maxPages: wholeNumber(1, 10_000).optional().meta({ description: 'Pages with text at most; 100 by default' }),
  include: globs.optional().meta({ description: 'Globs of paths to crawl, such as /docs/**; * stays within a path segment, ** does not' }),
  exclude: globs.optional().meta({ description: 'Globs of paths to leave out' }),
}

const syncSchedule = z.enum(syncSchedules).optional().meta({ description: 'Syncs it on a schedule, give or take a tenth of the interval' })

export const externalId = text(1, 200)

/** A source of one type: what every source has, what names its content, and no other field. */
function sourceOf<T extends SourceType, E extends z.ZodType, F extends z.ZodRawShape>(type: T, id: E, fields: F) {
  const common = { name: text(1, 200), type: z.literal(type), ...fields, externalId: id }
  const settings = { ragSettingsOverride: RagSettingsOverride.optional(), metadata: metadataOf(MetadataValue).optional() }
  return z.strictObject(
    { ...common, ...settings },
    { error: ({ code }) => (code === 'unrecognized_keys' ? `is not a field of type ${type}` : undefined) },
  )
}

function newSource<E extends z.ZodType>(verb: 'Add' | 'Upsert', id: E) {
  const ofUpload = { field: 'syncSchedule', message: 'does not go with an uploaded transcript, which has no URL to sync with' }
  const video = sourceOf('youtube', id, { url: videoUrl, language: captionLanguage, storageUrl: transcript, syncSchedule })
  return z.discriminatedUnion('type', [
    sourceOf('file', id, { storageUrl: finishedUpload }).meta({ id: `${verb}FileSource` }),
    sourceOf('url', id, { url: webUrl, syncSchedule }).meta({ id: `${verb}UrlSource` }),
    notWith(video, 'storageUrl', ofUpload).meta({ id: `${verb}YoutubeSource` }),
    sourceOf('scrape', id, { url: webUrl, ...crawlFields, syncSchedule }).meta({ id: `${verb}ScrapeSource` }),
  ])
}

export const AddSource = newSource('Add', externalId.optional().meta({ description: 'Yours; unique in the base' })).meta({
  id: 'AddSource',
  examples: [{ name: 'Manual', type: 'url', url: 'https://example.com/manual' }],
})

export type AddSource = z.input<typeof AddSource>

export const UpsertSource = newSource('Upsert', externalId.meta({ description: 'Yours; unique in the base' })).meta({
  id: 'UpsertSource',
  examples: [{ name: 'Manual', type: 'url', url: 'https://example.com/manual', externalId: 'manual-42' }],
})

/** A source to add, of whichever type: the fields of all types, none of which another type has. */
export interface NewSource extends SourceContents {
  type: SourceType
  name: string
  externalId?: string | undefined
  ragSettingsOverride?: RagSettingsOverride | undefined
  metadata?: Record<string, z.output<typeof MetadataValue>> | undefined
  syncSchedule?: SyncSchedule | undefined
  maxPages?: number | undefined
  include?: string[] | undefined
  exclude?: string[] | undefined
}

/** What names the content of a source. */
interface SourceContents {
  url?: string | undefined
  storageUrl?: string | undefined
  language?: string | undefined
}

const contents = z.strictObject({
  url: text(1, 2048)
    .optional()
    .meta({
      pattern: `${webUrlPattern}|${videoUrlPattern}`,
      description: 'As the type of the source has it; no source of type file has one',
    }),
  storageUrl: finishedUpload.optional().meta({ description: 'Of a source of type file; of a video, a transcript' }),
  language: captionLanguage.meta({ description: 'Of a source of type youtube: the language of the captions to read' }),
})
const named = someOf(contents, [['url'], ['storageUrl']], { field: 'url', message: 'is required unless there is a storageUrl' })

const ofVideo = { dependentSchemas: { language: { properties: { url: { pattern: videoUrlPattern } } } } }

export const ReplaceSource = documented(onlyWith(named, 'url', ['language']), ofVideo).meta({
  id: 'ReplaceSource',
  description: 'The fields that name the content of a source of its type: storageUrl of a file, url of the others.',
  examples: [{ url: 'https://example.com/manual/2' }],
})
export type ReplaceSource = z.output<typeof ReplaceSource>

const fieldsOf = { file: ['storageUrl'], url: ['url'], youtube: ['url', 'storageUrl', 'language'], scrape: ['url'] } as const

/** Returns what is wrong with the fields that name the new content of a source of this type. */
export function contentFaults(type: SourceType, given: SourceContents): { field: string; message: string }[] {
  const allowed: readonly string[] = fieldsOf[type]
  const [needed] = fieldsOf[type]
  const faults = given[needed] === undefined ? [{ field: needed, message: `is required when type is ${type}` }] : []
  for (const [field, value] of Object.entries(given))
    if (value !== undefined && !allowed.includes(field))
      faults.push({ field: field as typeof needed, message: `is not a field of type ${type}` })
  if (given.url !== undefined && type !== 'youtube' && !isWebAddress(given.url))
    faults.push({ field: 'url', message: 'must be an absolute http or https URL' })
  return faults
}
