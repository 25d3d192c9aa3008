import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** Parameters of encryption. Decryption succeeds only with the same ones. */
export interface SealOptions {
  /** The platform's secretKey. Each purpose has its own key, derived with HKDF (RFC 5869). */
  readonly secretKey: string
  readonly purpose: string
  /** Additional authenticated data: where the ciphertext is stored, such as the ids of its row. It cannot be decrypted elsewhere. */
  readonly aad: string
}

/** Returns 32 bytes, derived from the secret key with HKDF (RFC 5869). Each purpose has another key. */
export const deriveKey = ({ secretKey, purpose }: Pick<SealOptions, 'secretKey' | 'purpose'>): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, '', `groundwork ${purpose}`, 32))

/** Encrypts a text with AES-256-GCM. Returns nonce, tag and ciphertext. */
export function seal(text: string, { secretKey, purpose, aad }: SealOptions): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, deriveKey({ secretKey, purpose }), nonce).setAAD(Buffer.from(aad))
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext])
}

/** @throws Error if key, purpose or place differ, or the ciphertext was modified */
export function open(sealed: Buffer, { secretKey, purpose, aad }: SealOptions): string {
  const tag = sealed.subarray(nonceBytes, nonceBytes + tagBytes)
  const decipher = createDecipheriv(algorithm, deriveKey({ secretKey, purpose }), sealed.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
  decipher.setAAD(Buffer.from(aad)).setAuthTag(tag)
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8')
}
