import { readEncrypted, unreadableWith } from '../installation/encrypted-data.ts'
import { isBeingRotated, readSecretKey, secretKeyFault, type SecretKeyOptions } from '../installation/secret-key.ts'

/** A finding that cannot be repaired automatically. */
export interface SecretFinding {
  readonly check: 'secret_key' | 'unreadable_secret'
  /** Null if the finding does not concern a single organization. */
  readonly organizationId: string | null
  /** The setting, or the id of the webhook endpoint, second factor, signing key or signer of PDFs. */
  readonly subject: string
  readonly detail: string
}

/** Reports a secret key that does not match the database, and secrets that the right key cannot decrypt. */
export async function checkSecrets(options: SecretKeyOptions): Promise<SecretFinding[]> {
  const fault = await secretKeyFault(options)
  if (fault !== null) return [{ check: 'secret_key', organizationId: null, subject: 'SECRET_KEY', detail: fault }]
  const key = await readSecretKey(options)
  const keys = key === null ? null : { current: key, previous: options.previous ?? null }
  const unreadable = keys === null ? [] : await unreadableWith(keys, await readEncrypted(options.query))
  const rotation = (await isBeingRotated(options.query)) ? [unfinishedRotation] : []
  const findings = unreadable.map((secret): SecretFinding => ({
    check: 'unreadable_secret',
    organizationId: secret.kind === 'webhook endpoint' ? secret.organizationId : null,
    subject: secret.id,
    detail: details[secret.kind],
  }))
  return [...rotation, ...findings]
}

const unfinishedRotation: SecretFinding = {
  check: 'secret_key',
  organizationId: null,
  subject: 'SECRET_KEY_PREVIOUS',
  detail: 'values may still be encrypted under the former secret key; run "groundwork key rotate"',
}

const details = {
  'webhook endpoint': 'the secret of this webhook endpoint cannot be decrypted; rotate it',
  'second factor': 'this second factor cannot be decrypted, so its user cannot sign in',
  'signing key': 'this signing key cannot be decrypted, so no proposal can be completed; run "groundwork signing-key rotate"',
  'PDF signer': 'the key that seals PDFs cannot be decrypted; the next PDF of a completed proposal is sealed with a new one',
} as const
