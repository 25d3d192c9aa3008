import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { purgeContactWork } from '../contacts/purge.ts'
import { newId } from '../lib/ids.ts'
import { testApp, type Caller } from '../testing/app.ts'
import { jobName } from '../testing/delayed-jobs.ts'
import { voidOfDeletedContactWork } from './of-deleted-contact.ts'

let time: Date | undefined
const { organization, database } = await testApp({ now: () => time ?? new Date() })

async function withContact(): Promise<Caller & { contactId: string }> {
  const caller = await organization()
  const { body } = await caller.call('POST', '/v1/contacts', { email: 'ada@example.com' })
  return { ...caller, contactId: body.id }
}

const later = (ms: number): string => new Date(Date.now() + ms).toISOString()

describe('the signer', () => {
  it('is the contact, with name and address as they are when the proposal is sent', async () => {
    const { call, contactId } = await withContact()
    const other = (await call('POST', '/v1/contacts', { firstName: 'Grace', lastName: 'Hopper' })).body.id
    const signerOf = async (id: string) => (await call('GET', `/v1/proposals/${id}`)).body.recipients[0]
    const { body: draft } = await call('POST', '/v1/proposals', { title: 'T', contactId, totalAmount: '1', draft: true })
    expect([draft.url, draft.recipients]).toEqual([
      null,
      [expect.objectContaining({ name: null, email: 'ada@example.com', status: 'waiting', url: null })],
    ])
    const moved = await call('PATCH', `/v1/proposals/${draft.id}`, { contactId: other })
    expect(moved.body.recipients).toEqual([{ ...draft.recipients[0], contactId: other, name: 'Grace Hopper', email: null }])
    await call('PATCH', `/v1/contacts/${other}`, { email: 'grace@example.com' })
    const { body: sent } = await call('POST', `/v1/proposals/${draft.id}/send`)
    expect(sent.recipients[0]).toMatchObject({ name: 'Grace Hopper', email: 'grace@example.com', status: 'pending', url: sent.url })
    await call('PATCH', `/v1/contacts/${other}`, { email: 'else@example.com', lastName: 'X' })
    expect(await signerOf(draft.id)).toEqual(sent.recipients[0])
    const { body: list } = await call('GET', '/v1/proposals')
    expect(list.data[0].recipients).toEqual(sent.recipients)
    const { body: voided } = await call('POST', `/v1/proposals/${draft.id}/void`, { reason: 'x' })
    // The email was still queued, and voiding withdraws it.
    const delivery = { state: 'withheld', reason: expect.any(String) }
    expect([voided.url, voided.recipients]).toEqual([sent.url, [{ ...sent.recipients[0], delivery }]])
  })

  it('goes with a deleted draft', async () => {
    const { call, contactId, organizationId } = await withContact()
    const { body } = await call('POST', '/v1/proposals', { title: 'T', contactId, totalAmount: '1', draft: true })
    const count = async () =>
      (await database.pool.query('select from proposal_recipient where organization_id = $1', [organizationId])).rowCount
    expect(await count()).toBe(1)
    await call('DELETE', `/v1/proposals/${body.id}`)
    expect(await count()).toBe(0)
  })
})

