import { der, DerError, derElements, derOid, derParts, derTag, sameBytes, type DerElement } from './der.ts'
import { webCrypto } from './signing-keys.ts'

/** The parts of an X.509 certificate (RFC 5280) that verification needs. */
export interface X509Certificate {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The part that its issuer signed. */
  readonly signed: Uint8Array<ArrayBuffer>
  readonly signatureAlgorithm: DerElement
  readonly signature: Uint8Array<ArrayBuffer>
  /** DER of the names, and of the serial number. */
  readonly issuer: Uint8Array<ArrayBuffer>
  readonly subject: Uint8Array<ArrayBuffer>
  readonly serialNumber: Uint8Array<ArrayBuffer>
  /** DER of the public key (SubjectPublicKeyInfo). */
  readonly publicKey: Uint8Array<ArrayBuffer>
  /** The common name of the subject; null without one. */
  readonly name: string | null
}

/** @throws DerError if the certificate is not in its only form */
export function readX509(element: DerElement): X509Certificate {
  const [body, , signatureBits] = derParts(element, derTag.sequence, 3)
  const fields = derParts(body, derTag.sequence, 6)
  // The version is absent in the first version of X.509.
  const from = fields[0].tag === derTag.context0 ? 1 : 0
  const [serialNumber, algorithm, issuer, , subject, publicKey] = fields.slice(from)
  if (!serialNumber || !algorithm || !issuer || !subject || !publicKey) throw new DerError('A certificate is incomplete.')
  const signature = signatureBits.content.subarray(1)
  // The outer algorithm must repeat the signed one, so no byte outside of the signed part is free.
  const onlyForm = der(derTag.sequence, body.bytes, algorithm.bytes, der(derTag.bits, Uint8Array.of(0), signature))
  if (!sameBytes(onlyForm, element.bytes)) throw new DerError('A certificate is not in its only form.')
  return {
    bytes: element.bytes,
    signed: body.bytes,
    signatureAlgorithm: algorithm,
    signature,
    issuer: issuer.bytes,
    subject: subject.bytes,
    serialNumber: serialNumber.bytes,
    publicKey: publicKey.bytes,
    name: commonName(subject),
  }
}

function commonName(subject: DerElement): string | null {
  const attributes = derElements(subject.content).flatMap((set) => derElements(set.content))
  for (const attribute of attributes) {
    const [type, value] = derParts(attribute, derTag.sequence, 2)
    if (sameBytes(type.bytes, derOid('2.5.4.3'))) return new TextDecoder().decode(value.content)
  }
  return null
}

const hashes = new Map([
  ['1.2.840.113549.1.1.11', 'SHA-256'],
  ['1.2.840.113549.1.1.12', 'SHA-384'],
  ['1.2.840.113549.1.1.13', 'SHA-512'],
])

/** Returns whether the signature of a certificate is valid under the key of its issuer; null for another algorithm than RSA. */
export async function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): Promise<boolean | null> {
  const [algorithm] = derParts(certificate.signatureAlgorithm, derTag.sequence, 1)
  const [, hash] = [...hashes].find(([oid]) => sameBytes(derOid(oid), algorithm.bytes)) ?? []
  return hash === undefined ? null : isRsaSigned(certificate.signed, certificate.signature, { publicKey: issuer.publicKey, hash })
}

/** Returns whether an RSA signature (PKCS #1, version 1.5) is valid. */
export async function isRsaSigned(
  content: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
  { publicKey, hash }: { readonly publicKey: Uint8Array<ArrayBuffer>; readonly hash: string },
): Promise<boolean> {
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash }
  try {
    const key = await webCrypto().importKey('spki', publicKey, algorithm, false, ['verify'])
    return await webCrypto().verify(algorithm, key, signature, content)
  } catch (error) {
    // The key is damaged, or not of RSA.
    if (error instanceof DOMException || error instanceof TypeError) return false
    throw error
  }
}
