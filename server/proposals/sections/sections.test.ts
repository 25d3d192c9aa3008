import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { testApp, type Caller } from '../../testing/app.ts'
import { pdfAttachments, pdfText } from '../../testing/pdf-text.ts'
import { pageClient, proposeTo } from '../../testing/proposal-page.ts'

let time: Date | undefined
const { app, organization, database } = await testApp({ now: () => time ?? new Date() })
const page = pageClient(app)

const sections = [
  { type: 'text', text: '## Your tour\n\nAlong the **lake**, [map](https://example.com/map).' },
  { type: 'items' },
  { type: 'terms', text: 'Payment within *14 days*.' },
]
const items = [{ description: 'E-bike', unitPrice: '90', quantity: '2' }]
const offer = { sections, items, totalAmount: undefined }

const update = async ({ call }: Caller, id: string, changes: object) => (await call('PATCH', `/v1/proposals/${id}`, changes)).body
const pdfOf = async ({ token }: Caller, id: string) =>
  (await app.inject({ url: `/v1/proposals/${id}/pdf`, headers: { authorization: `Bearer ${token}` } })).rawPayload

/** Fails unless the texts stand in this order. */
function expectOrder(text: string, parts: readonly string[]): void {
  const places = parts.map((part) => text.indexOf(part))
  expect([parts, places]).toEqual([parts, places.toSorted((a, b) => a - b)])
  expect(places).not.toContain(-1)
}

describe('sections of a proposal', () => {
  it('are part of the record and of the hash, which the preview knows', async () => {
    const caller = await organization()
    const proposal = await proposeTo(caller, { ...offer, draft: true })
    expect(proposal).toMatchObject({ sections, contentVersion: 3, status: 'draft' })
    const preview = await caller.call('POST', '/v1/proposals/preview', {
      ...offer,
      title: proposal.title,
      contactId: proposal.contactId,
      currency: 'EUR',
    })
    expect(preview.body).toMatchObject({ sections, contentVersion: 3, contentHash: proposal.contentHash })
    const events = await caller.call('GET', '/v1/events')
    expect(events.body.data.find(({ type }: { type: string }) => type === 'proposal.created').data).toEqual(proposal)
  })

  it('change with an update, and null removes them', async () => {
    const caller = await organization()
    const plain = await proposeTo(caller, { items, totalAmount: undefined, draft: true })
    expect(plain).toMatchObject({ sections: [], contentVersion: 2 })
    const withText = await update(caller, plain.id, { sections })
    expect(withText).toMatchObject({ sections, contentVersion: 3 })
    const retitled = await update(caller, plain.id, { title: 'Other' })
    expect(retitled).toMatchObject({ sections, contentVersion: 3 })
    for (const none of [null, []]) {
      await update(caller, plain.id, { sections })
      expect(await update(caller, plain.id, { title: plain.title, sections: none })).toMatchObject({
        sections: [],
        contentVersion: 2,
        contentHash: plain.contentHash,
      })
    }
  })

  it('give a draft of version 1 its totals', async () => {
    const caller = await organization()
    const draft = await proposeTo(caller, { items, totalAmount: undefined, draft: true })
    const id = draft.id.slice(4)
    await database.pool.query('update proposal set content_version = 1, totals = null where id = $1', [id])
    expect(await update(caller, draft.id, { title: 'Same' })).toMatchObject({ contentVersion: 1, subtotal: null })
    expect(await update(caller, draft.id, { sections })).toMatchObject({ contentVersion: 3, subtotal: '180.00', sections })
  })

  it('are shown in order on the page and in the PDF', async () => {
    const caller = await organization()
    const proposal = await proposeTo(caller, offer)
    const { html } = await page.get(proposal.url)
    expectOrder(html, ['Your tour', '<strong>lake</strong>', 'E-bike', '€180.00', 'Terms', '<em>14 days</em>', 'Sign and accept'])
    expect(html).toContain('<a href="https://example.com/map" rel="nofollow noopener">map</a>')
    const pdf = await pdfOf(caller, proposal.id)
    expectOrder((await pdfText(pdf)).join('\n'), ['Your tour', 'lake', 'E-bike', '€180.00', 'Terms', '14 days'])
    const [content = ''] = pdfAttachments(pdf)
    expect(createHash('sha256').update(content).digest('hex')).toBe(proposal.contentHash)
    expect(JSON.parse(content).sections).toEqual(sections)
  })

  it('without a place for the lines are followed by them', async () => {
    const caller = await organization()
    const proposal = await proposeTo(caller, { ...offer, sections: [{ type: 'terms', text: 'Pay soon.' }] })
    expect(proposal.sections).toHaveLength(1)
    expectOrder((await page.get(proposal.url)).html, ['Pay soon.', 'E-bike', '€180.00'])
    expectOrder((await pdfText(await pdfOf(caller, proposal.id))).join('\n'), ['Pay soon.', 'E-bike', '€180.00'])
  })

  it('stay what they were when the recipient chooses and accepts', async () => {
    const caller = await organization()
    const proposal = await proposeTo(caller, { ...offer, items: [...items, { description: 'Tour', unitPrice: '50', optional: true }] })
    expect(await page.accept(proposal, { choices: 'yes', line: '1', total: '230.00' })).toMatchObject({ status: 303 })
    const { body } = await caller.call('GET', `/v1/proposals/${proposal.id}`)
    expect(body).toMatchObject({ status: 'completed', totalAmount: '230.00', sections, contentVersion: 3 })
    const { body: certificate } = await caller.call('GET', `/v1/proposals/${proposal.id}/certificate`)
    expect(JSON.stringify(certificate)).toContain(body.contentHash)
  })

  it.each([
    [[{ type: 'text', text: `${'> '.repeat(11)}a` }], 'sections.0.text'],
    [[{ type: 'items' }, { type: 'items' }], 'sections'],
    [[{ type: 'items', text: 'a' }], 'sections.0.text'],
    [[{ type: 'video', text: 'a' }], 'sections.0.type'],
    [[{ type: 'text', text: 'a'.repeat(20_001) }], 'sections.0.text'],
    [Array.from({ length: 31 }, () => ({ type: 'text', text: 'a' })), 'sections'],
  ])('are refused when they are invalid: %#', async (given, field) => {
    const caller = await organization()
    const refusal = await proposeTo(caller, { ...offer, sections: given })
    expect(refusal.error).toMatchObject({ code: 'validation_error' })
    expect(refusal.error.field).toBe(field)
  })
})

