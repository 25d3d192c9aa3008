import { symmetricDecrypt } from 'better-auth/crypto'
import { hkdfSync } from 'node:crypto'

/** Returns the key that the sign-in library signs and encrypts with. */
export const identitySecret = (secretKey: string): string =>
  Buffer.from(hkdfSync('sha256', secretKey, '', 'groundwork identity', 32)).toString('base64')

/** Returns whether the secret of a second factor, as the sign-in library stores it, can be decrypted. */
export async function opensSecondFactor(secretKey: string, secret: string): Promise<boolean> {
  return symmetricDecrypt({ key: identitySecret(secretKey), data: secret }).then(
    () => true,
    () => false,
  )
}
