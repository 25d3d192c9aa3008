import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { testApp, type Caller } from '../testing/app.ts'

const { organization } = await testApp()

async function withContact(): Promise<Caller & { contactId: string }> {
  const caller = await organization()
  const { body } = await caller.call('POST', '/v1/contacts', { email: 'ada@example.com' })
  return { ...caller, contactId: body.id }
}

const gst = { name: 'GST', rate: '5' }
const qst = { name: 'QST', rate: '9.975' }

describe('POST /v1/proposals', () => {
  it('returns nets, discounts and taxes', async () => {
    const { call, contactId } = await withContact()
    const items = [
      { description: 'Design', quantity: '10', unitPrice: '20', discountPercent: '50', taxes: [gst, qst] },
      { description: 'Print', quantity: '1000', unitPrice: '0.335', taxRate: '5' },
      { description: 'Insurance', unitPrice: '65', optional: true, preselected: true },
    ]
    const { status, body } = await call('POST', '/v1/proposals', { title: 'T', contactId, items, discount: '100', currency: 'CAD' })
    expect(status).toBe(201)
    // 100.00 + 335.00 + 65.00 = 500.00; the discount is 20.00 + 67.00 + 13.00.
    expect(body).toMatchObject({
      pricesIncludeTax: false,
      discount: '100.00',
      discountPercent: null,
      subtotal: '500.00',
      discountTotal: '100.00',
      taxes: [
        { name: null, rate: '5', base: '268.00', amount: '13.40' },
        { name: 'GST', rate: '5', base: '80.00', amount: '4.00' },
        { name: 'QST', rate: '9.975', base: '80.00', amount: '7.98' },
      ],
      taxTotal: '25.38',
      totalAmount: '425.38',
      contentVersion: 2,
    })
    expect(body.items.map((item: { net: string; total: string; taxRate: string }) => [item.net, item.total, item.taxRate])).toEqual([
      ['100.00', '114.98', '14.975'],
      ['335.00', '351.75', '5'],
      ['65.00', '65.00', '0'],
    ])
    expect((await call('GET', `/v1/proposals/${body.id}`)).body).toEqual(body)
    const given = { title: 'T', contactId, items, discount: '100', currency: 'CAD' }
    expect((await call('POST', '/v1/proposals', { ...given, totalAmount: '425.38' })).status).toBe(201)
    expect((await call('POST', '/v1/proposals', { ...given, totalAmount: '425.39' })).body.error.field).toBe('totalAmount')
  })

  it('accepts whole amounts in a currency without decimals', async () => {
    const { call, contactId } = await withContact()
    const proposal = { title: 'T', contactId, currency: 'JPY' }
    for (const totalAmount of ['100', '100.0', '100.00'])
      expect((await call('POST', '/v1/proposals', { ...proposal, totalAmount })).body.totalAmount).toBe('100.00')
    const items = [{ description: 'x', quantity: '3', unitPrice: '33.5', taxRate: '10' }]
    expect((await call('POST', '/v1/proposals', { ...proposal, items })).body).toMatchObject({ totalAmount: '111.00', taxTotal: '10.00' })
    const wrong = await call('POST', '/v1/proposals', { ...proposal, items: [{ ...items[0], discount: '0.50' }] })
    expect([wrong.status, wrong.body.error.field]).toEqual([422, 'items.0.discount'])
  })
})

