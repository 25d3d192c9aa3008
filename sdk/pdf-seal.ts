import type { Finding } from './certificate-check.ts'
import { der, DerError, derElements, derOid, derParts, derTag, readDer, sameBytes } from './der.ts'
import { isRsaSignatureValid, sha256, webCrypto } from './signing-keys.ts'
import { readX509, type X509Certificate } from './x509.ts'

/**
 * Checks the seal of a PDF: a detached CMS signature (RFC 5652, RSA with SHA-256) of the whole file. Every byte of the file is signed,
 * or belongs to the certificates, whose hash is signed, or to the rest of the signature, which must be in its only form. Fails for a
 * PDF without a seal.
 */
export async function checkSeal(bytes: Uint8Array<ArrayBuffer>): Promise<Finding> {
  const line = (holds: boolean, detail: string): Finding => ({ check: 'seal', holds, detail })
  const parts = sealedParts(bytes)
  if (parts === null) return line(false, 'The PDF has no seal, or the seal is damaged. There is no proof that the pages are unchanged.')
  if ('fault' in parts) return line(false, parts.fault)
  try {
    const seal = readSeal(parts.contents)
    const fault = await faultOf(seal, parts)
    if (fault !== null) return line(false, fault)
    const by = seal.signer.name ?? 'an unnamed certificate'
    return line(true, `The file is unchanged since it was sealed by ${by} (SHA-256 of the certificates: ${parts.certificateHash}).`)
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    return line(false, 'The seal is damaged.')
  }
}

interface SealedParts {
  /** All bytes except the signature. */
  readonly signed: Uint8Array<ArrayBuffer>
  readonly contents: Uint8Array<ArrayBuffer>
  /** SHA-256 of the certificates as the signed part names it, in hexadecimal; empty if it does not. */
  readonly certificateHash: string
}

/** Returns the parts of a sealed file; null without a seal. */
function sealedParts(bytes: Uint8Array<ArrayBuffer>): SealedParts | { readonly fault: string } | null {
  const text = new TextDecoder('latin1').decode(bytes)
  // The seal is the last change of the file.
  const [, ...numbers] = [...text.matchAll(/\/ByteRange\s*\[0 (\d+) (\d+) (\d+)\]/g)].at(-1) ?? []
  const [end, start, length] = numbers.map(Number)
  if (end === undefined || start === undefined || length === undefined) return null
  if (start + length !== bytes.length) return { fault: 'The seal does not cover the whole file: something was added or removed after it.' }
  const hex = end < start ? /^<([\da-f]+)>$/.exec(text.slice(end, start))?.[1] : undefined
  if (hex === undefined) return { fault: 'The seal is damaged, or leaves part of the file unprotected.' }
  const certificateHash =
    /\/ContactInfo \(SHA-256 of the certificates: ([\da-f]{64})\)/.exec(text.slice(text.lastIndexOf(' obj', end), start + length))?.[1] ??
    ''
  const signed = new Uint8Array(end + length)
  signed.set(bytes.subarray(0, end))
  signed.set(bytes.subarray(start), end)
  return { signed, certificateHash, contents: Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)) }
}

interface SealContent {
  /** DER of the certificates, one after the other. */
  readonly certificates: Uint8Array<ArrayBuffer>
  readonly signer: X509Certificate
  /** DER of the signed attributes, without tag and length. */
  readonly attributes: Uint8Array<ArrayBuffer>
  readonly signature: Uint8Array<ArrayBuffer>
}

const oids = {
  data: derOid('1.2.840.113549.1.7.1'),
  signedData: derOid('1.2.840.113549.1.7.2'),
  contentType: derOid('1.2.840.113549.1.9.3'),
  messageDigest: derOid('1.2.840.113549.1.9.4'),
}
const noParameters = der(0x05)
const sha256Algorithm = der(derTag.sequence, derOid('2.16.840.1.101.3.4.2.1'), noParameters)
const rsaAlgorithm = der(derTag.sequence, derOid('1.2.840.113549.1.1.1'), noParameters)
const version = der(derTag.integer, Uint8Array.of(1))

/** Reads the CMS SignedData of a seal. @throws DerError if it is not in its only form */
function readSeal(contents: Uint8Array<ArrayBuffer>): SealContent {
  const whole = readDer(contents)
  const [, wrapped] = derParts(whole, derTag.sequence, 2)
  const [signedData] = derParts(wrapped, derTag.context0, 1)
  const [, , , certificateList, signers] = derParts(signedData, derTag.sequence, 5)
  const [signerInfo] = derParts(signers, derTag.set, 1)
  const [, identifier, , attributes, , signature] = derParts(signerInfo, derTag.sequence, 6)
  const certificates = certificateList.content
  const signer = derElements(certificates)
    .map(readX509)
    .find(({ issuer, serialNumber }) => sameBytes(der(derTag.sequence, issuer, serialNumber), identifier.bytes))
  if (signer === undefined) throw new DerError('The certificate of the signer is missing.')
  const info = [version, identifier.bytes, sha256Algorithm, der(derTag.context0, attributes.content), rsaAlgorithm, signature.bytes]
  const content = [
    version,
    der(derTag.set, sha256Algorithm),
    der(derTag.sequence, oids.data),
    der(derTag.context0, certificates),
    der(derTag.set, der(derTag.sequence, ...info)),
  ]
  const onlyForm = der(derTag.sequence, oids.signedData, der(derTag.context0, der(derTag.sequence, ...content)))
  const padding = contents.subarray(whole.bytes.length)
  if (signature.tag !== derTag.octets || !sameBytes(onlyForm, whole.bytes) || padding.some((byte) => byte !== 0))
    throw new DerError('The signature is not in its only form.')
  return { certificates, signer, attributes: attributes.content, signature: signature.content }
}

/** Returns a sentence about the first fault; null if the seal holds. */
async function faultOf(
  { certificates, signer, attributes, signature }: SealContent,
  { signed, certificateHash }: SealedParts,
): Promise<string | null> {
  const digest = new Uint8Array(await webCrypto().digest('SHA-256', signed))
  if (!sameBytes(attribute(attributes, oids.messageDigest), der(derTag.octets, digest))) return 'The file was changed after it was sealed.'
  if (!sameBytes(attribute(attributes, oids.contentType), oids.data)) return 'The seal has an unexpected type.'
  if ((await sha256(certificates)) !== certificateHash) return 'The seal’s certificates were changed.'
  const isValid = await isRsaSignatureValid(der(derTag.set, attributes), signature, signer.publicKey)
  return isValid ? null : 'The seal is not valid: it was changed.'
}

/** Returns the only value of a signed attribute. @throws DerError if it is missing or occurs twice */
function attribute(attributes: Uint8Array<ArrayBuffer>, type: Uint8Array): Uint8Array {
  const found = derElements(attributes)
    .map((element) => derParts(element, derTag.sequence, 2))
    .filter(([name]) => sameBytes(name.bytes, type))
  const [first] = found
  const [value, ...others] = derParts(first?.[1], derTag.set, 1)
  if (found.length !== 1 || others.length > 0) throw new DerError('A signed attribute is missing or occurs twice.')
  return value.bytes
}