describe('deleting the contact', () => {
  it('voids its pending proposals, keeps others, and does not void those of a restored contact', async () => {
    const { call, contactId, ctx } = await withContact()
    const propose = async (fields: object = {}) =>
      (await call('POST', '/v1/proposals', { title: 'T', contactId, totalAmount: '1', ...fields })).body
    const [pending, draft] = [await propose(), await propose({ draft: true })]
    const run = () => voidOfDeletedContactWork.run(ctx, { contactId: contactId.slice(4) })
    await run()
    expect((await call('GET', `/v1/proposals/${pending.id}`)).body.status).toBe('pending')
    await call('DELETE', `/v1/contacts/${contactId}`)
    const { rows } = await database.pool.query(`select 1 from pgboss.job where data ->> 'contactId' = $1 and ${jobName} = $2`, [
      contactId.slice(4),
      voidOfDeletedContactWork.name,
    ])
    expect(rows).toHaveLength(1)
    await run()
    await run()
    const { body: voided } = await call('GET', `/v1/proposals/${pending.id}`)
    expect(voided).toMatchObject({ status: 'voided', voidReason: 'The contact was deleted.' })
    expect((await call('GET', `/v1/proposals/${draft.id}`)).body).toMatchObject({ status: 'draft', updatedAt: draft.updatedAt })
    const { body: events } = await call('GET', '/v1/events?type=proposal.voided')
    expect(events.data).toEqual([expect.objectContaining({ data: voided })])
    expect(voided.recipients).toEqual([expect.objectContaining({ name: null, email: null, url: pending.url })])
    const older = (await call('GET', '/v1/events?type=proposal.created&type=proposal.sent')).body.data
    expect(older).toHaveLength(3)
    for (const { data } of older) expect([data.id, data.title, data.recipients, data.url]).toEqual([expect.anything(), '', [], null])
    expect((await call('POST', `/v1/contacts/${contactId}/restore`)).status).toBe(200)
    const restored = (await call('GET', `/v1/proposals/${pending.id}`)).body
    // Voiding has withdrawn the email, which was still queued.
    expect(restored).toEqual({ ...voided, recipients: [{ ...pending.recipients[0], delivery: voided.delivery }] })
  })

  it('erases the name and the address of recipients with the contact, except in accepted proposals', async () => {
    const { call, contactId, ctx } = await withContact()
    const ids = await Promise.all(
      ['T', 'U'].map(async (title) => (await call('POST', '/v1/proposals', { title, contactId, totalAmount: '1' })).body.id),
    )
    await database.pool.query(`update proposal set status = 'completed' where id = $1`, [ids[1].slice(4)])
    await call('DELETE', `/v1/contacts/${contactId}`)
    const { rows } = await database.pool.query('select deleted_at from contact where id = $1', [contactId.slice(4)])
    await purgeContactWork.run(ctx, { contactId: contactId.slice(4), deletedAt: rows[0].deleted_at.toISOString() })
    const emails = await Promise.all(ids.map(async (id) => (await call('GET', `/v1/proposals/${id}`)).body.recipients[0].email))
    expect(emails).toEqual([null, 'ada@example.com'])
  })
})

