import { canonicalJson } from '@groundwork/sdk/canonical-json'
import { createHash, createPrivateKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { open, seal, type SealedPlace, type SecretKeys } from '../lib/secrets.ts'

/** An Ed25519 key pair whose private key is encrypted under the secret key. */
export interface SealedSigningKey {
  readonly id: string
  /** The 32 bytes of the public key (RFC 8032). */
  readonly publicKey: Buffer
  readonly sealedPrivateKey: Buffer
}

/** Creates a key pair. */
export function newSigningKey(secretKey: SecretKeys): SealedSigningKey {
  const { privateKey, publicKey: publicKeyObject } = generateKeyPairSync('ed25519')
  const publicKey = Buffer.from(coordinateOf(publicKeyObject), 'base64url')
  const id = signingKeyId(publicKey)
  const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')
  return { id, publicKey, sealedPrivateKey: seal(pkcs8, sealOf(secretKey, id)) }
}

/** Returns the JWK thumbprint (RFC 7638) of a public key: SHA-256 of its required members, in base64url. */
export const signingKeyId = (publicKey: Buffer): string =>
  createHash('sha256')
    .update(canonicalJson(toJwk(publicKey)))
    .digest('base64url')

/** Returns the public key as a JWK (RFC 8037). */
export const toJwk = (publicKey: Buffer) => ({ kty: 'OKP', crv: 'Ed25519', x: publicKey.toString('base64url') }) as const

/** @throws Error if the secret key is not the one that encrypted the private key */
export const openSigningKey = (sealedPrivateKey: Buffer, { secretKey, id }: { secretKey: SecretKeys; id: string }): KeyObject =>
  createPrivateKey({ key: Buffer.from(open(sealedPrivateKey, sealOf(secretKey, id)), 'base64'), format: 'der', type: 'pkcs8' })

/** Returns the Ed25519 signature of a text in base64url. */
export const signText = (text: string, privateKey: KeyObject): string => sign(null, Buffer.from(text), privateKey).toString('base64url')

export const signingKeyPlace = (id: string): SealedPlace => ({ purpose: 'signing key', aad: id })

const sealOf = (secretKey: SecretKeys, id: string) => ({ secretKey, ...signingKeyPlace(id) })

function coordinateOf(publicKey: KeyObject): string {
  const { x } = publicKey.export({ format: 'jwk' })
  if (x === undefined) throw new Error('an Ed25519 key has the coordinate x')
  return x
}
