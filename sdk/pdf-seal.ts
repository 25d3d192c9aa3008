import type { Finding } from './certificate-check.ts'
import { der, DerError, derElements, derOid, derParts, derTag, readDer, sameBytes } from './der.ts'
import { sha256, webCrypto } from './signing-keys.ts'
import { isIssuedBy, isRsaSigned, readX509, type X509Certificate } from './x509.ts'

/**
 * Checks the seal of a PDF: a detached CMS signature (RFC 5652, RSA with SHA-256) of the whole file. Every byte of the file is either
 * signed, or part of the signature, which must be in its only form. Fails for a PDF without a seal.
 */
export async function checkSeal(bytes: Uint8Array<ArrayBuffer>): Promise<Finding> {
  const line = (holds: boolean, detail: string): Finding => ({ check: 'seal', holds, detail })
  const parts = sealedParts(bytes)
  if (parts === null) return line(false, 'The PDF has no seal, or it was damaged. Nothing shows whether the pages were changed.')
  if ('fault' in parts) return line(false, parts.fault)
  try {
    const seal = readSeal(parts.contents)
    const fault = await faultOf(seal, parts.signed)
    if (fault !== null) return line(false, fault)
    const { name, bytes: certificate } = seal.signer
    const by = `${name ?? 'an unnamed certificate'} (SHA-256 of the certificate: ${await sha256(certificate)})`
    const unproved = seal.certificates.some(({ issuer }) => !seal.certificates.some(({ subject }) => sameBytes(subject, issuer)))
    const issuer = unproved ? ' The certificate of its issuer is not in the file.' : ''
    return line(true, `The file is unchanged since it was sealed by ${by}.${issuer}`)
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    return line(false, 'The seal is damaged.')
  }
}

interface SealedParts {
  /** All bytes except the signature. */
  readonly signed: Uint8Array<ArrayBuffer>
  readonly contents: Uint8Array<ArrayBuffer>
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
  if (hex === undefined) return { fault: 'The seal is damaged, or leaves out more than itself.' }
  const signed = new Uint8Array(end + length)
  signed.set(bytes.subarray(0, end))
  signed.set(bytes.subarray(start), end)
  return { signed, contents: Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)) }
}

interface SealContent {
  readonly certificates: readonly X509Certificate[]
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
  const certificates = derElements(certificateList.content).map(readX509)
  const signer = certificates.find(({ issuer, serialNumber }) =>
    sameBytes(der(derTag.sequence, issuer, serialNumber), identifier.bytes),
  )
  if (signer === undefined) throw new DerError('The certificate of the signer is missing.')
  const list = certificates.map((certificate) => certificate.bytes)
  const info = [version, identifier.bytes, sha256Algorithm, der(derTag.context0, attributes.content), rsaAlgorithm, signature.bytes]
  const content = [
    version,
    der(derTag.set, sha256Algorithm),
    der(derTag.sequence, oids.data),
    der(derTag.context0, ...list),
    der(derTag.set, der(derTag.sequence, ...info)),
  ]
  const onlyForm = der(derTag.sequence, oids.signedData, der(derTag.context0, der(derTag.sequence, ...content)))
  const padding = contents.subarray(whole.bytes.length)
  if (signature.tag !== derTag.octets || !sameBytes(onlyForm, whole.bytes) || padding.some((byte) => byte !== 0))
    throw new DerError('The signature is not in its only form.')
  return { certificates, signer, attributes: attributes.content, signature: signature.content }
}

/** Returns a sentence about the first fault; null if the seal holds. */
async function faultOf({ certificates, signer, attributes, signature }: SealContent, signed: Uint8Array<ArrayBuffer>): Promise<string | null> {
  const digest = new Uint8Array(await webCrypto().digest('SHA-256', signed))
  if (!sameBytes(attribute(attributes, oids.messageDigest), der(derTag.octets, digest))) return 'The file was changed after it was sealed.'
  if (!sameBytes(attribute(attributes, oids.contentType), oids.data)) return 'The seal is of another type.'
  const key = { publicKey: signer.publicKey, hash: 'SHA-256' }
  if (!(await isRsaSigned(der(derTag.set, attributes), signature, key))) return 'The seal is not valid: it was changed.'
  for (const certificate of certificates) {
    const issuer = certificates.find(({ subject }) => sameBytes(subject, certificate.issuer))
    if (issuer !== undefined && (await isIssuedBy(certificate, issuer)) === false) return 'A certificate of the seal was changed.'
  }
  return null
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