describe('POST /v1/proposals', () => {
  it('creates and sends a proposal, and returns every documented field', async () => {
    const { call, contactId } = await withContact()
    const { status, body } = await call('POST', '/v1/proposals', { title: 'Website', contactId, totalAmount: '1200.00', currency: 'EUR' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^prp_[0-9a-f-]{36}$/),
      number: 'P-1001',
      title: 'Website',
      contactId,
      totalAmount: '1200.00',
      pricesIncludeTax: false,
      discount: null,
      discountPercent: null,
      subtotal: '1200.00',
      discountTotal: '0.00',
      taxes: [],
      taxTotal: '0.00',
      contentVersion: 2,
      currency: 'EUR',
      status: 'pending',
      items: [],
      sections: [],
      message: null,
      externalId: null,
      url: expect.stringMatching(/^http:\/\/groundwork\.test\/p\/[\w-]{67}$/),
      recipients: [
        {
          id: expect.stringMatching(/^rcp_[0-9a-f-]{36}$/),
          role: 'signer',
          contactId,
          name: null,
          email: 'ada@example.com',
          language: null,
          status: 'pending',
          url: body.url,
          viewedAt: null,
          signedAt: null,
          delivery: { state: 'queued', reason: null },
          deliveredAt: null,
        },
      ],
      signingOrder: 'parallel',
      counterSignature: false,
      counterSignedBy: null,
      counterSignedAt: null,
      supersedes: null,
      supersededBy: null,
      sentAt: body.createdAt,
      delivery: { state: 'queued', reason: null },
      deliveredAt: null,
      viewedAt: null,
      completedAt: null,
      rejectedAt: null,
      expiresAt: null,
      voidedAt: null,
      rejectReason: null,
      voidReason: null,
      allowedTransitions: ['completed', 'rejected', 'expired', 'voided'],
      contentHash: createHash('sha256')
        .update(
          '{"contentVersion":2,"currency":"EUR","discount":null,"discountPercent":null,"discountTotal":"0.00","expiresAt":null,"items":[],"message":null,"number":"P-1001","pricesIncludeTax":false,"subtotal":"1200.00","taxTotal":"0.00","taxes":[],"title":"Website","totalAmount":"1200.00"}',
        )
        .digest('hex'),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: body.createdAt,
    })
    expect((await call('GET', `/v1/proposals/${body.id}`)).body).toEqual(body)
  })

  it('adds up items, and accepts a totalAmount that equals their sum', async () => {
    const { call, contactId } = await withContact()
    const items = [
      { description: 'Design', quantity: '2.5', unitPrice: '80', taxRate: '19' },
      { description: 'Hosting', quantity: '12', unitPrice: '9.99', discount: '9.99' },
      { description: 'Training', unitPrice: '500', optional: true },
    ]
    const { status, body } = await call('POST', '/v1/proposals', { title: 'T', contactId, items })
    expect([status, body.totalAmount, body.currency]).toEqual([201, '347.89', 'USD'])
    expect(body.items.map((item: { total: string }) => item.total)).toEqual(['238.00', '109.89', '500.00'])
    expect((await call('POST', '/v1/proposals', { title: 'T', contactId, items, totalAmount: '347.89' })).status).toBe(201)
    const wrong = await call('POST', '/v1/proposals', { title: 'T', contactId, items, totalAmount: '347.88' })
    expect([wrong.status, wrong.body.error.field]).toEqual([422, 'totalAmount'])
  })

  it('creates a draft, and accepts ids in both forms', async () => {
    const { call, contactId } = await withContact()
    for (const form of [contactId, contactId.slice(4), contactId.slice(4).toUpperCase()]) {
      const { body } = await call('POST', '/v1/proposals', { title: 'T', contactId: form, totalAmount: '5', currency: 'eur', draft: true })
      expect(body).toMatchObject({
        status: 'draft',
        number: null,
        sentAt: null,
        contactId,
        totalAmount: '5.00',
        currency: 'EUR',
        allowedTransitions: ['pending', 'voided'],
      })
    }
  })

  it.each([
    ['title', { title: undefined }],
    ['title', { title: ' ' }],
    ['title', { title: 'x'.repeat(201) }],
    ['contactId', { contactId: undefined }],
    ['contactId', { contactId: `ctc_${newId()}` }],
    ['contactId', { contactId: 'ctc_1' }],
    ['contactId', { contactId: `prp_${newId()}` }],
    ['contactId', { contactId: 7 }],
    ['totalAmount', { totalAmount: undefined }],
    ['totalAmount', { totalAmount: undefined, items: null }],
    ['totalAmount', { totalAmount: 1200 }],
    ['totalAmount', { totalAmount: '1.001' }],
    ['totalAmount', { totalAmount: '-1' }],
    ['totalAmount', { totalAmount: '1e3' }],
    ['totalAmount', { totalAmount: '1000000000000' }],
    ['currency', { currency: 'EURO' }],
    ['currency', { currency: 'ZZZ' }],
    ['currency', { currency: '' }],
    ['items', { totalAmount: undefined, items: [] }],
    ['items.0.unitPrice', { totalAmount: undefined, items: [{ description: 'x' }] }],
    ['items.0.quantity', { totalAmount: undefined, items: [{ description: 'x', unitPrice: '1', quantity: '1.0001' }] }],
    ['items.0.discount', { totalAmount: undefined, items: [{ description: 'x', unitPrice: '1', discount: '1.01' }] }],
    ['items.0', { totalAmount: undefined, items: [{ description: 'x', unitPrice: '999999999999.99', quantity: '2' }] }],
    ['items', { totalAmount: undefined, items: Array.from({ length: 2 }, () => ({ description: 'x', unitPrice: '999999999999.99' })) }],
    ['items.0.price', { totalAmount: undefined, items: [{ description: 'x', unitPrice: '1', price: '1' }] }],
    ['totalAmount', { totalAmount: '100.50', currency: 'JPY' }],
    ['discount', { discount: '1' }],
    ['discountPercent', { discountPercent: '1' }],
    ['discountPercent', { totalAmount: undefined, items: [{ description: 'x', unitPrice: '1' }], discount: '1', discountPercent: '1' }],
    ['discount', { totalAmount: undefined, items: [{ description: 'x', unitPrice: '1' }], discount: '1.01' }],
    ['expiresAt', { expiresAt: '2020-01-01T00:00:00Z' }],
    ['expiresAt', { expiresAt: 'tomorrow' }],
    ['status', { status: 'completed' }],
    ['message', { message: 'x'.repeat(5001) }],
  ])('refuses a wrong %s with 422 (%#)', async (field, change) => {
    const { call, contactId } = await withContact()
    const answer = await call('POST', '/v1/proposals', { title: 'T', contactId, totalAmount: '1.00', ...change })
    expect([answer.status, answer.body.error.code, answer.body.error.field]).toEqual([422, 'validation_error', field])
  })

  it("refuses a deleted contact and another organization's contact with the same error", async () => {
    const { call, contactId } = await withContact()
    const other = await withContact()
    const stranger = await call('POST', '/v1/proposals', { title: 'T', contactId: other.contactId, totalAmount: '1' })
    await call('DELETE', `/v1/contacts/${contactId}`)
    const deleted = await call('POST', '/v1/proposals', { title: 'T', contactId, totalAmount: '1' })
    for (const { status, body } of [stranger, deleted]) {
      expect([status, body.error.code, body.error.field, body.error.message]).toEqual([
        422,
        'validation_error',
        'contactId',
        'contactId does not refer to an existing contact',
      ])
    }
  })

  it('answers 409 for a taken externalId without using up a number', async () => {
    const { call, contactId } = await withContact()
    const proposal = { title: 'T', contactId, totalAmount: '1', externalId: 'order-1' }
    expect((await call('POST', '/v1/proposals', proposal)).body.number).toBe('P-1001')
    const taken = await call('POST', '/v1/proposals', proposal)
    expect([taken.status, taken.body.error.code, taken.body.error.field]).toEqual([409, 'conflict', 'externalId'])
    expect((await call('POST', '/v1/proposals', { ...proposal, externalId: null })).body.number).toBe('P-1002')
    const other = await withContact()
    expect((await other.call('POST', '/v1/proposals', { ...proposal, contactId: other.contactId })).body.number).toBe('P-1001')
  })

  it('numbers 40 parallel proposals without gaps or duplicates', async () => {
    const { call, contactId } = await withContact()
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        call('POST', '/v1/proposals', { title: 'T', contactId, totalAmount: '1', externalId: index % 4 === 3 ? 'same' : null }),
      ),
    )
    const made = answers.filter((answer) => answer.status === 201).map((answer) => answer.body.number)
    expect(made.toSorted()).toEqual(Array.from({ length: 31 }, (_, index) => `P-${1001 + index}`))
    expect(answers.filter((answer) => answer.status === 409)).toHaveLength(9)
  })
})

