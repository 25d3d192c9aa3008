import { z } from 'zod'
import { RagSettingsOverride } from './bases.ts'
import { documented, notWith, onlyWith, someOf } from './field-rules.ts'
import { exactNumber, languageTag, text, wholeNumber } from './schemas.ts'
import { sourceTypeFacts, type SourceType } from './source-types.ts'

/** Intervals of automatic syncs. */
export const syncSchedules = ['hourly', 'daily', 'weekly'] as const
export type SyncSchedule = (typeof syncSchedules)[number]

/** Addresses on the public internet, in their common forms. */
const ipv6 = String.raw`[23][\dA-Fa-f]{3}:(?:(?:[\dA-Fa-f]{1,4}:){6}|(?:[\dA-Fa-f]{1,4}:){0,5}:)[\dA-Fa-f]{1,4}`
const urlHost = String.raw`(?:\[(?:${ipv6})\]|[^\s/?#@\\:<>^|%[\]]+)`
/** An absolute http or https URL without credentials. */
export const webUrlPattern = String.raw`^[Hh][Tt][Tt][Pp][Ss]?://${urlHost}(?::(?:80|443|[1-6]?\d{4}))?(?:[/?#]\S*)?$`
const onPublicInternet =
  'Absolute http or https URL without credentials. Its host must be on the public internet, unless the operator allows it (`FETCH_ALLOW_HOSTS`). A private IP address or a local name is rejected with 422.'

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
  description: 'URL of the video in any form that YouTube uses, with the 11-character video id.',
})

const uuidPattern = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
/** The storageUrl of an upload. */
export const storageUrl = text(1, 300).meta({
  pattern: `^groundwork://uploads/upl_${uuidPattern}$`,
  description: '`storageUrl` of an upload.',
  examples: ['groundwork://uploads/upl_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8'],
})
const finishedUpload = storageUrl.meta({ description: '`storageUrl` of an upload whose bytes have been received.' })
const transcript = storageUrl
  .optional()
  .meta({ description: '`storageUrl` of an uploaded transcript (VTT, SRT or TXT) to use instead of the captions.' })
const captionLanguage = languageTag.optional().meta({
  description: 'Preferred language of the captions (BCP 47). The language of the knowledge base by default, or else the spoken language.',
  examples: ['en'],
})

const key = text(1, 64)
const MetadataValue = z.union([text(0, 500), exactNumber, z.boolean(), z.array(text(0, 500)).max(50)])
/** Maximum number of metadata keys of a source. */
export const maxMetadataKeys = 50

function metadataOf<V extends z.ZodType>(value: V) {
  const record = z.record(key, value)
  const few = record.refine((given) => Object.keys(given).length <= maxMetadataKeys, `has more than ${maxMetadataKeys} keys`)
  return few.meta({ maxProperties: maxMetadataKeys })
}
/** Changes to metadata, by key. */
export const MetadataChanges = metadataOf(MetadataValue.nullable())

/** Returns the pattern of glob text without alternatives. A sign before a parenthesis would begin a list such as `+(a|b)`. */
function globText(except: string, atLeast: '*' | '+'): string {
  const [literal, sign] = [String.raw`[^\s\u0000[\]{}\\!?+@*(${except}]`, '[?+@*]']
  const plain = String.raw`(?:\(|${literal}|${sign}+${literal})${atLeast}${sign}*`
  return atLeast === '+' ? `(?:${plain}|${sign}+)` : plain
}
const globGroup = String.raw`\{${globText(',', '*')}(?:,${globText(',', '*')})+\}${globText('', '*')}`
/** A glob of text, `*`, `**` and `{a,b}`, which may begin with an IPv6 address. */
const globPattern = String.raw`^\s*(?:https?://\[[\d:.A-Fa-f]+\])?(?:${globText('', '+')}|${globGroup})(?:${globGroup})*\s*$`
const globs = z
  .array(
    text(1, 300)
      .refine(
        (glob) => new RegExp(globPattern).test(glob),
        'has unknown glob syntax: use only *, ** and {a,b}, without braces inside braces',
      )
      .meta({ pattern: globPattern }),
  )
  .max(50)

/** Stored crawl settings of a site. */
export const CrawlSettings = z.object({
  maxPages: z.number().int().default(100),
  include: z.array(z.string()).default([]),
  exclude: z.array(z.string()).default([]),
})

const crawlFields = {
  maxPages: wholeNumber(1, 10_000).optional().meta({ description: 'Maximum number of pages with text, 100 by default.' }),
  include: globs.optional().meta({
    description:
      'Globs of paths to crawl; all by default. `*` matches within a path segment, `**` across segments, `{a,b}` either text. Other syntax of globs is rejected with 422.',
    examples: [['/docs/**', '/{guide,manual}/**']],
  }),
  exclude: globs
    .optional()
    .meta({ description: 'Globs of paths to leave out, in the same form as `include`.', examples: [['/blog/*/print']] }),
}

const syncSchedule = z
  .enum(syncSchedules)
  .optional()
  .meta({ description: 'Interval of automatic syncs, varied at random by up to a tenth. No automatic syncs by default.' })

export const externalId = text(1, 200)

