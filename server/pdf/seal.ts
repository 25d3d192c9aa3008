import { plainAddPlaceholder } from '@signpdf/placeholder-plain'
import { P12Signer } from '@signpdf/signer-p12'
import { SignPdf } from '@signpdf/signpdf'

/** The key and the certificate that seal a PDF, and what the seal says. */
export interface Seal {
  /** PKCS #12. */
  readonly p12: Uint8Array
  readonly passphrase: string
  /** Time of the signature, as ISO 8601. */
  readonly signedAt: string
  /** Name of the signer as viewers show it. */
  readonly name: string
  readonly reason: string
}

/** Bytes of the signature: enough for a chain of several certificates. */
const signatureLength = 16_384

/** Adds a signature of the whole file (PAdES, adbe.pkcs7.detached). The same PDF and seal result in the same bytes. */
export async function sealPdf(pdf: Uint8Array, { p12, passphrase, signedAt, name, reason }: Seal): Promise<Uint8Array> {
  const signingTime = new Date(signedAt)
  const pdfBuffer = plainAddPlaceholder({
    pdfBuffer: Buffer.from(pdf),
    name,
    reason,
    contactInfo: '',
    location: '',
    signingTime,
    signatureLength,
  })
  return new SignPdf().sign(pdfBuffer, new P12Signer(Buffer.from(p12), { passphrase }), signingTime)
}
