/** The certificate of a completed proposal, as docs/certificates.md specifies it. */
export interface Certificate {
  readonly format: string
  readonly id: string
  /** Consecutive within the organization, from 1. */
  readonly sequence: number
  /** SHA-256 of the file of the previous certificate, in hexadecimal; null for the first one. */
  readonly previousHash: string | null
  /** UTC with milliseconds (ISO 8601). */
  readonly issuedAt: string
  /** JWK thumbprint (RFC 7638) of the public key. */
  readonly keyId: string
  /** The Ed25519 public key in base64url. */
  readonly publicKey: string
  readonly organization: { readonly id: string; readonly name: string }
  readonly proposal: { readonly id: string; readonly number: string | null }
  /** SHA-256 of the canonical JSON of `content`, in hexadecimal. */
  readonly contentHash: string
  /** What was accepted. */
  readonly content: Readonly<Record<string, unknown>>
  readonly signers: readonly CertificateSigner[]
}

export interface CertificateSigner {
  readonly name: string
  readonly email: string | null
  /** The way of signing, such as `typed` or `drawn`. */
  readonly method: string
  /** The sentence that the signer agreed to. */
  readonly wording: string
  readonly signedAt: string
  /** The IP address of the request. */
  readonly address: string
  readonly userAgent: string | null
}

export interface SignedCertificate {
  readonly certificate: Certificate
  /** Ed25519 signature (RFC 8032) of the canonical JSON of `certificate`, in base64url. */
  readonly signature: string
}

export const certificateFormat = 'groundwork-certificate/1'

/** The links that erased certificates of an organization left in its chain, as docs/certificates.md specifies them. */
export interface ErasedCertificates {
  readonly format: string
  readonly organization: { readonly id: string; readonly name: string }
  readonly certificates: readonly {
    readonly id: string
    readonly sequence: number
    /** SHA-256 of the erased file, in hexadecimal. */
    readonly hash: string
    readonly previousHash: string | null
    readonly issuedAt: string
    readonly erasedAt: string
  }[]
}

export const erasedCertificatesFormat = 'groundwork-erased-certificates/1'

type Check = (value: unknown) => boolean
type Fields = Readonly<Record<string, Check | Readonly<Record<string, Check>>>>

const isText: Check = (value) => typeof value === 'string'
const isNullableText: Check = (value) => value === null || isText(value)
const matches =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value)
const isHash = matches(/^[0-9a-f]{64}$/)
const isKey = matches(/^[\w-]{43}$/)
const isTime: Check = (value) => matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)(value) && !Number.isNaN(Date.parse(String(value)))
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const fields: Fields = {
  id: isText,
  sequence: (value) => Number.isSafeInteger(value) && Number(value) > 0,
  previousHash: (value) => value === null || isHash(value),
  issuedAt: isTime,
  keyId: isKey,
  publicKey: isKey,
  organization: { id: isText, name: isText },
  proposal: { id: isText, number: isNullableText },
  contentHash: isHash,
  content: isObject,
  signers: Array.isArray,
}
const signerFields: Fields = {
  name: isText,
  email: isNullableText,
  method: isText,
  wording: isText,
  signedAt: isTime,
  address: isText,
  userAgent: isNullableText,
}

const erasedFields: Fields = {
  id: isText,
  sequence: (value) => Number.isSafeInteger(value) && Number(value) > 0,
  hash: isHash,
  previousHash: (value) => value === null || isHash(value),
  issuedAt: isTime,
  erasedAt: isTime,
}

/** Returns the links of erased certificates; null if the text is another file. */
export function parseErasedCertificates(text: string): ErasedCertificates | { readonly fault: string } | null {
  let erased: unknown
  try {
    erased = JSON.parse(text)
  } catch {
    return null
  }
  if (!isObject(erased) || erased['format'] !== erasedCertificatesFormat) return null
  const links = erased['certificates']
  const wrong =
    wrongField(erased, { organization: { id: isText, name: isText }, certificates: Array.isArray }, '') ??
    wrongItem(links, erasedFields, 'certificates')
  // Safe cast: every field was checked.
  return wrong === undefined ? (erased as unknown as ErasedCertificates) : { fault: `The field ${wrong} is missing or malformed.` }
}

/** Returns the certificate, or the reason why the text is none. Ignores unknown fields of a certificate. */
export function parseCertificate(text: string): SignedCertificate | { readonly fault: string } {
  let signed: unknown
  try {
    signed = JSON.parse(text)
  } catch {
    return { fault: 'The file is not JSON.' }
  }
  if (!isObject(signed) || !isObject(signed['certificate'])) return { fault: 'The file is not a certificate.' }
  const { certificate, signature, ...others } = signed
  if (!isObject(certificate) || certificate['format'] !== certificateFormat)
    return { fault: `The format is not known. This version reads ${certificateFormat}.` }
  const unsigned = Object.keys(others)
  if (unsigned.length > 0) return { fault: `The signature does not cover ${unsigned.join(', ')}.` }
  if (!matches(/^[\w-]{86}$/)(signature)) return { fault: 'The signature is missing or malformed.' }
  const wrong = wrongField(certificate, fields, '') ?? wrongItem(certificate['signers'], signerFields, 'signers')
  if (wrong !== undefined) return { fault: `The field ${wrong} is missing or malformed.` }
  // Safe cast: every field was checked.
  return signed as unknown as SignedCertificate
}

function wrongField(value: Readonly<Record<string, unknown>>, expected: Fields, path: string): string | undefined {
  for (const [name, check] of Object.entries(expected)) {
    const [field, given] = [`${path}${name}`, value[name]]
    if (typeof check === 'function') {
      if (!check(given)) return field
    } else {
      const wrong = isObject(given) ? wrongField(given, check, `${field}.`) : field
      if (wrong !== undefined) return wrong
    }
  }
  return undefined
}

function wrongItem(items: unknown, expected: Fields, name: string): string | undefined {
  for (const [index, item] of (items as unknown[]).entries()) {
    const field = `${name}.${index}`
    const wrong = isObject(item) ? wrongField(item, expected, `${field}.`) : field
    if (wrong !== undefined) return wrong
  }
  return undefined
}