/** A source of one type: the fields of every source and those of its content. */
function sourceOf<T extends SourceType, E extends z.ZodType, F extends z.ZodRawShape>(type: T, id: E, fields: F) {
  const common = {
    name: text(1, 200).meta({ description: 'Name of the source, shown in lists and search results.' }),
    type: z.literal(type).meta({ description: `Type of the source: \`${type}\`.` }),
    ...fields,
    externalId: id,
  }
  const settings = {
    ragSettingsOverride: RagSettingsOverride.optional(),
    metadata: metadataOf(MetadataValue)
      .optional()
      .meta({
        description: `Data of your own for filtering searches: at most ${maxMetadataKeys} keys. Values are texts, numbers, booleans or lists of texts.`,
      }),
  }
  return z.strictObject(
    { ...common, ...settings },
    { error: ({ code }) => (code === 'unrecognized_keys' ? `is not a field of type ${type}` : undefined) },
  )
}

function newSource<E extends z.ZodType>(verb: 'Add' | 'Upsert', id: E) {
  const ofUpload = { field: 'syncSchedule', message: 'cannot be combined with an uploaded transcript, which has no URL to sync with' }
  const video = sourceOf('youtube', id, { url: videoUrl, language: captionLanguage, storageUrl: transcript, syncSchedule })
  return z.discriminatedUnion('type', [
    sourceOf('file', id, { storageUrl: finishedUpload }).meta({ id: `${verb}FileSource`, description: 'An uploaded file.' }),
    sourceOf('url', id, { url: webUrl, syncSchedule }).meta({
      id: `${verb}UrlSource`,
      description: 'A web page or a file at a URL, up to 50 MB.',
    }),
    notWith(video, 'storageUrl', ofUpload).meta({ id: `${verb}YoutubeSource`, description: 'The transcript of a YouTube video.' }),
    sourceOf('scrape', id, { url: webUrl, ...crawlFields, syncSchedule }).meta({
      id: `${verb}ScrapeSource`,
      description: 'The pages of a site, found through its sitemaps and links.',
    }),
  ])
}

const externalIdField = externalId.meta({ description: 'Your own id of the source, unique in the knowledge base.' })

export const AddSource = newSource('Add', externalIdField.optional()).meta({
  id: 'AddSource',
  description: 'A new source. The fields depend on its `type`.',
  examples: [{ name: 'Manual', type: 'url', url: 'https://example.com/manual' }],
})

export type AddSource = z.input<typeof AddSource>

export const UpsertSource = newSource('Upsert', externalIdField).meta({
  id: 'UpsertSource',
  description: 'A source with an `externalId`. The fields depend on its `type`.',
  examples: [{ name: 'Manual', type: 'url', url: 'https://example.com/manual', externalId: 'manual-42' }],
})

/** A source to add, of any type. */
export interface NewSource extends SourceContents {
  type: SourceType
  name: string
  externalId?: string | undefined
  ragSettingsOverride?: RagSettingsOverride | undefined
  metadata?: Record<string, z.output<typeof MetadataValue>> | undefined
  syncSchedule?: SyncSchedule | undefined
}

/** The fields that name the content of a source, and the pages of a site. */
export interface SourceContents {
  url?: string | undefined
  storageUrl?: string | undefined
  language?: string | undefined
  maxPages?: number | undefined
  include?: string[] | undefined
  exclude?: string[] | undefined
}

const contents = z.strictObject({
  url: text(1, 2048)
    .optional()
    .meta({
      pattern: `${webUrlPattern}|${videoUrlPattern}`,
      description: 'New URL, for sources of type `url`, `youtube` and `scrape`.',
    }),
  storageUrl: finishedUpload.optional().meta({
    description:
      '`storageUrl` of an upload whose bytes have been received: a new file for type `file`, or a transcript for type `youtube`.',
  }),
  language: captionLanguage.meta({ description: 'Preferred language of the captions (BCP 47), for sources of type `youtube`.' }),
  maxPages: crawlFields.maxPages.meta({
    description: 'Maximum number of pages with text, for sources of type `scrape`. Omitted: as before.',
  }),
  include: crawlFields.include.meta({ description: 'Globs of paths to crawl, for sources of type `scrape`. Omitted: as before.' }),
  exclude: crawlFields.exclude.meta({ description: 'Globs of paths to leave out, for sources of type `scrape`. Omitted: as before.' }),
})
const named = someOf(contents, [['url'], ['storageUrl']], { field: 'url', message: 'is required unless storageUrl is given' })

const videoOnly = { properties: { url: { pattern: videoUrlPattern } } }
const ofVideo = { dependentSchemas: { language: videoOnly, storageUrl: videoOnly } }

export const ReplaceSource = documented(onlyWith(named, 'url', ['language', 'maxPages', 'include', 'exclude']), ofVideo).meta({
  id: 'ReplaceSource',
  description:
    'The new content of a source. Sources of type `file` need `storageUrl`; the others need `url`, which can be the same as before.',
  examples: [{ url: 'https://example.com/manual/2' }],
})
export type ReplaceSource = z.output<typeof ReplaceSource>

/** Returns the invalid fields of new content for a source of this type. */
export function contentFaults(type: SourceType, given: SourceContents): { field: string; message: string }[] {
  const { content, settings } = sourceTypeFacts[type]
  const allowed: readonly string[] = [...content, ...settings]
  const [needed] = content
  const faults = given[needed] === undefined ? [{ field: needed, message: `is required when type is ${type}` }] : []
  for (const [field, value] of Object.entries(given))
    if (value !== undefined && !allowed.includes(field))
      faults.push({ field: field as typeof needed, message: `is not a field of type ${type}` })
  if (given.url !== undefined && type !== 'youtube' && !isWebAddress(given.url))
    faults.push({ field: 'url', message: 'must be an absolute http or https URL' })
  return faults
}