describe('numbers', () => {
  const offer = { title: 'T', totalAmount: '1' }

  it('are assigned on sending, so drafts leave no gaps', async () => {
    const { call, contactId } = await withContact()
    const draft = async () => (await call('POST', '/v1/proposals', { ...offer, contactId, draft: true })).body
    const [sent, deleted, voided, kept] = [await draft(), await draft(), await draft(), await draft()]
    expect([sent, deleted, voided, kept].map(({ number }) => number)).toEqual([null, null, null, null])
    expect((await call('DELETE', `/v1/proposals/${deleted.id}`)).status).toBe(204)
    expect((await call('POST', `/v1/proposals/${voided.id}/void`, { reason: 'x' })).body).toMatchObject({ status: 'voided', number: null })
    expect((await call('POST', '/v1/proposals', { ...offer, contactId })).body.number).toBe('P-1001')
    expect((await call('PATCH', `/v1/proposals/${sent.id}`, { title: 'U' })).body.number).toBeNull()
    expect((await call('POST', `/v1/proposals/${sent.id}/send`)).body.number).toBe('P-1002')
    const withdrawn = await call('POST', `/v1/proposals/${sent.id}/void`, { reason: 'x' })
    expect(withdrawn.body).toMatchObject({ status: 'voided', number: 'P-1002' })
    expect((await call('POST', '/v1/proposals', { ...offer, contactId })).body.number).toBe('P-1003')
  })

  it('are not used up by a failed sending', async () => {
    const { call, contactId } = await withContact()
    const { body } = await call('POST', '/v1/proposals', { ...offer, contactId, draft: true })
    await call('DELETE', `/v1/contacts/${contactId}`)
    expect((await call('POST', `/v1/proposals/${body.id}/send`)).status).toBe(409)
    await call('POST', `/v1/contacts/${contactId}/restore`)
    expect((await call('POST', `/v1/proposals/${body.id}/send`)).body.number).toBe('P-1001')
  })

  it('have no gaps or duplicates when drafts are sent, deleted and created concurrently', async () => {
    const { call, contactId } = await withContact()
    const drafts: string[] = []
    for (let index = 0; index < 12; index += 1) {
      drafts.push((await call('POST', '/v1/proposals', { ...offer, contactId, draft: true })).body.id)
    }
    const answers = await Promise.all(
      drafts.flatMap((id, index) => [
        call('POST', `/v1/proposals/${id}/send`),
        index % 3 === 0 ? call('DELETE', `/v1/proposals/${id}`) : call('POST', `/v1/proposals/${id}/send`),
        call('POST', '/v1/proposals', { ...offer, contactId }),
      ]),
    )
    const numbers = answers.flatMap(({ body }) => (typeof body?.number === 'string' ? [body.number] : []))
    expect(numbers.length).toBeGreaterThanOrEqual(20)
    expect(numbers.toSorted()).toEqual(numbers.map((_, index) => `P-${1001 + index}`))
  })
})

