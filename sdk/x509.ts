import { DerError, derElements, derOid, derParts, derTag, sameBytes, type DerElement } from './der.ts'

/** The parts of an X.509 certificate (RFC 5280) that identify its owner. */
export interface X509Certificate {
  /** DER of the name of the issuer, and of the serial number. */
  readonly issuer: Uint8Array<ArrayBuffer>
  readonly serialNumber: Uint8Array<ArrayBuffer>
  /** DER of the public key (SubjectPublicKeyInfo). */
  readonly publicKey: Uint8Array<ArrayBuffer>
  /** The common name of the subject; null without one. */
  readonly name: string | null
}

/** @throws DerError if it is not a certificate */
export function readX509(element: DerElement): X509Certificate {
  const [body] = derParts(element, derTag.sequence, 3)
  const fields = derParts(body, derTag.sequence, 6)
  // The version is absent in the first version of X.509.
  const [serialNumber, , issuer, , subject, publicKey] = fields.slice(fields[0].tag === derTag.context0 ? 1 : 0)
  if (!serialNumber || !issuer || !subject || !publicKey) throw new DerError('A certificate is incomplete.')
  return { issuer: issuer.bytes, serialNumber: serialNumber.bytes, publicKey: publicKey.bytes, name: commonName(subject) }
}

function commonName(subject: DerElement): string | null {
  for (const attribute of derElements(subject.content).flatMap((set) => derElements(set.content))) {
    const [type, value] = derParts(attribute, derTag.sequence, 2)
    if (sameBytes(type.bytes, derOid('2.5.4.3'))) return new TextDecoder().decode(value.content)
  }
  return null
}
