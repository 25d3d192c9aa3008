export const sourceTypes = ['file', 'url', 'youtube', 'scrape'] as const
export type SourceType = (typeof sourceTypes)[number]

interface SourceTypeFacts {
  /** The fields of a request that name the content. The first is required. */
  readonly content: readonly ('url' | 'storageUrl' | 'language')[]
  /** Whether it is a site, whose pages each have a text, rather than one document. */
  readonly hasPages: boolean
  /** The field of the record with which a preview reads the content; null if a preview takes the extracted text. */
  readonly previewed: 'url' | 'storageUrl' | null
}

/** What the server, the command line and the dashboard know of each source type. */
export const sourceTypeFacts = {
  file: { content: ['storageUrl'], hasPages: false, previewed: 'storageUrl' },
  url: { content: ['url'], hasPages: false, previewed: 'url' },
  youtube: { content: ['url', 'storageUrl', 'language'], hasPages: false, previewed: null },
  scrape: { content: ['url'], hasPages: true, previewed: null },
} as const satisfies Record<SourceType, SourceTypeFacts>

type FirstField<T extends SourceType> = (typeof sourceTypeFacts)[T]['content'][0]

/** A source type whose content is at a URL. */
export type UrlSourceType = { [T in SourceType]: FirstField<T> extends 'url' ? T : never }[SourceType]

/** The source types whose content is at a URL. */
export const urlSourceTypes = sourceTypes.filter((type): type is UrlSourceType => sourceTypeFacts[type].content[0] === 'url')

/** Returns whether a request for the type can have the field. */
export function hasContentField(type: SourceType, field: SourceTypeFacts['content'][number]): boolean {
  const { content }: SourceTypeFacts = sourceTypeFacts[type]
  return content.includes(field)
}

/** Returns whether the source is a site, whose pages each have a text. */
export const hasPages = (type: SourceType): boolean => sourceTypeFacts[type].hasPages

/** The orders of the list of sources; `-` means descending. */
export const sourceSorts = [
  '-createdAt',
  'createdAt',
  '-updatedAt',
  'updatedAt',
  'name',
  '-name',
  '-bytes',
  'bytes',
  '-chunksCount',
  'chunksCount',
  'status',
  '-status',
] as const
export type SourceSort = (typeof sourceSorts)[number]
