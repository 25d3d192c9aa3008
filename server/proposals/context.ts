import type { Context, CoreServices } from '../context.ts'
import type { FileServices } from '../files/context.ts'
import type { SecretKeys } from '../lib/secrets.ts'
import type { MailServices } from '../mail/mailer.ts'
import type { PdfSigner } from '../pdf/signer.ts'
import type { ProposalLinks } from './links.ts'

export interface ProposalServices extends CoreServices, MailServices, FileServices {
  readonly proposalLinks: ProposalLinks
  /** Decrypts the key that signs certificates. */
  readonly secretKey: SecretKeys
  /** The configured signer of PDFs; null for the one of the installation. */
  readonly pdfSigner: PdfSigner | null
  /** Years for which accepted proposals of erased contacts are kept, from their completion; null for no end. */
  readonly contractYears: number | null
}

export interface ProposalContext extends Context, ProposalServices {}