describe('defaults of the organization', () => {
  it('are the terms and the expiry of proposals that leave them out', async () => {
    const caller = await organization()
    const profile = { defaultTerms: 'Payment within **14 days**.', expiryDays: 14, timeZone: 'Europe/Berlin' }
    expect((await caller.call('PATCH', '/v1/organization', profile)).body).toMatchObject(profile)
    time = new Date('2026-10-20T22:30:00Z')
    try {
      const proposal = await proposeTo(caller, { items, totalAmount: undefined })
      expect(proposal).toMatchObject({
        sections: [{ type: 'items' }, { type: 'terms', text: profile.defaultTerms }],
        expiresAt: '2026-11-04T22:59:59.999Z',
      })
      const without = await proposeTo(caller, { sections: null, expiresAt: null })
      expect(without).toMatchObject({ sections: [], expiresAt: null, contentVersion: 2 })
      const own = await proposeTo(caller, { sections: [{ type: 'items' }], expiresAt: '2026-12-01T00:00:00Z' })
      expect(own).toMatchObject({ sections: [{ type: 'items' }], expiresAt: '2026-12-01T00:00:00.000Z' })
    } finally {
      time = undefined
    }
  })

  it('can be cleared, and refuse terms that are nested too deep', async () => {
    const { call } = await organization()
    expect((await call('GET', '/v1/organization')).body).toMatchObject({ defaultTerms: null, expiryDays: null })
    await call('PATCH', '/v1/organization', { defaultTerms: 'x', expiryDays: 1 })
    expect((await call('PATCH', '/v1/organization', { defaultTerms: null, expiryDays: null })).body).toMatchObject({
      defaultTerms: null,
      expiryDays: null,
    })
    expect(await call('PATCH', '/v1/organization', { defaultTerms: `${'> '.repeat(11)}a` })).toMatchObject({
      status: 422,
      body: { error: { field: 'defaultTerms' } },
    })
  })
})
