import { readEncrypted, unreadableWith, type Encrypted } from './encrypted-data.ts'
import { recordSecretKey, type RecordedKey, type SecretKeyOptions } from './secret-key.ts'

export interface ReplacedKey extends Omit<RecordedKey, 'key'> {
  /** The secrets that the key cannot decrypt. */
  readonly lost: readonly Encrypted[]
}

/**
 * Replaces a lost key: records the current key as the key of the database. Turns off second factors that it cannot decrypt,
 * since their users could not sign in. Retires the signing key and deletes the key that seals PDFs if it cannot decrypt them: the
 * next certificate and the next sealed PDF have a new one. Webhook endpoints keep their old secret until it is rotated.
 */
export async function replaceSecretKey(options: SecretKeyOptions): Promise<ReplacedKey> {
  const { key, ...recorded } = await recordSecretKey(options)
  const lost = await unreadableWith({ current: key, previous: null }, await readEncrypted(options.query))
  const factors = lost.filter(({ kind }) => kind === 'second factor').map(({ id }) => id)
  await options.query(
    `with deleted as (delete from identity.two_factor where id = any($1::uuid[]) returning user_id)
     update identity."user" set two_factor_enabled = false where id in (select user_id from deleted)`,
    [factors],
  )
  const keys = lost.filter(({ kind }) => kind === 'signing key').map(({ id }) => id)
  await options.query(
    `update installation.signing_key set sealed_private_key = null,
       retired_at = greatest(now(), (select max(issued_at) from certificate where key_id = signing_key.id))
     where id = any($1)`,
    [keys],
  )
  if (lost.some(({ kind }) => kind === 'PDF signer')) await options.query('delete from installation.pdf_signer')
  return { ...recorded, lost }
}
