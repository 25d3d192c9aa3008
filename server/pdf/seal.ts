import { plainAddPlaceholder } from '@signpdf/placeholder-plain'
import { P12Signer } from '@signpdf/signer-p12'
import { SignPdf } from '@signpdf/signpdf'
import { createHash } from 'node:crypto'
import forge from 'node-forge'

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
    // No signature of CMS covers the certificates, so this text, which is a part of the file, names their hash.
    contactInfo: `SHA-256 of the certificates: ${certificateHash(p12, passphrase)}`,
    location: '',
    signingTime,
    signatureLength,
  })
  return new SignPdf().sign(pdfBuffer, new P12Signer(Buffer.from(p12), { passphrase }), signingTime)
}

/** Returns the SHA-256 of the certificates in the order and form in which `P12Signer` adds them. */
function certificateHash(p12: Uint8Array, passphrase: string): string {
  const { asn1, pkcs12, pki } = forge
  const bags = pkcs12.pkcs12FromAsn1(asn1.fromDer(Buffer.from(p12).toString('binary')), false, passphrase)
  const hash = createHash('sha256')
  for (const { cert } of bags.getBags({ bagType: pki.oids['certBag'] ?? '' })[pki.oids['certBag'] ?? ''] ?? [])
    if (cert !== undefined) hash.update(asn1.toDer(pki.certificateToAsn1(cert)).getBytes(), 'binary')
  return hash.digest('hex')
}
