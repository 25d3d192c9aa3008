import { createHmac, timingSafeEqual } from 'node:crypto'
import { authorOf, type Author } from '../../audit/entry.ts'
import type { Context } from '../../context.ts'
import { acceptedKeys, type SecretKeys } from '../../lib/secrets.ts'
import type { UploadRow } from './upload-row.ts'

/** The permission of an upload URL: one upload of one organization, until it expires. */
export interface Ticket {
  readonly organizationId: string
  readonly uploadId: string
  readonly expiresAt: Date
  /** The recipient, as in the audit log. */
  readonly holder: Pick<Author, 'type' | 'id'>
}

/** Returns the ticket as a path segment. It authorizes the upload, like a presigned S3 URL. */
export function signTicket(ticket: Ticket, secretKey: SecretKeys): string {
  const parts = [ticket.organizationId, ticket.uploadId, ticket.expiresAt.getTime(), ticket.holder.type, ticket.holder.id ?? '']
  const payload = Buffer.from(parts.join('.')).toString('base64url')
  return `${payload}.${signature(payload, secretKey.current)}`
}

/** Returns the URL for sending an upload to the API. */
export function apiUrlOf(ctx: Context & { readonly secretKey: SecretKeys }, { id, expires_at: expiresAt }: UploadRow): string {
  const ticket = { organizationId: ctx.organizationId, uploadId: id, expiresAt, holder: authorOf(ctx) }
  return `${ctx.baseUrl}/v1/uploads/${signTicket(ticket, ctx.secretKey)}`
}

/** Parses a path segment; returns null if it was not signed with an accepted key. */
export function readTicket(text: string, secretKey: SecretKeys): Ticket | null {
  const [payload = '', signed = ''] = text.split('.')
  const given = Buffer.from(signed)
  const isSignedWith = (key: string): boolean => {
    const expected = Buffer.from(signature(payload, key))
    return given.length === expected.length && timingSafeEqual(given, expected)
  }
  if (!acceptedKeys(secretKey).some(isSignedWith)) return null
  const [organizationId = '', uploadId = '', expires = '', type, id = ''] = Buffer.from(payload, 'base64url').toString().split('.')
  const holder = { type: type as Author['type'], id: id === '' ? null : id }
  return { organizationId, uploadId, expiresAt: new Date(Number(expires)), holder }
}

const signature = (payload: string, secretKey: string): string =>
  createHmac('sha256', secretKey).update(`upload:${payload}`).digest('base64url')
