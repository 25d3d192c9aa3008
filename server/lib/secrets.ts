import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** The secret key of the installation. While it is rotated, the key before it is accepted for decryption and for signatures. */
export interface SecretKeys {
  readonly current: string
  readonly previous: string | null
}

/** Returns the keys that decrypt, the current one first. */
export const acceptedKeys = ({ current, previous }: SecretKeys): readonly string[] => (previous === null ? [current] : [current, previous])

/** The use of a ciphertext, and where it is stored. Decryption succeeds only with the same ones. */
export interface SealedPlace {
  /** Each purpose has its own key, derived from the secret key with HKDF (RFC 5869). */
  readonly purpose: string
  /** Additional authenticated data: where the ciphertext is stored, such as the ids of its row. It cannot be decrypted elsewhere. */
  readonly aad: string
}

export interface SealOptions extends SealedPlace {
  readonly secretKey: SecretKeys
}

/** Returns 32 bytes, derived from the secret key with HKDF (RFC 5869). Each purpose has another key. */
export const deriveKey = ({ secretKey, purpose }: { secretKey: string; purpose: string }): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, '', `groundwork ${purpose}`, 32))

/** Encrypts a text with AES-256-GCM under the current key. Returns nonce, tag and ciphertext. */
export function seal(text: string, { secretKey, purpose, aad }: SealOptions): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, deriveKey({ secretKey: secretKey.current, purpose }), nonce).setAAD(Buffer.from(aad))
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext])
}

/**
 * Decrypts with the current key, or else with the previous one.
 * @throws Error if key, purpose or place differ, or the ciphertext was modified
 */
export function open(sealed: Buffer, { secretKey, ...place }: SealOptions): string {
  if (secretKey.previous === null) return openWith(sealed, { secretKey: secretKey.current, ...place })
  try {
    return openWith(sealed, { secretKey: secretKey.current, ...place })
  } catch {
    // Another key encrypted it, or it is damaged, which the previous key does not decrypt either.
    return openWith(sealed, { secretKey: secretKey.previous, ...place })
  }
}

function openWith(sealed: Buffer, { secretKey, purpose, aad }: SealedPlace & { secretKey: string }): string {
  const tag = sealed.subarray(nonceBytes, nonceBytes + tagBytes)
  const decipher = createDecipheriv(algorithm, deriveKey({ secretKey, purpose }), sealed.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
  decipher.setAAD(Buffer.from(aad)).setAuthTag(tag)
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8')
}

/**
 * Encrypts a value again that only the previous key decrypts. Returns null if the current key decrypts it.
 * @throws Error if neither key decrypts it
 */
export function reseal(sealed: Buffer, { secretKey, ...place }: SealOptions): Buffer | null {
  try {
    openWith(sealed, { secretKey: secretKey.current, ...place })
    return null
  } catch {
    // `open` fails if it is damaged.
    return seal(open(sealed, { secretKey, ...place }), { secretKey, ...place })
  }
}
