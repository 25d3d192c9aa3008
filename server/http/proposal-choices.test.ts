import { describe, expect, it } from 'vitest'
import { liveTotals, totalMark } from '../proposals/page/live-totals.ts'
import { testApp } from '../testing/app.ts'
import { pageClient, sendProposalTo } from '../testing/proposal-page.ts'

const { app, organization } = await testApp()
const page = pageClient(app)

const items = [
  { description: 'Bicycle', unitPrice: '50', quantity: '2', quantityRange: { min: '1', max: '6' } },
  { description: 'Basic insurance', unitPrice: '5', group: 'Insurance', preselected: true },
  { description: 'Full insurance', unitPrice: '12', group: 'Insurance' },
  { description: 'Trailer', unitPrice: '30', optional: true, taxRate: '19' },
]
const fullInsurance = { choices: 'yes', 'group-1': '2', 'quantity-0': '3', line: '3' }

async function sent(fields: object = { items }) {
  const caller = await organization()
  const proposal = await sendProposalTo(caller, { totalAmount: undefined, ...fields })
  return { proposal, record: async () => (await caller.call('GET', `/v1/proposals/${proposal.id}`)).body, ...caller }
}

describe('the page of a proposal with choices', () => {
  it('has an input for each line that can be chosen or changed', async () => {
    const { proposal } = await sent()
    const { html } = await page.get(proposal.url)
    const inputs = [...html.matchAll(/<input\s[^>]*form="acceptance"[^>]*>/g)].map(([input]) => input.replace(/\s+/g, ' '))
    expect(inputs.map((input) => [/type="(\w+)"/.exec(input)?.[1], /name="([\w-]+)"/.exec(input)?.[1], / checked/.test(input)])).toEqual([
      ['number', 'quantity-0', false],
      ['radio', 'group-1', true],
      ['radio', 'group-1', false],
      ['checkbox', 'line', false],
    ])
    expect(html).toContain('for a total of €105.00')
  })

  it('shows the total of other choices and changes nothing', async () => {
    const { proposal, record } = await sent()
    const before = await record()
    const { status, html } = await page.post(proposal.url, 'choose', { ...fullInsurance, name: 'Ada' })
    expect([status, await record()]).toEqual([200, before])
    // 150.00 + 12.00 + 30.00, and 19 % of the trailer.
    expect(html).toContain('for a total of €197.70')
    expect(html).toContain('name="total" value="197.70"')
    expect(html).toContain('value="Ada"')
    expect(html).toContain(`name="contentHash" value="${proposal.contentHash}"`)
  })

  it('gives its script what calculates and writes the figures of the server', async () => {
    const fields = {
      discountPercent: '10',
      currency: 'EUR',
      items: [{ ...items[0], taxes: [{ name: '{rate} <b>', rate: '7.5' }] }, ...items.slice(1)],
    }
    const { proposal, call } = await sent(fields)
    for (const language of ['en', 'de', 'fr', 'es']) {
      await call('PATCH', '/v1/organization', { language })
      const offer = JSON.parse(/<script type="application\/json" id="offer">([^<]*)</.exec((await page.get(proposal.url)).html)?.[1] ?? '')
      for (const choices of [
        { choices: 'yes', 'group-1': '1' },
        fullInsurance,
        { ...fullInsurance, 'quantity-0': '6' },
        { choices: 'yes' },
      ]) {
        const form = new URLSearchParams(Object.entries(choices))
        const shown = liveTotals(offer, form)
        const { html } = await page.post(proposal.url, 'choose', choices)
        expect(/<dl class="totals">\s*([^]*?)\s*<\/dl>/.exec(html)?.[1]).toBe(shown?.rows.trim())
        expect(html).toContain(`name="total" value="${shown?.totalAmount}"`)
        expect(html).toContain(`<span>${offer.consent.replace(totalMark, shown?.total)}</span>`)
        for (const { details, amount } of shown?.lines ?? []) {
          expect(html).toContain(`dir="auto">${details.replace('<b>', '&lt;b&gt;')}</p>`)
          expect(html).toContain(`<p class="amount">${amount}</p>`)
        }
      }
      for (const quantity of ['7', '1.5', ''])
        expect(liveTotals(offer, new URLSearchParams({ choices: 'yes', 'quantity-0': quantity }))).toBeUndefined()
    }
  })

  it('accepts the choices whose total was shown', async () => {
    const { proposal, record, call } = await sent()
    const stale = await page.accept(proposal, { ...fullInsurance, total: '105.00' })
    expect([stale.status, (await record()).status]).toEqual([422, 'pending'])
    expect(stale.html).toContain('Your choices change the total.')
    expect(stale.html).toContain('name="total" value="197.70"')
    expect((await page.accept(proposal, { ...fullInsurance, total: '197.70' })).status).toBe(303)
    const completed = await record()
    expect(completed).toMatchObject({ status: 'completed', subtotal: '192.00', taxTotal: '5.70', totalAmount: '197.70' })
    expect(completed.items.map((item: Record<string, unknown>) => [item['quantity'], item['preselected']])).toEqual([
      ['3', false],
      ['1', false],
      ['1', true],
      ['1', true],
    ])
    const { certificate } = (await call('GET', `/v1/proposals/${proposal.id}/certificate`)).body
    expect([certificate.contentHash, certificate.content.totalAmount]).toEqual([completed.contentHash, '197.70'])
    expect((await page.get(proposal.url)).html).toContain('€197.70')
  })

  it('accepts without choices the content that was sent', async () => {
    const { proposal, record } = await sent()
    expect((await page.accept(proposal)).status).toBe(303)
    expect(await record()).toMatchObject({ status: 'completed', totalAmount: '105.00', contentHash: proposal.contentHash })
  })

  it('refuses nothing chosen, choices that are not offered, and totals of other choices', async () => {
    const { proposal, record } = await sent({ items: [{ description: 'x', unitPrice: '1', optional: true }] })
    for (const choices of [{}, { choices: 'yes' }, { choices: 'yes', line: '7' }, { choices: 'yes', line: '0', 'quantity-0': '2' }]) {
      const { status, html } = await page.accept(proposal, { total: '0.00', ...choices })
      const message = 'line' in choices ? 'Choose one item of each group, and quantities within their limits.' : 'Choose at least one item.'
      expect([status, html.includes(message)]).toEqual([422, true])
    }
    expect((await page.accept(proposal, { choices: 'yes', line: '0', total: '0.00' })).status).toBe(422)
    expect((await page.post(proposal.url, 'choose', { choices: 'yes', line: '7' })).status).toBe(422)
    expect((await record()).status).toBe('pending')
    expect((await page.accept(proposal, { choices: 'yes', line: '0', total: '1.00' })).status).toBe(303)
    expect((await page.post(proposal.url, 'choose', { choices: 'yes', line: '7' })).status).toBe(200)
    expect((await record()).totalAmount).toBe('1.00')
  })
})
