import type { Event } from './contract.ts'
import { GroundworkError } from './errors.ts'

export type WebhookFault =
  | 'invalid_secret'
  | 'missing_header'
  | 'invalid_timestamp'
  | 'too_old'
  | 'too_new'
  | 'wrong_signature'
  | 'invalid_body'

/** The webhook is not authentic or not recent. Respond with 400 and ignore its content. */
export class WebhookVerificationError extends GroundworkError {
  override readonly name = 'WebhookVerificationError'
  readonly reason: WebhookFault

  constructor(reason: WebhookFault, message: string, cause?: unknown) {
    super(message, { code: 'webhook_verification_failed', cause })
    this.reason = reason
  }
}

export type WebhookEvent = Event
/** Headers of a Fetch API request, or the header object of a Node.js server. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * Verifies a webhook by the Standard Webhooks scheme and returns its event: the sender has the secret, the body is unchanged,
 * and the webhook is recent.
 * @param body the raw bytes or text of the request; parsed and re-serialized JSON does not match the signature
 * @param secret the secret of the endpoint, `whsec_…`
 * @param options.toleranceSeconds maximum age and clock difference in seconds; 300 by default
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
    throw new WebhookVerificationError('wrong_signature', 'no signature matches the body and the secret')
  try {
    return JSON.parse(new TextDecoder().decode(content)) as WebhookEvent
  } catch (cause) {
    throw new WebhookVerificationError('invalid_body', 'the body is not JSON', cause)
  }
}

type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>

async function keyOf(secret: string): Promise<Key> {
  const bytes = fromBase64(secret.trim().replace(/^whsec_/, ''))
  if (bytes === undefined || bytes.length === 0)
    throw new WebhookVerificationError('invalid_secret', 'the secret is not whsec_ followed by base64')
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
  if (ageSeconds < -toleranceSeconds)
    throw new WebhookVerificationError('too_new', `the timestamp of the webhook is ${-ageSeconds} seconds in the future`)
}

/** Returns whether one of the signatures is valid. There are several while a secret is rotated. `verify` compares in constant time. */
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
