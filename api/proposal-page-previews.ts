import { z } from 'zod'
import { sellerInput } from './organizations.ts'

/** Fields of the preview of a page beside those of the proposal. */
export const pagePreviewFields = {
  organization: sellerInput
    .optional()
    .describe('Details of the organization to show instead of the stored ones, such as before they are saved.'),
}

export const ProposalPagePreview = z
  .object({
    html: z.string().describe('The page as an HTML document. Its style sheet is below `/p/assets/` of this service; it has no scripts.'),
  })
  .meta({ id: 'ProposalPagePreview', description: 'The page of a proposal that was not created.' })
export type ProposalPagePreview = z.input<typeof ProposalPagePreview>