describe('PATCH /v1/proposals/{id}', () => {
  it('keeps the terms of a draft that it does not change', async () => {
    const { call, contactId } = await withContact()
    const items = [{ description: 'x', quantity: '2', unitPrice: '59.5', discountPercent: '0', taxRate: '19' }]
    const draft = { title: 'T', contactId, items, pricesIncludeTax: true, currency: 'EUR', draft: true }
    const { id } = (await call('POST', '/v1/proposals', draft)).body
    const patch = async (change: object) => (await call('PATCH', `/v1/proposals/${id}`, change)).body
    expect(await patch({ discountPercent: '10' })).toMatchObject({ subtotal: '100.00', discountTotal: '10.00', totalAmount: '107.10' })
    expect(await patch({ discount: '11.9' })).toMatchObject({ discountPercent: null, discount: '11.90', totalAmount: '107.10' })
    expect(await patch({ discountPercent: null })).toMatchObject({ discount: '11.90', totalAmount: '107.10' })
    expect(await patch({ title: 'U' })).toMatchObject({ discount: '11.90', totalAmount: '107.10', pricesIncludeTax: true })
    expect(await patch({ pricesIncludeTax: false })).toMatchObject({ subtotal: '119.00', totalAmount: '127.45' })
    expect((await patch({ currency: 'JPY' })).error.field).toBe('discount')
    expect(await patch({ currency: 'JPY', discount: null })).toMatchObject({ subtotal: '119.00', totalAmount: '142.00' })
    expect(await patch({ items: null, totalAmount: '5', currency: 'EUR' })).toMatchObject({
      items: [],
      totalAmount: '5.00',
      taxTotal: '0.00',
    })
    expect((await patch({ discount: '1' })).error.field).toBe('discount')
    expect((await patch({ totalAmount: '5.5', currency: 'JPY' })).error.field).toBe('totalAmount')
  })
})

describe('a proposal of version 1', () => {
  const item = {
    description: 'Consulting',
    quantity: '3',
    unitPrice: '0.10',
    discount: '0.00',
    taxRate: '19',
    optional: false,
    total: '0.36',
  }
  const hashOf = (number: string | null): string =>
    createHash('sha256')
      .update(
        `{"currency":"EUR","expiresAt":null,"items":[{"description":"Consulting","discount":"0.00","optional":false,"quantity":"3","taxRate":"19","total":"0.36","unitPrice":"0.10"},{"description":"Consulting","discount":"0.00","optional":false,"quantity":"3","taxRate":"19","total":"0.36","unitPrice":"0.10"}],"message":null,"number":${JSON.stringify(number)},"title":"T","totalAmount":"0.72"}`,
      )
      .digest('hex')

  /** Creates a row as the former program wrote it. Version 2 would have a total of 0.71. */
  async function former(draft: boolean) {
    const caller = await withContact()
    const { call, ctx, contactId } = caller
    const { body } = await call('POST', '/v1/proposals', { title: 'T', contactId, totalAmount: '1', currency: 'EUR', draft })
    await ctx.db.pool.query(
      'update proposal set items = $1, total_amount = 0.72, content_version = 1, totals = null, prices_include_tax = false where id = $2',
      [JSON.stringify([item, item]), body.id.slice(4)],
    )
    return { ...caller, path: `/v1/proposals/${body.id}` }
  }

  it('keeps its figures and its hash', async () => {
    const { call, path } = await former(false)
    const shown = {
      ...item,
      discountPercent: null,
      taxes: [{ name: null, rate: '19' }],
      preselected: false,
      group: null,
      quantityRange: null,
      net: null,
    }
    const totals = { subtotal: null, discountTotal: null, taxes: null, taxTotal: null, contentVersion: 1 }
    const expected = { ...totals, items: [shown, shown], totalAmount: '0.72', contentHash: hashOf('P-1001') }
    expect((await call('GET', path)).body).toMatchObject(expected)
    expect((await call('POST', `${path}/void`, { reason: 'x' })).body).toMatchObject(expected)
  })

  it('that is a draft is calculated again only when its price changes', async () => {
    const { call, path } = await former(true)
    expect((await call('PATCH', path, { message: null })).body).toMatchObject({ totalAmount: '0.72', contentHash: hashOf(null) })
    expect((await call('PATCH', path, { discountPercent: '0' })).body).toMatchObject({
      contentVersion: 2,
      taxes: [{ name: null, rate: '19', base: '0.60', amount: '0.11' }],
      totalAmount: '0.71',
    })
  })

  it('is sent as it is', async () => {
    const { call, path } = await former(true)
    expect((await call('POST', `${path}/send`)).body).toMatchObject({ totalAmount: '0.72', contentHash: hashOf('P-1001') })
  })
})