describe('GET /v1/proposals', () => {
  it('pages, newest first, and filters', async () => {
    const { call, contactId } = await withContact()
    const second = (await call('POST', '/v1/contacts', { email: 'b@example.com' })).body.id
    for (let index = 1; index <= 7; index += 1) {
      await call('POST', '/v1/proposals', {
        title: index === 1 ? '100%_off' : `Offer ${index}`,
        contactId: index % 2 === 0 ? second : contactId,
        totalAmount: '1',
        draft: index > 5,
        message: index === 4 ? 'With thanks' : null,
      })
    }
    const titles = async (query: string): Promise<string[]> => {
      const found: string[] = []
      for (let cursor: string | null = ''; cursor !== null;) {
        const { status, body } = await call('GET', `/v1/proposals?limit=2&${query}${cursor === '' ? '' : `&cursor=${cursor}`}`)
        expect(status).toBe(200)
        found.push(...body.data.map((proposal: { title: string }) => proposal.title))
        cursor = body.nextCursor
      }
      return found
    }
    const all = ['Offer 7', 'Offer 6', 'Offer 5', 'Offer 4', 'Offer 3', 'Offer 2', '100%_off']
    expect(await titles('')).toEqual(all)
    expect(await titles('status=draft')).toEqual(['Offer 7', 'Offer 6'])
    expect(await titles(`contactId=${second}`)).toEqual(['Offer 6', 'Offer 4', 'Offer 2'])
    expect(await titles(`contactId=${second}&status=pending`)).toEqual(['Offer 4', 'Offer 2'])
    expect(await titles('q=OFFER')).toEqual(all.slice(0, -1))
    expect(await titles('q=thanks')).toEqual(['Offer 4'])
    expect(await titles('q=p-1003')).toEqual(['Offer 3'])
    expect(await titles('q=p-10')).toEqual(all.slice(2))
    expect(await titles('q=%25_')).toEqual(['100%_off'])
    expect(await titles(`contactId=ctc_${newId()}`)).toEqual([])
  })

  it.each(['limit=0', 'limit=101', 'cursor=x', 'status=open', 'contactId=x', 'q=', 'sort=asc'])('refuses %s with 400', async (query) => {
    const { call } = await organization()
    const { status, body } = await call('GET', `/v1/proposals?${query}`)
    expect([status, body.error.code, body.error.field]).toEqual([400, 'bad_request', query.split('=')[0]])
  })
})

