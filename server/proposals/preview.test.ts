import { describe, expect, it } from 'vitest'
import { testApp, type Caller } from '../testing/app.ts'

const { organization, database } = await testApp()

async function withContact(contact: object = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' }) {
  const caller: Caller = await organization()
  const { body } = await caller.call('POST', '/v1/contacts', contact)
  return { ...caller, contactId: body.id as string }
}

describe('POST /v1/proposals/preview', () => {
  it('returns the figures and the hash of the draft that the body creates, and stores nothing', async () => {
    const { call, contactId, organizationId } = await withContact()
    const items = [
      { description: 'Design', unitPrice: '119', taxes: [{ name: 'VAT', rate: '19' }] },
      { description: 'Hosting', unitPrice: '10', optional: true },
    ]
    const proposal = { title: 'Website', contactId, items, currency: 'EUR', pricesIncludeTax: true, discountPercent: '10' }
    const terms = { message: 'Hello', expiresAt: '2999-01-01T12:00:00Z' }
    const counts = async () => {
      const { rows } = await database.pool.query(
        'select (select count(*) from proposal where organization_id = $1) as proposals, (select count(*) from event where organization_id = $1) as events',
        [organizationId],
      )
      return rows
    }
    const before = await counts()
    const { status, body } = await call('POST', '/v1/proposals/preview', { ...proposal, ...terms })
    expect([status, await counts()]).toEqual([200, before])
    const { body: draft } = await call('POST', '/v1/proposals', { ...proposal, ...terms, draft: true })
    const { warnings, sentence, language, ...figures } = body
    expect(draft).toMatchObject(figures)
    expect(figures).toMatchObject({ totalAmount: '107.10', taxTotal: '17.10', contentHash: draft.contentHash })
    expect([warnings, language]).toEqual([[], 'en'])
    expect(sentence).toBe(
      'Website, for Ada Lovelace. One line is optional. The discount is 10.00 euros without tax. The total is 107.10 euros, including 17.10 euros of VAT at 19%. The offer is valid until January 1, 2999.',
    )
  })

  it('says all decimals of the currency', async () => {
    const { call, contactId } = await withContact()
    const preview = async (currency: string, totalAmount: string) =>
      (await call('POST', '/v1/proposals/preview', { title: 'T', contactId, currency, totalAmount })).body.sentence
    expect(await preview('JPY', '1200')).toBe('T, for Ada Lovelace. The total is 1,200 Japanese yen.')
    expect(await preview('KWD', '1.25')).toBe('T, for Ada Lovelace. The total is 1.250 Kuwaiti dinars.')
    expect(await preview('HUF', '1200.50')).toBe('T, for Ada Lovelace. The total is 1,200.50 Hungarian forints.')
  })

  it('warns of a missing address, of a total of zero, of a taken externalId and of rounding', async () => {
    const { call, contactId } = await withContact({ phone: '+442079460018' })
    const codes = async (proposal: object): Promise<string[]> =>
      (await call('POST', '/v1/proposals/preview', { title: 'T', contactId, ...proposal })).body.warnings.map(
        ({ code }: { code: string }) => code,
      )
    expect(await codes({ totalAmount: '0' })).toEqual(['no_email', 'total_is_zero'])
    expect(await codes({ items: [{ description: 'x', unitPrice: '1', optional: true }] })).toEqual(['no_email', 'nothing_selected'])
    await call('POST', '/v1/proposals', { title: 'T', contactId, totalAmount: '1', externalId: 'a' })
    expect(await codes({ totalAmount: '1', externalId: 'a', currency: 'KWD' })).toEqual([
      'no_email',
      'external_id_taken',
      'rounded_currency',
    ])
    expect(await codes({ totalAmount: '1', externalId: 'b' })).toEqual(['no_email'])
  })

  it.each([
    ['totalAmount', {}],
    ['contactId', { totalAmount: '1', contactId: 'ctc_01a205a5-e939-7be0-8361-4183719b5c49' }],
    ['expiresAt', { totalAmount: '1', expiresAt: '2020-01-01T00:00:00Z' }],
    ['totalAmount', { totalAmount: '2', items: [{ description: 'x', unitPrice: '1' }] }],
    ['items.0.discount', { items: [{ description: 'x', unitPrice: '1', discount: '2' }] }],
  ])('refuses a wrong %s with 422 (%#)', async (field, proposal) => {
    const { call, contactId } = await withContact()
    const { status, body } = await call('POST', '/v1/proposals/preview', { title: 'T', contactId, ...proposal })
    expect([status, body.error.field]).toEqual([422, field])
  })
})

describe('POST /v1/proposals/{id}/send with expectContentHash', () => {
  it('sends only the expected content', async () => {
    const { call, contactId } = await withContact()
    const proposal = { title: 'T', contactId, totalAmount: '5' }
    const { contentHash } = (await call('POST', '/v1/proposals/preview', proposal)).body
    const { id } = (await call('POST', '/v1/proposals', { ...proposal, draft: true })).body
    const send = (body?: object) => call('POST', `/v1/proposals/${id}/send`, body)
    await call('PATCH', `/v1/proposals/${id}`, { totalAmount: '6' })
    const changed = await send({ expectContentHash: contentHash })
    expect([changed.status, changed.body.error.code, changed.body.error.field]).toEqual([412, 'precondition_failed', 'expectContentHash'])
    expect((await call('GET', `/v1/proposals/${id}`)).body).toMatchObject({ status: 'draft', number: null })
    await call('PATCH', `/v1/proposals/${id}`, { totalAmount: '5' })
    expect((await send({ expectContentHash: contentHash })).body).toMatchObject({ status: 'pending', number: 'P-1001' })
    expect((await send({ expectContentHash: contentHash })).status).toBe(409)
  })

  it('takes no body, an empty one, and no other fields', async () => {
    const { call, contactId } = await withContact()
    const draft = async () => (await call('POST', '/v1/proposals', { title: 'T', contactId, totalAmount: '5', draft: true })).body.id
    for (const body of [undefined, {}]) expect((await call('POST', `/v1/proposals/${await draft()}/send`, body)).status).toBe(200)
    for (const body of [{ contentHash: 'x' }, { expectContentHash: 'x' }, { expectContentHash: null }])
      expect((await call('POST', `/v1/proposals/${await draft()}/send`, body)).status).toBe(422)
  })
})
