import { createHmac, randomBytes } from 'node:crypto'
import { open, seal, type SealedPlace, type SecretKeys } from '../lib/secrets.ts'

const prefix = 'whsec_'

/** Returns a new signing secret in its public form. */
export const newSecret = (): string => prefix + randomBytes(24).toString('base64')

/** The owner of a secret: a secret sealed for one endpoint cannot be opened for another. */
interface Endpoint {
  readonly organizationId: string
  readonly endpointId: string
}

interface Owner extends Endpoint {
  readonly secretKey: SecretKeys
}

export const sealSecret = (secret: string, owner: Owner): Buffer => seal(secret, sealOf(owner))
export const openSecret = (sealed: Buffer, owner: Owner): string => open(sealed, sealOf(owner))

export const webhookSecretPlace = ({ organizationId, endpointId }: Endpoint): SealedPlace => ({
  purpose: 'webhook secret',
  aad: `${organizationId}/${endpointId}`,
})

const sealOf = ({ secretKey, ...endpoint }: Owner) => ({ secretKey, ...webhookSecretPlace(endpoint) })

/** Returns the signature headers of a body (Standard Webhooks 1.0, symmetric signatures), with one signature for each valid secret. */
export function signatureHeaders(secrets: readonly string[], { id, at, body }: { id: string; at: Date; body: string }) {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signature = (secret: string): string => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  }
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': secrets.map(signature).join(' ') }
}