describe('PATCH and DELETE /v1/proposals/{id}', () => {
  it('change and delete a draft', async () => {
    const { call, contactId } = await withContact()
    const draft = (
      await call('POST', '/v1/proposals', { title: 'T', contactId, totalAmount: '5', message: 'Hi', externalId: 'x', draft: true })
    ).body
    const path = `/v1/proposals/${draft.id}`
    const changed = (await call('PATCH', path, { title: 'U', message: null, expiresAt: '2999-01-01T00:00:00+01:00' })).body
    expect(changed).toEqual({
      ...draft,
      title: 'U',
      message: null,
      expiresAt: '2998-12-31T23:00:00.000Z',
      contentHash: changed.contentHash,
      updatedAt: changed.updatedAt,
    })
    expect(changed.contentHash).not.toBe(draft.contentHash)
    expect((await call('PATCH', path, { totalAmount: '7' })).body).toMatchObject({ totalAmount: '7.00', items: [] })
    expect((await call('PATCH', path, { items: [{ description: 'a', unitPrice: '3' }] })).body).toMatchObject({ totalAmount: '3.00' })
    expect((await call('PATCH', path, { totalAmount: '4' })).body.error.field).toBe('totalAmount')
    expect((await call('PATCH', path, { items: null })).body.error.field).toBe('totalAmount')
    expect((await call('PATCH', path, { items: null, totalAmount: '4' })).body).toMatchObject({ totalAmount: '4.00', items: [] })
    expect((await call('PATCH', path, { contactId: `ctc_${newId()}` })).body.error.field).toBe('contactId')
    expect((await call('PATCH', path, { expiresAt: '2020-01-01T00:00:00Z' })).body.error.field).toBe('expiresAt')
    expect((await call('PATCH', path, { draft: false })).body.error.field).toBe('draft')
    expect((await call('PATCH', path, {})).body).toMatchObject({ title: 'U', totalAmount: '4.00', externalId: 'x' })
    await call('POST', '/v1/proposals', { title: 'T', contactId, totalAmount: '5', externalId: 'taken' })
    const taken = await call('PATCH', path, { externalId: 'taken' })
    expect([taken.status, taken.body.error.field]).toEqual([409, 'externalId'])
    expect((await call('DELETE', path)).status).toBe(204)
    for (const method of ['GET', 'DELETE']) expect((await call(method, path)).status).toBe(404)
    expect((await call('PATCH', path, {})).status).toBe(404)
  })

  it('refuse a sent proposal: 409', async () => {
    const { call, contactId } = await withContact()
    const sent = (await call('POST', '/v1/proposals', { title: 'T', contactId, totalAmount: '5' })).body
    const patched = await call('PATCH', `/v1/proposals/${sent.id}`, { title: 'U' })
    expect([patched.status, patched.body.error.code]).toEqual([409, 'conflict'])
    expect(patched.body.error.message).toMatch(/is pending.*completed, rejected, expired, voided/)
    expect((await call('DELETE', `/v1/proposals/${sent.id}`)).status).toBe(409)
    expect((await call('GET', `/v1/proposals/${sent.id}`)).body).toEqual(sent)
  })
})

describe('POST /v1/proposals/{id}/send', () => {
  it('makes a draft pending, once', async () => {
    const { call, contactId } = await withContact()
    const draft = (await call('POST', '/v1/proposals', { title: 'T', contactId, totalAmount: '5', draft: true })).body
    const sent = await call('POST', `/v1/proposals/${draft.id}/send`)
    expect([sent.status, sent.body.status, sent.body.number, sent.body.sentAt]).toEqual([200, 'pending', 'P-1001', sent.body.updatedAt])
    const offer =
      '{"contentVersion":2,"currency":"USD","discount":null,"discountPercent":null,"discountTotal":"0.00","expiresAt":null,"items":[],"message":null,"number":%,"pricesIncludeTax":false,"subtotal":"5.00","taxTotal":"0.00","taxes":[],"title":"T","totalAmount":"5.00"}'
    const hash = (number: string): string => createHash('sha256').update(offer.replace('%', number)).digest('hex')
    expect([draft.contentHash, sent.body.contentHash]).toEqual([hash('null'), hash('"P-1001"')])
    const again = await call('POST', `/v1/proposals/${draft.id}/send`)
    expect([again.status, again.body.error.message]).toEqual([
      409,
      'The proposal is pending and cannot become pending. It can only become completed, rejected, expired, voided.',
    ])
  })

  it('is refused after expiresAt or if the contact was deleted', async () => {
    const { call, contactId } = await withContact()
    const draft = { title: 'T', contactId, totalAmount: '5', draft: true }
    const expiring = (await call('POST', '/v1/proposals', { ...draft, expiresAt: later(60_000) })).body
    const orphan = (await call('POST', '/v1/proposals', draft)).body
    time = new Date(Date.now() + 61_000)
    const expired = await call('POST', `/v1/proposals/${expiring.id}/send`)
    time = undefined
    expect([expired.status, expired.body.error.field]).toEqual([409, 'expiresAt'])
    await call('DELETE', `/v1/contacts/${contactId}`)
    const orphaned = await call('POST', `/v1/proposals/${orphan.id}/send`)
    expect([orphaned.status, orphaned.body.error.field]).toEqual([409, 'contactId'])
  })
})

