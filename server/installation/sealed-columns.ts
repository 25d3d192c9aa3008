import { signingKeyPlace } from '../certificates/signing-key.ts'
import { erasedValueKeyPlace } from '../contacts/erased-values.ts'
import { answerPlace } from '../idempotency/answers.ts'
import { identitySecrets, reencryptIdentity } from '../identity/second-factor.ts'
import { reseal, type SealedPlace, type SecretKeys } from '../lib/secrets.ts'
import { pdfSignerPlace } from '../pdf/signer.ts'
import { webhookSecretPlace } from '../webhooks/secret.ts'

/** A column whose values are encrypted under the secret key. */
export interface SealedColumn {
  /** What the values are, in the plural. */
  readonly name: string
  readonly table: string
  /** The primary key, with the types of its columns. */
  readonly key: readonly { readonly column: string; readonly type: string }[]
  readonly column: string
  readonly type: 'bytea' | 'text'
  /**
   * Returns the value, encrypted under the current key; null if it already is.
   * @throws Error if no accepted key decrypts it
   */
  readonly reseal: (value: Buffer | string, id: readonly string[], keys: SecretKeys) => Promise<Buffer | string | null>
}

const uuid = (column: string) => ({ column, type: 'uuid' })
const text = (column: string) => ({ column, type: 'text' })

const sealedAt = (place: (id: readonly string[]) => SealedPlace): Pick<SealedColumn, 'type' | 'reseal'> => ({
  type: 'bytea',
  reseal: async (value, id, secretKey) => reseal(value as Buffer, { secretKey, ...place(id) }),
})

/** Better-auth's values. */
const ofIdentity: Pick<SealedColumn, 'type' | 'reseal'> = {
  type: 'text',
  reseal: (value, _id, keys) => reencryptIdentity(value as string, identitySecrets(keys)),
}

const ofEndpoint = sealedAt(([organizationId = '', endpointId = '']) => webhookSecretPlace({ organizationId, endpointId }))

/** Every stored value that is encrypted under the secret key. */
export const sealedColumns: readonly SealedColumn[] = [
  {
    name: 'webhook secrets',
    table: 'webhook_endpoint',
    key: [uuid('organization_id'), uuid('id')],
    column: 'secret',
    ...ofEndpoint,
  },
  {
    name: 'former webhook secrets',
    table: 'webhook_endpoint',
    key: [uuid('organization_id'), uuid('id')],
    column: 'previous_secret',
    ...ofEndpoint,
  },
  { name: 'two-factor secrets', table: 'identity.two_factor', key: [uuid('id')], column: 'secret', ...ofIdentity },
  { name: 'backup codes', table: 'identity.two_factor', key: [uuid('id')], column: 'backup_codes', ...ofIdentity },
  {
    name: 'signing keys',
    table: 'installation.signing_key',
    key: [text('id')],
    column: 'sealed_private_key',
    ...sealedAt(([id = '']) => signingKeyPlace(id)),
  },
  {
    name: 'keys that seal PDFs',
    table: 'installation.pdf_signer',
    key: [{ column: 'only_row', type: 'boolean' }],
    column: 'sealed_p12',
    ...sealedAt(() => pdfSignerPlace),
  },
  {
    name: 'keys of erased values',
    table: 'erased_value_key',
    key: [uuid('organization_id')],
    column: 'sealed',
    ...sealedAt(([organizationId = '']) => erasedValueKeyPlace(organizationId)),
  },
  {
    name: 'stored responses (Idempotency-Key)',
    table: 'idempotency_answer',
    key: [uuid('organization_id'), text('key')],
    column: 'answer',
    ...sealedAt(([organizationId = '', key = '']) => answerPlace(organizationId, key)),
  },
]
