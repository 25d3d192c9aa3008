import { canonicalJson } from './canonical-json.ts'
import type { SignedCertificate } from './certificate.ts'
import { GroundworkError } from './errors.ts'

/** A public key of `/.well-known/groundwork-keys.json`. */
export interface SigningKey {
  /** The key's id: its JWK thumbprint (RFC 7638). */
  readonly kid: string
  /** The Ed25519 public key in base64url. */
  readonly x: string
  /** The time of its first use. */
  readonly createdAt?: string | undefined
  /** The time of its replacement; null for the current key. */
  readonly retiredAt?: string | null | undefined
}

/** The keys are not those of a key file. */
export class SigningKeysError extends GroundworkError {
  override readonly name = 'SigningKeysError'

  constructor(message: string) {
    super(message, { code: 'invalid_signing_keys' })
  }
}

/**
 * Reads a key file: the text of `/.well-known/groundwork-keys.json`, a JWK Set (RFC 7517). Ignores keys of other kinds.
 * @throws SigningKeysError if the text is not a JWK Set, or the id of a key is not its thumbprint
 */
export async function parseSigningKeys(text: string): Promise<readonly SigningKey[]> {
  let set: { keys?: unknown } | null
  try {
    set = JSON.parse(text) as { keys?: unknown } | null
  } catch {
    throw new SigningKeysError('The key file is not JSON.')
  }
  if (typeof set !== 'object' || !Array.isArray(set?.keys)) throw new SigningKeysError('The key file is not a JWK Set.')
  const all = set.keys as (Partial<SigningKey> & { kty?: string; crv?: string })[]
  const keys = all.filter((key): key is SigningKey => key?.kty === 'OKP' && key.crv === 'Ed25519' && typeof key.x === 'string')
  for (const { kid, x } of keys)
    if ((await signingKeyId(x)) !== kid) throw new SigningKeysError(`The id of the key ${kid} is not the thumbprint of the key.`)
  return keys
}

/** Returns the JWK thumbprint (RFC 7638) of an Ed25519 public key in base64url. */
export async function signingKeyId(publicKey: string): Promise<string> {
  const digest = await webCrypto().digest('SHA-256', bytesOf(canonicalJson({ crv: 'Ed25519', kty: 'OKP', x: publicKey })))
  return toBase64Url(new Uint8Array(digest))
}

/**
 * Returns whether the signature is valid under the public key that the certificate contains.
 * @throws GroundworkError `unsupported` if the environment cannot verify Ed25519 signatures
 */
export async function isSignatureValid({ certificate, signature }: SignedCertificate): Promise<boolean> {
  const subtle = webCrypto()
  const publicKey = fromBase64Url(certificate.publicKey)
  if (publicKey.length !== 32) return false
  const key = await subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify']).catch((cause: unknown) => {
    // Any 32 bytes can be imported, so the algorithm is missing.
    throw unsupported('This environment cannot verify Ed25519 signatures. Use a current browser, or Node.js 20 or newer.', cause)
  })
  return subtle.verify('Ed25519', key, fromBase64Url(signature), bytesOf(canonicalJson(certificate)))
}

/**
 * Returns whether an RSA signature with SHA-256 (PKCS #1, version 1.5) is valid.
 * @param publicKey SubjectPublicKeyInfo as DER
 */
export async function isRsaSignatureValid(
  content: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
  publicKey: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const subtle = webCrypto()
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  // A key that cannot be imported is damaged, or of another algorithm.
  const key = await subtle.importKey('spki', publicKey, algorithm, false, ['verify']).catch(() => null)
  return key !== null && subtle.verify(algorithm, key, signature, content)
}

/** Returns the SHA-256 of a text or of bytes in hexadecimal. */
export async function sha256(content: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = await webCrypto().digest('SHA-256', typeof content === 'string' ? bytesOf(content) : content)
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** @throws GroundworkError `unsupported` on a page of a browser that is not loaded over https */
export function webCrypto(): typeof crypto.subtle {
  // Browsers define it only for pages of https and of the local machine.
  const { subtle } = crypto as { subtle?: typeof crypto.subtle }
  if (subtle === undefined) throw unsupported('Browsers verify signatures only on pages that are loaded over https.')
  return subtle
}

const unsupported = (message: string, cause?: unknown): GroundworkError => new GroundworkError(message, { code: 'unsupported', cause })

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
