import { createHmac, timingSafeEqual } from 'node:crypto'

/** What an upload address stands for: one upload of one organization, until a moment. */
export interface Ticket {
  readonly organizationId: string
  readonly uploadId: string
  readonly expiresAt: Date
  /** The token that it was handed to; null where none asked. */
  readonly tokenId: string | null
}

/** The ticket as a path segment. Whoever has it may send the bytes, as with a presigned S3 address. */
export function signTicket(ticket: Ticket, secretKey: string): string {
  const parts = [ticket.organizationId, ticket.uploadId, ticket.expiresAt.getTime(), ticket.tokenId ?? '']
  const payload = Buffer.from(parts.join('.')).toString('base64url')
  return `${payload}.${signature(payload, secretKey)}`
}

/** The ticket behind the text; null when it was not signed with this key. */
export function readTicket(text: string, secretKey: string): Ticket | null {
  const [payload = '', signed = ''] = text.split('.')
  const [given, expected] = [Buffer.from(signed), Buffer.from(signature(payload, secretKey))]
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  const [organizationId = '', uploadId = '', expires = '', tokenId = ''] = Buffer.from(payload, 'base64url').toString().split('.')
  return { organizationId, uploadId, expiresAt: new Date(Number(expires)), tokenId: tokenId === '' ? null : tokenId }
}

const signature = (payload: string, secretKey: string): string =>
  createHmac('sha256', secretKey).update(`upload:${payload}`).digest('base64url')