describe('POST /v1/proposals/{id}/void', () => {
  it.each([true, false])('voids a proposal (draft: %s) once', async (draft) => {
    const { call, contactId } = await withContact()
    const { id } = (await call('POST', '/v1/proposals', { title: 'T', contactId, totalAmount: '5', draft })).body
    const { status, body } = await call('POST', `/v1/proposals/${id}/void`, { reason: ' Changed our mind ' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'voided', voidReason: 'Changed our mind', voidedAt: body.updatedAt, allowedTransitions: [] })
    const again = await call('POST', `/v1/proposals/${id}/void`, { reason: 'x' })
    expect([again.status, again.body.error.message]).toEqual([409, 'The proposal is voided and cannot become voided. It is final.'])
    expect((await call('POST', `/v1/proposals/${id}/send`)).status).toBe(409)
  })

  it.each([
    ['reason', {}],
    ['reason', { reason: '' }],
    ['reason', { reason: '  ' }],
    ['reason', { reason: 'x'.repeat(501) }],
    ['reason', { reason: null }],
    ['note', { reason: 'x', note: 'y' }],
  ])('requires a reason (%#)', async (field, body) => {
    const { call, contactId } = await withContact()
    const { id } = (await call('POST', '/v1/proposals', { title: 'T', contactId, totalAmount: '5' })).body
    const answer = await call('POST', `/v1/proposals/${id}/void`, body)
    expect([answer.status, answer.body.error.field]).toEqual([422, field])
  })

  it.each(['completed', 'rejected', 'expired'])('is refused for a proposal that is %s', async (state) => {
    const { call, ctx, contactId } = await withContact()
    const { id } = (await call('POST', '/v1/proposals', { title: 'T', contactId, totalAmount: '5' })).body
    await ctx.db.pool.query('update proposal set status = $1 where id = $2', [state, id.slice(4)])
    const { status, body } = await call('POST', `/v1/proposals/${id}/void`, { reason: 'x' })
    expect([status, body.error.code, body.error.message]).toEqual([
      409,
      'conflict',
      `The proposal is ${state} and cannot become voided. It is final.`,
    ])
  })

  it('succeeds for one of several concurrent calls', async () => {
    const { call, contactId } = await withContact()
    const { id } = (await call('POST', '/v1/proposals', { title: 'T', contactId, totalAmount: '5' })).body
    const answers = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((reason) => call('POST', `/v1/proposals/${id}/void`, { reason })))
    const won = answers.filter((answer) => answer.status === 200)
    expect(won).toHaveLength(1)
    expect(answers.filter((answer) => answer.status === 409)).toHaveLength(5)
    expect((await call('GET', `/v1/proposals/${id}`)).body).toEqual(won[0]?.body)
  })

  it('succeeds or the concurrent deletion of the same draft does, not both', async () => {
    const { call, contactId } = await withContact()
    for (let round = 0; round < 5; round += 1) {
      const { id } = (await call('POST', '/v1/proposals', { title: 'T', contactId, totalAmount: '5', draft: true })).body
      const [voided, deleted] = await Promise.all([
        call('POST', `/v1/proposals/${id}/void`, { reason: 'x' }),
        call('DELETE', `/v1/proposals/${id}`),
      ])
      expect([
        [200, 409],
        [404, 204],
      ]).toContainEqual([voided.status, deleted.status])
    }
  })
})

describe('ids', () => {
  it('of another type or format are 404 on every route', async () => {
    const { call } = await organization()
    const uuid = newId()
    for (const wrong of [uuid, `prp_${uuid}`, `ctc_${uuid}`, 'prp_x', '1001', 'P-1001', '%2e%2e']) {
      for (const [method, suffix, body] of [
        ['GET', '', undefined],
        ['PATCH', '', {}],
        ['DELETE', '', undefined],
        ['POST', '/send', undefined],
        ['POST', '/void', { reason: 'x' }],
      ] as const) {
        expect([wrong, method, (await call(method, `/v1/proposals/${wrong}${suffix}`, body)).status]).toEqual([wrong, method, 404])
      }
    }
  })
})
