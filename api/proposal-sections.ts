import { z } from 'zod'
import { documented, exactlyOne } from './field-rules.ts'
import { storageUrl } from './new-source.ts'
import { text, Sha256 } from './schemas.ts'

/** Maximum number of sections of a proposal. */
const maxSections = 30

/** A text in Markdown. */
export const markdownInput = (subject: string) =>
  text(1, 20_000).describe(
    `${subject} in Markdown (CommonMark with tables and strikethrough), at most 20,000 characters. HTML and images are shown as text. Only http, https and mailto links are allowed. Line breaks are kept. Lists and quotes can be nested 10 levels deep.`,
  )

function sectionOf<T extends string, F extends z.ZodRawShape>(type: T, fields: F) {
  return z.strictObject(
    { type: z.literal(type).describe(`Type of the section: \`${type}\`.`), ...fields },
    { error: ({ code }) => (code === 'unrecognized_keys' ? `is not a field of a section of type ${type}` : undefined) },
  )
}

const sha256Input = Sha256.describe('`sha256` of a file that the draft already has, instead of `storageUrl`.')

const fileFields = (formats: string) => ({
  storageUrl: storageUrl.optional().meta({
    description: `\`storageUrl\` of an upload whose bytes have been received: ${formats}. The proposal has its own copy of the file.`,
  }),
  sha256: sha256Input.optional(),
})

const withOneFile = <S extends z.ZodType>(schema: S): S =>
  exactlyOne(schema, ['storageUrl', 'sha256'], { field: 'storageUrl', message: 'is required unless sha256 is given' })

const image = sectionOf('image', {
  ...fileFields('a PNG or JPEG file of at most 16 megapixels'),
  alt: text(1, 300).describe('Description of the image, which screen readers read aloud.'),
})
const attachment = sectionOf('attachment', {
  ...fileFields('a PDF'),
  name: text(1, 200).describe('Name of the file for the recipient.'),
})

const ProposalSectionInput = z
  .discriminatedUnion('type', [
    sectionOf('text', { text: markdownInput('Text') }).meta({ id: 'TextSectionInput', description: 'A block of text.' }),
    withOneFile(image).meta({ id: 'ImageSectionInput', description: 'An image. Metadata, such as the location of a photo, is removed.' }),
    sectionOf('items', {}).meta({ id: 'ItemsSectionInput', description: 'Marks where line items and totals appear. At most one.' }),
    sectionOf('terms', { text: markdownInput('Terms') }).meta({
      id: 'TermsSectionInput',
      description: 'Terms, below a heading of that name.',
    }),
    withOneFile(attachment).meta({ id: 'AttachmentSectionInput', description: 'An attached PDF, which the recipient can download.' }),
  ])
  .meta({ id: 'ProposalSectionInput', description: 'A section of a proposal. The fields depend on its `type`.' })
export type ProposalSectionInput = z.output<typeof ProposalSectionInput>

const isItems = ({ type }: { type: string }): boolean => type === 'items'

export const ProposalSectionsInput = documented(
  z
    .array(ProposalSectionInput)
    .max(maxSections)
    .refine((sections) => sections.filter(isItems).length <= 1, 'has more than one section of type items'),
  { contains: { properties: { type: { const: 'items' } }, required: ['type'] }, minContains: 0, maxContains: 1 },
).meta({ examples: [[{ type: 'text', text: '## Your tour\n\nThree days along the *lake*.' }, { type: 'items' }]] })

const type = <T extends string>(name: T) => z.literal(name).describe(`Type of the section: \`${name}\`.`)

const sha256 = z
  .string()
  .describe(
    'SHA-256 of the file in hexadecimal: it identifies the file in `GET /v1/proposals/{id}/files/{sha256}`, and is part of `contentHash`.',
  )
const sizeBytes = z.int().describe('Size of the file in bytes.')

/** Fields of an image in responses. */
export const imageFields = {
  sha256: z.string().describe('SHA-256 of the file in hexadecimal.'),
  mediaType: z.enum(['image/png', 'image/jpeg']).describe('Media type of the file.'),
  sizeBytes,
  width: z.int().describe('Width in pixels.'),
  height: z.int().describe('Height in pixels.'),
}

export const ProposalSection = z
  .discriminatedUnion('type', [
    z
      .object({ type: type('text'), text: z.string().describe('Text in Markdown.') })
      .meta({ id: 'TextSection', description: 'A block of text.' }),
    z
      .object({
        type: type('image'),
        alt: z.string().describe('Description of the image, which screen readers read aloud.'),
        ...imageFields,
        sha256,
      })
      .meta({ id: 'ImageSection', description: 'An image.' }),
    z.object({ type: type('items') }).meta({ id: 'ItemsSection', description: 'Marks where line items and totals appear.' }),
    z.object({ type: type('terms'), text: z.string().describe('Terms in Markdown.') }).meta({ id: 'TermsSection', description: 'Terms.' }),
    z
      .object({
        type: type('attachment'),
        name: z.string().describe('Name of the file.'),
        sha256,
        mediaType: z.literal('application/pdf').describe('Media type of the file.'),
        sizeBytes,
      })
      .meta({ id: 'AttachmentSection', description: 'An attached PDF.' }),
  ])
  .meta({ id: 'ProposalSection', description: 'A section of a proposal. The fields depend on its `type`.' })
export type ProposalSection = z.input<typeof ProposalSection>
