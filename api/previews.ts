import { z } from 'zod'
import { RagSettingsOverride } from './bases.ts'
import { exactlyOne, onlyWith } from './field-rules.ts'
import { route } from './route.ts'
import { idInput, lengthFrom, text, wholeNumber } from './schemas.ts'
import { storageUrl, webUrl } from './new-source.ts'
import { SourceChunk } from './sources.ts'

/** What a preview reads at most, and how long it may take. */
export const previewLimits = { bytes: 20_000_000, timeoutMs: 30_000 }

const fields = z.strictObject({
  url: webUrl.optional().meta({ description: 'Fetched as a source of type url is', examples: ['https://example.com/manual'] }),
  storageUrl: storageUrl.optional().meta({ description: 'The storageUrl of a finished upload, which stays as it is' }),
  text: z
    .string()
    .check(lengthFrom(1, 500_000))
    .meta({ minLength: 1, maxLength: 500_000, pattern: String.raw`\S` })
    .optional()
    .meta({ description: 'The content itself: Markdown, HTML, CSV or any other text' }),
  fileName: text(1, 255).optional().meta({ description: 'With text: its extension tells between kinds of text' }),
  ragSettingsOverride: RagSettingsOverride.optional().meta({ description: "Laid over the base's settings" }),
  limit: wholeNumber(1, 50).default(20).meta({ description: 'Chunks to answer at most' }),
})
const oneDocument = exactlyOne(fields, ['url', 'storageUrl', 'text'], {
  field: 'text',
  message: 'is required unless there is a url or a storageUrl',
})

const CreatePreview = onlyWith(oneDocument, 'text', ['fileName']).meta({
  id: 'CreatePreview',
  examples: [{ text: '# Prices\n\nA day costs twelve.', fileName: 'prices.md', ragSettingsOverride: { chunkSize: 128 } }],
})
export type CreatePreview = z.output<typeof CreatePreview>

const PreviewChunk = SourceChunk.omit({ id: true }).meta({ id: 'PreviewChunk' })

export const Preview = z
  .object({
    mediaType: z.string().meta({ description: 'Found by content' }),
    title: z.string().nullable(),
    canonicalUrl: z.string().nullable().meta({ description: 'Of an address: what citations would name' }),
    language: z.string().nullable(),
    bytes: z.number().int(),
    pages: z.number().int().nullable(),
    characters: z.number().int().meta({ description: 'Of the text that was read, UTF-16 code units' }),
    chunksCount: z.number().int().meta({ description: 'All that there would be' }),
    chunks: z.array(PreviewChunk).meta({ description: 'The first ones: limit, or what makes 200,000 characters' }),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'Preview' })
export type Preview = z.input<typeof Preview>

export const previews = {
  create: route({
    method: 'POST',
    path: '/v1/bases/{baseId}/preview',
    summary: 'Show the chunks that a document would become, and keep nothing',
    description:
      'Read and cut as a source of the base would be: up to 20 MB, within 30 seconds. What cannot be read is refused with 422, where the code of the first of issues is the errorCode that the source would have. Few are made at a time: 429 says when to try again.',
    scope: 'sources:write',
    reads: true,
    params: z.object({ baseId: idInput('kb') }),
    body: CreatePreview,
    status: 200,
    reply: Preview,
  }),
}
