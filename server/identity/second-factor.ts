import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import type { KyselyPlugin } from 'kysely'
import { hkdfSync } from 'node:crypto'
import type { SecretKeys } from '../lib/secrets.ts'

/** The secret that better-auth signs and encrypts with, and the one before it while the secret key is rotated. */
export type IdentitySecrets = SecretKeys

const secretOf = (secretKey: string): string => Buffer.from(hkdfSync('sha256', secretKey, '', 'groundwork identity', 32)).toString('base64')

export const identitySecrets = ({ current, previous }: SecretKeys): IdentitySecrets => ({
  current: secretOf(current),
  previous: previous === null ? null : secretOf(previous),
})

/** Encrypts a TOTP secret or backup codes as better-auth does. */
export const encryptIdentity = (text: string, { current }: IdentitySecrets): Promise<string> =>
  symmetricEncrypt({ key: current, data: text })

/** @throws Error if no accepted secret decrypts it */
export async function decryptIdentity(encrypted: string, { current, previous }: IdentitySecrets): Promise<string> {
  const text = symmetricDecrypt({ key: current, data: encrypted })
  return previous === null ? text : text.catch(() => symmetricDecrypt({ key: previous, data: encrypted }))
}

/**
 * Encrypts a value again that only the previous secret decrypts. Returns null if the current one decrypts it.
 * @throws Error if neither decrypts it
 */
export async function reencryptIdentity(encrypted: string, secrets: IdentitySecrets): Promise<string | null> {
  const isCurrent = await symmetricDecrypt({ key: secrets.current, data: encrypted }).then(
    () => true,
    () => false,
  )
  return isCurrent ? null : encryptIdentity(await decryptIdentity(encrypted, secrets), secrets)
}

/**
 * Lets better-auth, which decrypts TOTP secrets with one key, read those under the previous key: returns them encrypted under the
 * current one. Backup codes have functions of their own (library.ts), because better-auth compares their stored ciphertext.
 */
export const secondFactorsUnder = (secrets: IdentitySecrets): KyselyPlugin => ({
  transformQuery: ({ node }) => node,
  async transformResult({ result }) {
    if (secrets.previous === null) return result
    const rows = result.rows.map(async (row) => {
      const { secret, backup_codes: codes } = row
      if (typeof secret !== 'string' || typeof codes !== 'string') return row
      // An undecryptable one stays, and better-auth reports it.
      const current = await reencryptIdentity(secret, secrets).catch(() => null)
      return current === null ? row : { ...row, secret: current }
    })
    return { ...result, rows: await Promise.all(rows) }
  },
})

/** Returns whether an accepted key decrypts a stored TOTP secret. */
export const canDecryptSecondFactor = (secretKey: SecretKeys, secret: string): Promise<boolean> =>
  decryptIdentity(secret, identitySecrets(secretKey)).then(
    () => true,
    () => false,
  )
