import { symmetricDecrypt } from 'better-auth/crypto'
import { hkdfSync } from 'node:crypto'

/** Returns the key that better-auth signs and encrypts with. */
export const identitySecret = (secretKey: string): string =>
  Buffer.from(hkdfSync('sha256', secretKey, '', 'groundwork identity', 32)).toString('base64')

/** Returns whether the key decrypts a stored TOTP secret. */
export async function canDecryptSecondFactor(secretKey: string, secret: string): Promise<boolean> {
  return symmetricDecrypt({ key: identitySecret(secretKey), data: secret }).then(
    () => true,
    () => false,
  )
}
