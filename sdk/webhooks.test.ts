import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { verifyWebhook, WebhookVerificationError } from './webhooks.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const other = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
const event = { id: 'evt_1', type: 'contact.created', createdAt: '2026-05-25T20:14:00.000Z', data: { id: 'ctc_1', firstName: 'Zoë 😀' } }
const body = JSON.stringify(event)
const now = new Date()

/** Returns the headers created by the reference implementation. */
function signed(text = body, { at = now, by = secret, id = 'msg_1' } = {}): Record<string, string> {
  const seconds = new Date(Math.floor(at.getTime() / 1000) * 1000)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds.getTime() / 1000),
    'webhook-signature': new Webhook(by).sign(id, seconds, text),
  }
}
const reason = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'accepted',
    (error: unknown) => (error instanceof WebhookVerificationError ? error.reason : error),
  )

describe('a webhook signed by the reference implementation of Standard Webhooks', () => {
  test.each<[name: string, body: string | Uint8Array | ArrayBuffer]>([
    ['text', body],
    ['bytes', new TextEncoder().encode(body)],
    ['an ArrayBuffer', new TextEncoder().encode(body).buffer],
    ['a part of a buffer', new TextEncoder().encode(`xx${body}`).subarray(2)],
  ])('is accepted as %s', async (_name, content) => expect(await verifyWebhook(content, signed(), secret)).toEqual(event))

  test.each<[name: string, headers: Headers | Record<string, string | string[]>]>([
    ['Headers', new Headers(signed())],
    ['names in any case', Object.fromEntries(Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), value]))],
    ['lists of values', Object.fromEntries(Object.entries(signed()).map(([name, value]) => [name, [value]]))],
  ])('is accepted with %s', async (_name, headers) => expect(await verifyWebhook(body, headers, secret)).toEqual(event))

  test('is accepted with a secret without prefix, and with one valid signature of several', async () => {
    expect(await verifyWebhook(body, signed(), secret.slice('whsec_'.length))).toEqual(event)
    const [mine, others] = [signed()['webhook-signature'], signed(body, { by: other })['webhook-signature']]
    const both = { ...signed(), 'webhook-signature': `v1a,AAAA v1,%% ${others} ${mine}` }
    expect(await verifyWebhook(body, both, secret)).toEqual(event)
    expect(await verifyWebhook(body, both, other)).toEqual(event)
  })

  test('is accepted if and only if the reference implementation accepts it', async () => {
    for (const text of ['{}', '""', '{"a":"\\u0000"}', '[1,2,3]', `"${'x'.repeat(100_000)}"`])
      expect(await verifyWebhook(text, signed(text), secret)).toEqual(new Webhook(secret).verify(text, signed(text)))
  })
})

describe('a webhook is refused', () => {
  test.each<[reason: string, body: string, headers: Record<string, string>, secret: string]>([
    ['wrong_signature', body.replace('Zoë', 'Zoe'), signed(), secret],
    ['wrong_signature', `${body} `, signed(), secret],
    ['wrong_signature', body, { ...signed(), 'webhook-id': 'msg_2' }, secret],
    ['wrong_signature', body, { ...signed(), 'webhook-timestamp': String(Number(signed()['webhook-timestamp']) - 1) }, secret],
    ['wrong_signature', body, signed(), other],
    ['wrong_signature', body, { ...signed(), 'webhook-signature': `v2,${signed()['webhook-signature']?.slice(3)}` }, secret],
    ['wrong_signature', body, { ...signed(), 'webhook-signature': `${signed()['webhook-signature']?.slice(0, -8)}AAAAAAA=` }, secret],
    ['wrong_signature', body, { ...signed(), 'webhook-signature': 'v1,' }, secret],
    ['wrong_signature', body, { ...signed(), 'webhook-signature': 'v1,ÿ not base64' }, secret],
    ['missing_header', body, { ...signed(), 'webhook-signature': '' }, secret],
    ['missing_header', body, {}, secret],
    ['invalid_timestamp', body, { ...signed(), 'webhook-timestamp': 'now' }, secret],
    ['invalid_timestamp', body, { ...signed(), 'webhook-timestamp': '-1' }, secret],
    ['invalid_timestamp', body, { ...signed(), 'webhook-timestamp': '1e3' }, secret],
    ['too_old', body, signed(body, { at: new Date(now.getTime() - 330_000) }), secret],
    ['too_new', body, signed(body, { at: new Date(now.getTime() + 330_000) }), secret],
    ['invalid_secret', body, signed(), 'whsec_'],
    ['invalid_secret', body, signed(), 'whsec_%%%'],
    ['invalid_body', 'no JSON', signed('no JSON'), secret],
  ])('%s', async (expected, content, headers, by) => {
    expect(await reason(verifyWebhook(content, headers, by))).toBe(expected)
    expect(() => new Webhook(by).verify(content, headers)).toThrow(Error)
  })

  test('outside the tolerance of its timestamp', async () => {
    const old = signed(body, { at: new Date(now.getTime() - 3_600_000) })
    expect(await reason(verifyWebhook(body, old, secret, { toleranceSeconds: 4_000 }))).toBe('accepted')
    expect(await reason(verifyWebhook(body, old, secret, { toleranceSeconds: 3_000 }))).toBe('too_old')
  })

  test('with an error that contains neither secret nor signature', async () => {
    const error: unknown = await verifyWebhook(`${body} `, signed(), secret).catch((failure: unknown) => failure)
    expect(error).toMatchObject({ name: 'WebhookVerificationError', code: 'webhook_verification_failed', reason: 'wrong_signature' })
    expect(String(error)).not.toMatch(/whsec|v1,/)
  })
})
