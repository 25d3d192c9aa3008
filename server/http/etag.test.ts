import { describe, expect, it } from 'vitest'
import { newId } from '../lib/ids.ts'
import { testApp } from '../testing/app.ts'

const { organization } = await testApp()
const { call } = await organization()
const contact = async () => (await call('POST', '/v1/contacts', { email: 'a@example.com', firstName: 'A' })).body
const path = ({ id }: { id: string }): string => `/v1/contacts/${id}`
const draft = async () => {
  const { id: contactId } = await contact()
  return (await call('POST', '/v1/proposals', { title: 'T', contactId, totalAmount: '1', draft: true })).body
}
const tagOf = async (of: string): Promise<string> => String((await call('GET', of)).headers['etag'])

describe('an ETag', () => {
  it('is strong and changes only with the record', async () => {
    const made = await contact()
    const first = await tagOf(path(made))
    expect(first).toMatch(/^"[\w-]{27}"$/)
    expect(await tagOf(path(made))).toBe(first)
    const changed = await call('PATCH', path(made), { firstName: 'B' })
    expect(changed.headers['etag']).not.toBe(first)
    expect(await tagOf(path(made))).toBe(changed.headers['etag'])
  })

  it('does not depend on warnings in the answer to a change', async () => {
    const made = await call('POST', '/v1/contacts', { email: `b@gmial.com` })
    expect(made.body.warnings).toHaveLength(1)
    expect(await tagOf(path(made.body))).toBe(made.headers['etag'])
    const changed = await call('PATCH', path(made.body), { email: 'c@gmial.com' }, { 'if-match': String(made.headers['etag']) })
    expect([changed.status, changed.body.warnings.length]).toEqual([200, 1])
    expect(await tagOf(path(made.body))).toBe(changed.headers['etag'])
  })

  it('is sent with created records', async () => {
    const made = await call('POST', '/v1/bases', { name: 'x' })
    expect(await tagOf(`/v1/bases/${made.body.id}`)).toBe(made.headers['etag'])
  })

  it('is not sent with lists or errors', async () => {
    expect((await call('GET', '/v1/bases')).headers).not.toHaveProperty('etag')
    expect((await call('GET', `/v1/contacts/${newId()}`)).headers).not.toHaveProperty('etag')
  })
})

describe('If-None-Match', () => {
  it('with the current version: 304 without a body', async () => {
    const made = await contact()
    const etag = await tagOf(path(made))
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await call('GET', path(made), undefined, { 'if-none-match': header })
      expect([header, answer.status, answer.body, answer.headers['etag']]).toEqual([header, 304, undefined, etag])
      expect(answer.headers).not.toHaveProperty('content-type')
    }
  })

  it('with another version: 200', async () => {
    const made = await contact()
    const etag = await tagOf(path(made))
    for (const header of ['"other"', '', etag.slice(1, -1), etag.toLowerCase()]) {
      expect((await call('GET', path(made), undefined, { 'if-none-match': header })).status).toBe(200)
    }
  })

  it('does not bypass authorization', async () => {
    const made = await contact()
    const stranger = await organization()
    expect((await stranger.call('GET', path(made), undefined, { 'if-none-match': '*' })).status).toBe(404)
  })
})

describe('If-Match', () => {
  it('with the current version applies the change', async () => {
    const made = await contact()
    for (const header of [await tagOf(path(made)), '*']) {
      expect((await call('PATCH', path(made), { lastName: header }, { 'if-match': header })).status).toBe(200)
    }
  })

  it('with another version: 412 without a change', async () => {
    const made = await contact()
    const old = await tagOf(path(made))
    await call('PATCH', path(made), { firstName: 'B' })
    const before = (await call('GET', path(made))).body
    for (const header of [old, '"other"', '', `W/${await tagOf(path(made))}`]) {
      for (const [method, body] of [
        ['PATCH', { firstName: 'C' }],
        ['DELETE', undefined],
      ] as const) {
        const answer = await call(method, path(made), body, { 'if-match': header })
        expect([answer.status, answer.body.error.code, answer.body.error.field]).toEqual([412, 'precondition_failed', 'If-Match'])
      }
    }
    expect((await call('GET', path(made))).body).toEqual(before)
  })

  it('applies to POST on a record', async () => {
    const made = await draft()
    const url = `/v1/proposals/${made.id}`
    expect((await call('POST', `${url}/send`, undefined, { 'if-match': '"other"' })).status).toBe(412)
    expect((await call('POST', `${url}/send`, undefined, { 'if-match': await tagOf(url) })).body.status).toBe('pending')
  })

  it('on a missing or foreign record: 404', async () => {
    const stranger = await organization()
    for (const url of [path(await contact()), path({ id: newId() })]) {
      for (const header of ['*', '"other"']) {
        expect((await stranger.call('PATCH', url, { firstName: 'X' }, { 'if-match': header })).status).toBe(404)
        expect((await stranger.call('DELETE', url, undefined, { 'if-match': header })).status).toBe(404)
      }
    }
  })

  it('accepts one of fifty concurrent updates of the same version', async () => {
    const made = await contact()
    const etag = await tagOf(path(made))
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => call('PATCH', path(made), { firstName: `F${n}` }, { 'if-match': etag })),
    )
    const kept = answers.filter(({ status }) => status === 200)
    expect(kept).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(49)
    expect((await call('GET', path(made))).body).toEqual(kept[0]?.body)
  })

  it('is not affected by concurrent changes to other records', async () => {
    const drafts = await Promise.all(Array.from({ length: 5 }, draft))
    const sent = await Promise.all(
      drafts.map(async ({ id }) => call('POST', `/v1/proposals/${id}/send`, undefined, { 'if-match': await tagOf(`/v1/proposals/${id}`) })),
    )
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(new Set(sent.map(({ body }) => body.number)).size).toBe(5)
  })

  it('works with Idempotency-Key: a replay ignores If-Match, and a failed precondition leaves the key free', async () => {
    const made = await draft()
    const url = `/v1/proposals/${made.id}`
    const send = (etag: string) => call('POST', `${url}/send`, undefined, { 'if-match': etag, 'idempotency-key': made.id })
    expect((await send('"other"')).status).toBe(412)
    const etag = await tagOf(url)
    const first = await send(etag)
    const again = await send(etag)
    expect([first.status, again.status, again.headers['idempotency-replayed']]).toEqual([200, 200, 'true'])
    expect(again.body).toEqual(first.body)
  })
})
