import { createHmac, randomBytes } from 'node:crypto'
import { open, seal } from '../lib/secrets.ts'

const prefix = 'whsec_'

/** A signing secret as its owner sees it. */
export const newSecret = (): string => prefix + randomBytes(24).toString('base64')

/** Whose secret it is: sealed for one endpoint, it opens for no other. */
interface Owner {
  readonly secretKey: string
  readonly organizationId: string
  readonly endpointId: string
}

export const sealSecret = (secret: string, owner: Owner): Buffer => seal(secret, sealOf(owner))
export const openSecret = (sealed: Buffer, owner: Owner): string => open(sealed, sealOf(owner))

const sealOf = ({ secretKey, organizationId, endpointId }: Owner) => ({
  secretKey,
  purpose: 'webhook secret',
  place: `${organizationId}/${endpointId}`,
})

/**
 * The headers that let a receiver check who sent the body, and when (Standard Webhooks 1.0, symmetric signatures): one
 * signature for each secret that holds.
 */
export function signatureHeaders(secrets: readonly string[], { id, at, body }: { id: string; at: Date; body: string }) {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signature = (secret: string): string => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  }
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': secrets.map(signature).join(' ') }
}
