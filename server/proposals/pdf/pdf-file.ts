import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { select } from '../../context.ts'
import type { FileResponse } from '../../handlers.ts'
import { AppError } from '../../lib/errors.ts'
import { LimitedProcessError } from '../../lib/limited-process.ts'
import type { Seal } from '../../pdf/seal.ts'
import { currentPdfSigner } from '../../pdf/signer.ts'
import type { ProposalContext } from '../context.ts'
import { createFormats } from '../page/formats.ts'
import { signaturesColumn } from '../page/visit.ts'
import { sellerColumn, sellerName } from '../seller.ts'
import { recipientsColumn, type StoredRecipient } from '../recipients.ts'
import { toProposal } from '../record.ts'
import { noSuchProposal } from '../rows.ts'
import { readProposalFiles } from '../sections/proposal-file.ts'
import { counterWordingColumn } from '../signers/counter-signature.ts'
import { offerOf, type PrintedProposal } from './offer-of.ts'

/**
 * Returns the PDF of a proposal in any state. The same proposal always has the same bytes.
 * @throws AppError `not_found`; `unavailable` if the renderer failed twice
 */
export async function getProposalPdf(ctx: ProposalContext, id: string): Promise<FileResponse> {
  const printed = await readPrinted(ctx, id)
  const bytes = await renderPdf(ctx, printed)
  return {
    name: `${printed.proposal.number ?? 'proposal-draft'}.pdf`,
    mediaType: 'application/pdf',
    sizeBytes: bytes.length,
    etag: `"${createHash('sha256').update(bytes).digest('hex')}"`,
    open: async (range) => Readable.from([range === null ? bytes : bytes.subarray(range.start, range.end + 1)]),
  }
}

const formatsOf = createFormats()

async function renderPdf(ctx: ProposalContext, { recipient, ...printed }: Addressed): Promise<Buffer> {
  const formats = formatsOf({ recipient, ...printed })
  try {
    const seal = await sealOf(ctx, printed)
    const { bytes } = await ctx.pdfRenderer.render({ document: offerOf(printed, formats), ...(seal !== null && { seal }) })
    return Buffer.from(bytes)
  } catch (error) {
    if (!(error instanceof LimitedProcessError)) throw error
    throw new AppError('unavailable', 'The PDF could not be rendered. Try again in a minute.', { cause: error })
  }
}

/** Returns the seal of a completed proposal; null for any other. */
async function sealOf(ctx: ProposalContext, { proposal, seller }: PrintedProposal): Promise<Seal | null> {
  if (proposal.completedAt === null) return null
  const signer = await currentPdfSigner(ctx)
  return { ...signer, signedAt: proposal.completedAt, name: sellerName(seller), reason: `${proposal.number} completed` }
}

interface Addressed extends PrintedProposal {
  /** The first signer, in whose language the PDF is. */
  readonly recipient: StoredRecipient
}

async function readPrinted(ctx: ProposalContext, id: string): Promise<Addressed> {
  const [row] = await select(ctx, (db) =>
    db
      .selectFrom('proposal')
      .selectAll()
      .select([recipientsColumn, sellerColumn, signaturesColumn, counterWordingColumn])
      .select((eb) => eb.selectFrom('certificate').select('json').whereRef('proposal_id', '=', 'proposal.id').as('certificate'))
      .where('id', '=', id),
  )
  const recipient = row?.recipients.find(({ role }) => role === 'signer')
  if (row === undefined || row.seller === null || recipient === undefined) throw noSuchProposal()
  const { seller, signatures, counter_wording: counterWording, certificate } = row
  const proposal = toProposal(ctx, row)
  const hasFiles = proposal.sections.some((section) => 'sha256' in section)
  const files = new Map(hasFiles ? await readProposalFiles(ctx, id) : [])
  if (seller.logo !== null) files.set(seller.logo.sha256, await ctx.storage.read(seller.logo.key))
  return { proposal, seller, recipient, signatures, counterWording, certificate, files }
}
