import { describe, expect, it } from 'vitest'
import { testApp } from '../testing/app.ts'
import { pageClient, sendProposalTo } from '../testing/proposal-page.ts'

const { app, organization, database } = await testApp()
const page = pageClient(app)

const path = '/v1/proposals/preview-page'

describe('the preview of a page', () => {
  it('is the page that the proposal then has, without script, and stores nothing', async () => {
    const caller = await organization()
    const items = [
      { description: 'Bicycle', unitPrice: '50', quantity: '2', taxRate: '19', quantityRange: { min: '1', max: '6' } },
      { description: 'Trailer', unitPrice: '30', optional: true },
    ]
    const sent = await sendProposalTo(caller, { items, totalAmount: undefined, discount: '5', message: 'Hello.' })
    const { contactId } = (await caller.call('GET', `/v1/proposals/${sent.id}`)).body
    const rows = async () =>
      (
        await database.pool.query(
          'select (select count(*) from proposal) + (select count(*) from event) + (select count(*) from audit_entry) as rows',
        )
      ).rows
    const before = await rows()
    const body = { title: 'Website', contactId, currency: 'EUR', items, discount: '5', message: 'Hello.' }
    const preview = await caller.call('POST', path, body)
    expect([preview.status, await rows()]).toEqual([200, before])
    const normal = (html: string): string =>
      html
        .replace(/<script type="module"[^>]*><\/script>/, '')
        .replace(/<noscript[^]*?<\/noscript\s*>/, '')
        .replace(/ data-view="[^"]*"/, '')
        .replace(/\/p\/[\w-]{60,}|\/p\/preview/g, '')
        .replace(/[0-9a-f]{64}/g, '')
        // The database orders these names in its own way.
        .replace(/"quantityRange":\{[^}]*\}/g, '')
        .replace(/<div>\s*<dt>Number<\/dt>[^]*?<\/div>/, '')
        .replace(/\s+/g, ' ')
    const { html } = await page.get(sent.url)
    expect(normal(preview.body.html)).toBe(normal(html))
    expect(preview.body.html).not.toMatch(/<script(?! type="application\/json")/)
  })

  it('takes an incomplete proposal, and details of the organization that are not saved', async () => {
    const caller = await organization()
    const empty = await caller.call('POST', path, {})
    expect([empty.status, empty.body.html.includes('0.00')]).toEqual([200, true])
    const seller = {
      legalName: 'Räder <b> GmbH',
      address: 'Ring 1',
      taxId: 'DE1',
      color: '#ffff00',
      language: 'de',
      timeZone: 'Asia/Tokyo',
    }
    const { html } = (await caller.call('POST', path, { totalAmount: '5', currency: 'EUR', organization: seller })).body
    for (const text of ['lang="de"', 'Räder &lt;b&gt; GmbH', 'Ring 1', 'DE1', '5,00\u00A0€', '?accent=']) expect(html).toContain(text)
    expect(html).not.toContain('accent=ffff00')
    expect((await caller.call('GET', '/v1/organization')).body).toMatchObject({ legalName: null, language: 'en' })
    const cleared = (await caller.call('POST', path, { organization: { legalName: null, color: null } })).body.html
    expect(cleared).not.toContain('accent=')
  })

  it('refuses what a draft refuses, and contacts of others', async () => {
    const [caller, other] = [await organization(), await organization()]
    const contactId = (await other.call('POST', '/v1/contacts', { firstName: 'Ada', lastName: 'L' })).body.id
    const refused = [
      [{ contactId }, 'contactId'],
      [{ items: [{ description: 'x', unitPrice: 'x' }] }, 'items.0.unitPrice'],
      [{ items: [{ description: 'x', unitPrice: '1' }], discount: '2' }, 'discount'],
      [{ expiresAt: '2001-01-01T00:00:00Z' }, 'expiresAt'],
      [{ organization: { color: 'red' } }, 'organization.color'],
    ] as const
    for (const [body, field] of refused) {
      const answer = await caller.call('POST', path, body)
      expect([body, answer.status, answer.body.error.field]).toEqual([body, 422, field])
    }
    const reader = await organization({ scopes: ['proposals:read'] })
    expect((await reader.call('POST', path, {})).status).toBe(403)
  })
})
