export const sourceTypes = ['file', 'url', 'youtube', 'scrape'] as const
export type SourceType = (typeof sourceTypes)[number]

interface SourceTypeFacts {
  /** The fields of a request that name the content. The first is required. */
  readonly content: readonly ('url' | 'storageUrl' | 'language')[]
  /** The other fields of a request that only this type has. */
  readonly settings: readonly ('maxPages' | 'include' | 'exclude')[]
  /** Whether it is a site, whose pages each have a text, rather than one document. */
  readonly hasPages: boolean
  /** The field of the record with which a preview reads the content; null if a preview takes the extracted text. */
  readonly previewed: 'url' | 'storageUrl' | null
}

/** What the server, the command line and the dashboard know of each source type. */
export const sourceTypeFacts = {
  file: { content: ['storageUrl'], settings: [], hasPages: false, previewed: 'storageUrl' },
  url: { content: ['url'], settings: [], hasPages: false, previewed: 'url' },
  youtube: { content: ['url', 'storageUrl', 'language'], settings: [], hasPages: false, previewed: null },
  scrape: { content: ['url'], settings: ['maxPages', 'include', 'exclude'], hasPages: true, previewed: null },
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

/** What a source can warn of, by code. Values are in braces. The API has the sentences, and the dashboard messages of its own. */
export const sourceWarnings = {
  attachment_left_out: 'The attachment {name} is left out: {reason}',
  attachments_left_out: 'Further attachments that are left out: {count}.',
  captions_other_language: 'There are no captions in {requested}, so those in {language} are used. Available: {languages}.',
  comments_left_out: 'The comments of {count} of {total} sheets are left out, because the workbook is very large.',
  messages_damaged: 'Damaged messages that are left out: {count}.',
  messages_encrypted: 'Encrypted messages that are left out: {count}.',
  message_part_encrypted: 'An encrypted part of the message is left out.',
  ocr_no_text: '{noun} {pages} {verb} left out: no text was found in the picture.',
  ocr_off: '{noun} {pages} {verb} left out: OCR is turned off.',
  ocr_page_limit: '{noun} {pages} {verb} left out: OCR reads at most {limit} pages of a document.',
  ocr_read: '{count} of {total} pages are pictures and were read by OCR.',
  ocr_size_limit: '{noun} {pages} {verb} left out: OCR reads at most {limit} megapixels of a document and no poster sizes.',
  ocr_uncertain: '{noun} {pages} {verb} left out: the recognized text is too uncertain.',
  page_little_text: 'The page shows little text without a browser that runs its scripts. {hint}',
  page_not_rendered: 'The page may have more text than was read, since a browser failed to run its scripts: {reason}',
  pages_damaged: 'Not all pages could be read: {pages} are damaged.',
  pages_failed: 'Pages that could not be read: {count}.',
  pages_failed_kept: 'Pages that could not be read: {count}; of {kept} of them, what was read before still answers.',
  pages_little_text: 'Pages that show little text without a browser that runs scripts: {count}, such as {url}. {hint}',
  pages_over_limit: 'Addresses that were not fetched because the limit of pages (maxPages: {limit}) was reached: {count}.',
  pages_over_time: 'Addresses that were not fetched because the limit of time ({hours} hours) was reached: {count}.',
  pages_without_text: 'Pages left out because they show no text without a browser that runs scripts: {count}, such as {url}. {hint}',
  sheets_hidden: '{count} of {total} sheets are hidden and left out.',
  sign_in_forms: 'Sign-in forms left out: {count}, such as {url}. Pages that redirect to them are not public and were not read.',
  slides_hidden: '{count} of {total} slides are hidden and left out.',
  unknown_language:
    'The embedding model {model} does not know {language}: passages are found by their terms only. Set EMBEDDINGS_DIR to a folder with a multilingual model, or EMBEDDINGS_URL to an endpoint with one.',
} as const
export type SourceWarningCode = keyof typeof sourceWarnings

/** A sentence of `sourceWarnings` with its values. */
export type SourceWarning = string & { readonly isSourceWarning: true }

/** Returns the sentence of a warning. */
export const sourceWarning = (code: SourceWarningCode, values: Readonly<Record<string, string | number>> = {}): SourceWarning =>
  asWarning(sourceWarnings[code].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name])))

/** The sentence is one of the contract. */
const asWarning = (sentence: string): SourceWarning => sentence as SourceWarning

/** Values that are a single word, which therefore does not end in the value beside it. */
const words: ReadonlySet<string> = new Set(['noun', 'verb'])

/** Returns the code and the values of a warning; null if a former version wrote it in other words. */
export function readSourceWarning(sentence: string): { code: SourceWarningCode; values: Readonly<Record<string, string>> } | null {
  for (const code of Object.keys(sourceWarnings) as SourceWarningCode[]) {
    const pattern = sourceWarnings[code]
      .replace(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)
      .replace(/\{(\w+)\}/g, (_, name: string) => `(?<${name}>${words.has(name) ? String.raw`\w+` : '.+?'})`)
    const values = new RegExp(`^${pattern}$`, 's').exec(sentence)
    if (values !== null) return { code, values: values.groups ?? {} }
  }
  return null
}
