import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** What a sealed text is for and whose it is: it opens nowhere else. */
export interface Seal {
  /** The platform's secretKey, from which each purpose has a key of its own (HKDF, RFC 5869). */
  readonly secretKey: string
  readonly purpose: string
  /** Where it is kept, such as the ids of its row: moved to another place, it does not open. */
  readonly place: string
}

/** The text, encrypted and authenticated (AES-256-GCM): nonce, tag, ciphertext. */
export function seal(text: string, { secretKey, purpose, place }: Seal): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, keyFor(secretKey, purpose), nonce).setAAD(Buffer.from(place))
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext])
}

/** @throws Error when it was sealed with another key, for another purpose or place, or was changed since */
export function open(sealed: Buffer, { secretKey, purpose, place }: Seal): string {
  const tag = sealed.subarray(nonceBytes, nonceBytes + tagBytes)
  const decipher = createDecipheriv(algorithm, keyFor(secretKey, purpose), sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(place)).setAuthTag(tag)
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8')
}

const keyFor = (secretKey: string, purpose: string): Buffer => Buffer.from(hkdfSync('sha256', secretKey, '', `groundwork ${purpose}`, 32))
