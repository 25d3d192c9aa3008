import { buffer } from 'node:stream/consumers'
import { select } from '../../context.ts'
import type { MailRow } from '../../db/schema.ts'
import type { Attachment } from '../../mail/mailer.ts'
import type { ProposalContext } from '../context.ts'
import { getProposalPdf } from '../pdf/pdf-file.ts'

/**
 * Returns the PDF and the certificate of a completed proposal for the message about its acceptance; nothing for other messages.
 * @throws AppError `unavailable` if the PDF could not be rendered
 */
export async function attachmentsOf(ctx: ProposalContext, { kind, proposal_id }: MailRow): Promise<Attachment[]> {
  if (kind !== 'accepted' || proposal_id === null) return []
  const pdf = await getProposalPdf(ctx, proposal_id)
  const content = await buffer(await pdf.open(null))
  const [certificate] = await select(ctx, (db) =>
    db.selectFrom('certificate').select('json').where('proposal_id', '=', proposal_id).$narrowType<{ json: string }>(),
  )
  return [
    { filename: pdf.name, contentType: 'application/pdf', content },
    ...(certificate === undefined
      ? []
      : [{ filename: 'certificate.json', contentType: 'application/json', content: Buffer.from(certificate.json) }]),
  ]
}
