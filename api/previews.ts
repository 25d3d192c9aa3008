import { z } from 'zod'
import { RagSettingsOverride } from './bases.ts'
import { exactlyOne, onlyWith } from './field-rules.ts'
import { route } from './route.ts'
import { idInput, lengthFrom, text, wholeNumber } from './schemas.ts'
import { storageUrl, webUrl } from './new-source.ts'
import { DocumentOutlineEntry, SourceChunk } from './sources.ts'

/** Maximum size of a document and maximum duration of a preview. */
export const previewLimits = { bytes: 20_000_000, timeoutMs: 30_000 }

const fields = z.strictObject({
  url: webUrl
    .optional()
    .meta({ description: 'URL of the document, fetched like a source of type `url`.', examples: ['https://example.com/manual'] }),
  storageUrl: storageUrl
    .optional()
    .meta({ description: '`storageUrl` of an upload whose bytes have been received. The upload stays usable.' }),
  text: z
    .string()
    .check(lengthFrom(1, 500_000))
    .meta({ minLength: 1, maxLength: 500_000, pattern: String.raw`\S` })
    .optional()
    .meta({ description: 'Content of the document: Markdown, HTML, CSV or any other text.' }),
  fileName: text(1, 255)
    .optional()
    .meta({ description: 'File name whose extension selects the format of `text`. Only allowed together with `text`.' }),
  ragSettingsOverride: RagSettingsOverride.optional().meta({ description: 'Chunking settings that replace those of the knowledge base.' }),
  limit: wholeNumber(1, 50).default(20).meta({ description: 'Maximum number of chunks to return.' }),
})
const oneDocument = exactlyOne(fields, ['url', 'storageUrl', 'text'], {
  field: 'text',
  message: 'is required unless url or storageUrl is given',
})

const CreatePreview = onlyWith(oneDocument, 'text', ['fileName']).meta({
  id: 'CreatePreview',
  description: 'The document: exactly one of `url`, `storageUrl` and `text` is required.',
  examples: [{ text: '# Prices\n\nA day costs twelve.', fileName: 'prices.md', ragSettingsOverride: { chunkSize: 128 } }],
})
export type CreatePreview = z.output<typeof CreatePreview>

const PreviewChunk = SourceChunk.omit({ id: true, pageId: true, pageUrl: true, pageTitle: true }).meta({
  id: 'PreviewChunk',
  description: 'A chunk that the document would become.',
})

export const Preview = z
  .object({
    mediaType: z.string().meta({ description: 'Media type detected from the content.', examples: ['text/markdown'] }),
    title: z.string().nullable().describe('Title of the document; null without one.'),
    canonicalUrl: z.string().nullable().describe('URL that citations would use; null without `url`.'),
    language: z.string().nullable().describe('Detected language (ISO 639-1); null if unknown.'),
    bytes: z.number().int().describe('Size of the document in bytes.'),
    pages: z.number().int().nullable().describe('Number of pages; null for formats without pages.'),
    characters: z.number().int().describe('Length of the extracted text in UTF-16 code units.'),
    chunksCount: z.number().int().describe('Number of chunks of the whole document.'),
    chunks: z.array(PreviewChunk).describe('First chunks: at most `limit`, and at most 200,000 characters in total.'),
    outline: z.array(DocumentOutlineEntry).describe('Headings, tables and pages of the whole document in order, at most 2,000.'),
    warnings: z.array(z.string()).describe('Parts of the content that could not be read, in English.'),
  })
  .meta({ id: 'Preview', description: 'The result of reading and chunking a document.' })
export type Preview = z.input<typeof Preview>

export const previews = {
  create: route({
    method: 'POST',
    path: '/v1/bases/{baseId}/preview',
    summary: 'Preview the chunks of a document',
    answer: 'The first chunks of the document.',
    description:
      'Reads and chunks a document like a source of the knowledge base, without storing it: up to 20 MB, within 30 seconds. 422 for an unreadable document; the `code` of the first of `issues` is the `errorCode` that the source would have. 429 if too many previews are in progress.',
    scope: 'sources:write',
    reads: true,
    params: z.object({ baseId: idInput('kb') }),
    body: CreatePreview,
    status: 200,
    reply: Preview,
  }),
}
