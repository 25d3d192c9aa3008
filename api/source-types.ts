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

/** Returns whether the source is a site, whose pages each have a text. */
export const hasPages = (type: SourceType): boolean => sourceTypeFacts[type].hasPages
