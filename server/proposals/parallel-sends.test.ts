import { expect, it } from 'vitest'
import { testApp, type Called } from '../testing/app.ts'

const { organization } = await testApp()
const sends = 100

const offer = async (call: (method: string, path: string, body?: unknown) => Promise<Called>): Promise<object> => {
  const { body } = await call('POST', '/v1/contacts', { firstName: 'Ada', email: 'ada@example.com' })
  return { title: 'Six e-bikes for a week', contactId: body.id, totalAmount: '1260.00' }
}

it.each([
  ['externalId', { externalId: 'order-1' }, {}],
  ['Idempotency-Key', {}, { 'idempotency-key': 'order-1' }],
])('100 parallel requests with one %s send one proposal, with one number and one email', async (_name, field, headers) => {
  const { call } = await organization()
  const body = { ...(await offer(call)), ...field }
  const answers = await Promise.all(Array.from({ length: sends }, () => call('POST', '/v1/proposals', body, headers)))
  expect(answers.filter(({ status }) => ![201, 409].includes(status))).toEqual([])
  const sent = new Set(answers.flatMap(({ status, body: { id } }) => (status === 201 ? [id] : [])))
  expect(sent.size).toBe(1)
  const [proposals, mails] = [(await call('GET', '/v1/proposals')).body.data, (await call('GET', '/v1/mails')).body.data]
  expect(proposals).toMatchObject([{ id: [...sent][0], number: 'P-1001', status: 'pending' }])
  expect(mails).toMatchObject([{ kind: 'sent', proposalId: [...sent][0] }])
  const next = await call('POST', '/v1/proposals', { ...body, externalId: 'order-2' })
  expect([next.status, next.body.number]).toEqual([201, 'P-1002'])
})
