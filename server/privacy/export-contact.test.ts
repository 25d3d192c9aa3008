import { expect, it } from 'vitest'
import { testApp } from '../testing/app.ts'
import { pageClient } from '../testing/proposal-page.ts'

const { app, organization } = await testApp()
const page = pageClient(app)

it('returns everything about a contact, and nothing about others', async () => {
  const { call } = await organization()
  const { id } = (await call('POST', '/v1/contacts', { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' })).body
  const other = (await call('POST', '/v1/contacts', { email: 'hidden@example.com' })).body.id
  for (const [contactId, text] of [
    [id, 'Asked for six bikes.'],
    [other, 'A secret of somebody else.'],
  ]) {
    await call('POST', `/v1/contacts/${contactId}/activities`, { type: 'call', text })
    await call('POST', `/v1/contacts/${contactId}/consent`, { channel: 'sms', state: 'granted', source: text })
  }
  const own = (await call('POST', '/v1/proposals', { title: 'Six bikes', contactId: id, totalAmount: '5' })).body
  await page.get(own.url)
  await page.post(own.url, 'ask', { question: 'With helmets?' })
  await page.accept(own, { name: 'Ada L.' })
  const copies = [{ role: 'copy', contactId: id }]
  const copied = (await call('POST', '/v1/proposals', { title: 'Copied', contactId: other, totalAmount: '5', recipients: copies })).body
  await call('POST', '/v1/proposals', { title: 'Of somebody else', contactId: other, totalAmount: '5' })

  const { status, body } = await call('GET', `/v1/contacts/${id}/export`)
  expect(status).toBe(200)
  expect(body.contact).toEqual((await call('GET', `/v1/contacts/${id}`)).body)
  expect(body.activities.map(({ text }: { text: string }) => text)).toEqual(['Asked for six bikes.'])
  expect(body.consent).toHaveLength(1)
  expect(body.history).toMatchObject([{ contactId: id, how: 'api' }])
  expect(body.proposals.map((proposal: { id: string }) => proposal.id)).toEqual([copied.id, own.id])
  expect(body.questions).toMatchObject([{ proposalId: own.id, question: 'With helmets?' }])
  expect(body.signatures).toMatchObject([{ proposalId: own.id, name: 'Ada L.', method: 'typed' }])
  expect(body.views).toEqual((await call('GET', `/v1/proposals/${own.id}/views`)).body.data.toReversed())
  expect(body.mails.length).toBeGreaterThan(0)
  expect(body.timeline.length).toBeGreaterThan(4)
  expect(JSON.stringify(body)).not.toMatch(/secret of somebody|Of somebody else/)
})

it('is forbidden without a scope for its parts, and for a limited token', async () => {
  const { call } = await organization()
  const { id } = (await call('POST', '/v1/contacts', { email: 'ada@example.com' })).body
  const base = (await call('POST', '/v1/bases', { name: 'B' })).body.id
  for (const token of [
    { name: 'T', scopes: ['contacts:read', 'events:read'] },
    { name: 'T', scopes: ['contacts:read', 'proposals:read'] },
    { name: 'T', scopes: ['contacts:read', 'proposals:read', 'events:read'], baseIds: [base] },
  ]) {
    const { token: secret } = (await call('POST', '/v1/tokens', token)).body
    const answer = await call('GET', `/v1/contacts/${id}/export`, undefined, { authorization: `Bearer ${secret}` })
    expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden'])
  }
  await call('DELETE', `/v1/contacts/${id}`)
  expect((await call('GET', `/v1/contacts/${id}/export`)).status).toBe(404)
})
