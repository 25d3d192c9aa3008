import type { GroundworkApi, Received } from '@groundwork/api'
import { GroundworkError } from './errors.ts'

export type WebhookFault =
  | 'invalid_secret'
  | 'missing_header'
  | 'invalid_timestamp'
  | 'too_old'
  | 'too_new'
  | 'wrong_signature'
  | 'invalid_body'

/** A request that does not come from who has the secret, or not now; to be answered with 400 and not to be believed. */
export class WebhookVerificationError extends GroundworkError {
  override readonly name = 'WebhookVerificationError'
  readonly reason: WebhookFault

  constructor(reason: WebhookFault, message: string, cause?: unknown) {
    super(message, { code: 'webhook_verification_failed', cause })
    this.reason = reason
  }
}

export type WebhookEvent = Received<GroundworkApi['events']['list']>['data'][number]
/** Of a Fetch API request, or of a server that keeps them as an object. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * Proves that a webhook was sent by who has its secret and was not changed or sent before, by the scheme of Standard
 * Webhooks, and gives the event in it.
 * @param body the bytes or the text of the request as it came: JSON that was parsed and written anew is another text
 * @param secret as the endpoint shows it, `whsec_…`
 * @param options.toleranceSeconds how far the clocks of both sides may differ, the way included; 300 by default
 * @throws WebhookVerificationError with its `reason`
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string,
  { toleranceSeconds = 300 }: { toleranceSeconds?: number } = {},
): Promise<WebhookEvent> {
  const key = await keyOf(secret)
  const [id, timestamp, signatures] = [
    header(headers, 'webhook-id'),
    header(headers, 'webhook-timestamp'),
    header(headers, 'webhook-signature'),
  ]
  checkTime(timestamp, toleranceSeconds)
  const content = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body)
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), content)
  if (!(await isSigned(signed, signatures, key)))
    throw new WebhookVerificationError('wrong_signature', 'no signature fits the body and the secret')
  try {
    return JSON.parse(new TextDecoder().decode(content)) as WebhookEvent
  } catch (cause) {
    throw new WebhookVerificationError('invalid_body', 'the body is not JSON', cause)
  }
}

type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>

async function keyOf(secret: string): Promise<Key> {
  const bytes = fromBase64(secret.trim().replace(/^whsec_/, ''))
  if (bytes === undefined || bytes.length === 0) throw new WebhookVerificationError('invalid_secret', 'the secret is not whsec_ and base64')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function header(headers: WebhookHeaders, name: string): string {
  const given = headers instanceof Headers ? headers.get(name) : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  const value = typeof given === 'object' ? given?.[0] : given
  if (value === undefined || value === null || value === '')
    throw new WebhookVerificationError('missing_header', `the header ${name} is missing`)
  return value
}

function checkTime(timestamp: string, toleranceSeconds: number): void {
  if (!/^\d{1,15}$/.test(timestamp)) throw new WebhookVerificationError('invalid_timestamp', 'webhook-timestamp is not a number of seconds')
  const ageSeconds = Math.floor(Date.now() / 1000) - Number(timestamp)
  if (ageSeconds > toleranceSeconds) throw new WebhookVerificationError('too_old', `the webhook was sent ${ageSeconds} seconds ago`)
  if (ageSeconds < -toleranceSeconds) throw new WebhookVerificationError('too_new', `the webhook was sent ${-ageSeconds} seconds from now`)
}

/** One signature that fits is enough: while a secret is replaced, there are two. `verify` compares in constant time. */
async function isSigned(signed: Uint8Array<ArrayBuffer>, signatures: string, key: Key): Promise<boolean> {
  for (const signature of signatures.split(' ')) {
    const bytes = signature.startsWith('v1,') ? fromBase64(signature.slice(3)) : undefined
    if (bytes !== undefined && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return true
  }
  return false
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}
