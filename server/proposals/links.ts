import { createHmac, timingSafeEqual } from 'node:crypto'
import { acceptedKeys, deriveKey, type SecretKeys } from '../lib/secrets.ts'

/** The recipient to whom a link belongs. Another version of the recipient's links makes the former ones unknown. */
export interface LinkedRecipient {
  readonly organizationId: string
  readonly recipientId: string
  readonly version: number
}

/** Makes and verifies links to the pages of proposals. Nothing about a link is stored. */
export interface ProposalLinks {
  readonly urlOf: (recipient: LinkedRecipient) => string
  /** Returns the recipient of the last part of a link; undefined if this installation did not make it. Reads no data. */
  readonly read: (secret: string) => LinkedRecipient | undefined
}

const idBytes = 16
const versionBytes = 2
const tagBytes = 16
const signedBytes = 2 * idBytes + versionBytes

/** A link ends with both ids, the version, and 128 bits of their HMAC-SHA256, as base64url. */
export function createProposalLinks({ baseUrl, secretKey }: { baseUrl: string; secretKey: SecretKeys }): ProposalLinks {
  const keyOf = (key: string): Buffer => deriveKey({ secretKey: key, purpose: 'proposal links' })
  const [current, accepted] = [keyOf(secretKey.current), acceptedKeys(secretKey).map(keyOf)]
  const tagOf = (signed: Buffer, key: Buffer): Buffer => createHmac('sha256', key).update(signed).digest().subarray(0, tagBytes)
  return {
    urlOf({ organizationId, recipientId, version }) {
      const signed = Buffer.concat([toBytes(organizationId), toBytes(recipientId), Buffer.alloc(versionBytes)])
      signed.writeUInt16BE(version, 2 * idBytes)
      return `${baseUrl}/p/${Buffer.concat([signed, tagOf(signed, current)]).toString('base64url')}`
    },
    read(secret) {
      const bytes = Buffer.from(secret, 'base64url')
      // Decoding ignores foreign characters and spare bits, but each recipient has only one link.
      if (bytes.length !== signedBytes + tagBytes || bytes.toString('base64url') !== secret) return undefined
      const signed = bytes.subarray(0, signedBytes)
      if (!accepted.some((key) => timingSafeEqual(tagOf(signed, key), bytes.subarray(signedBytes)))) return undefined
      return {
        organizationId: toId(signed.subarray(0, idBytes)),
        recipientId: toId(signed.subarray(idBytes, 2 * idBytes)),
        version: signed.readUInt16BE(2 * idBytes),
      }
    },
  }
}

const toBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex')

const toId = (bytes: Buffer): string => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
