import { z } from 'zod'
import { RagSettingsOverride } from './bases.ts'
import { route } from './route.ts'
import { idInput, text, wholeNumber } from './schemas.ts'
import { isWebAddress, SourceChunk } from './sources.ts'

/** What a preview reads at most, and how long it may take. */
export const previewLimits = { bytes: 20_000_000, timeoutMs: 30_000 }

const places = ['url', 'storageUrl', 'text'] as const

const CreatePreview = z
  .strictObject({
    url: text(1, 2048)
      .refine(isWebAddress, 'must be an absolute http or https address')
      .optional()
      .meta({ description: 'Fetched as a source of type url is', examples: ['https://example.com/manual'] }),
    storageUrl: text(1, 300).optional().meta({ description: 'The storageUrl of a finished upload, which stays as it is' }),
    text: z.string().min(1).max(500_000).optional().meta({ description: 'The content itself: Markdown, HTML, CSV or any other text' }),
    fileName: text(1, 255).optional().meta({ description: 'With text: its extension tells between kinds of text' }),
    ragSettingsOverride: RagSettingsOverride.optional().meta({ description: "Laid over the base's settings" }),
    limit: wholeNumber(1, 50).default(20).meta({ description: 'Chunks to answer at most' }),
  })
  .superRefine((preview, check) => {
    const given = places.filter((place) => preview[place] !== undefined)
    if (given.length !== 1) {
      const [path, message] =
        given.length === 0 ? ['text', 'one of url, storageUrl and text is required'] : [given[1], `does not go with ${given[0]}`]
      check.addIssue({ code: 'custom', path: [path ?? 'text'], message: message ?? '' })
    }
    if (preview.fileName !== undefined && preview.text === undefined)
      check.addIssue({ code: 'custom', path: ['fileName'], message: 'goes with text alone' })
  })
  .meta({
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
