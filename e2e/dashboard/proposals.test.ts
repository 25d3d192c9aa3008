import { describe, expect, test } from 'vitest'
import { chromiumPath, dashboard, expectAccessible, expectNoFaults, expectNoSidewaysScroll, screenshot, tabTo } from './browser.ts'
import { owner } from './signed-in.ts'

describe.skipIf(chromiumPath === undefined)('proposals', () => {
  const at = dashboard()
  const proposals = (): string => `/${at.slug}/proposals`
  const ada = () => at.api.contacts.create({ firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' })

  test('creates and sends a proposal with line items; the total matches the server', async () => {
    await ada()
    const page = await at.open(proposals())
    await page.getByText('No proposals yet').waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Create proposal' }).first().click()
    await page.getByRole('button', { name: 'Send proposal' }).click()
    await page.getByText('This field is required.').first().waitFor()
    await page.getByLabel('Title').fill('Three days of bicycles')
    await page.getByRole('combobox', { name: 'Contact' }).fill('lovel')
    await page.getByRole('option', { name: 'Ada Lovelace' }).click()
    await page.getByRole('combobox', { name: 'Currency' }).fill('EUR')
    await page.getByRole('option', { name: 'EUR' }).click()
    const first = page.getByRole('group', { name: 'Line item 1' })
    await first.getByLabel('Description').fill('Bicycle, a day')
    await first.getByLabel('Quantity').fill('3')
    await first.getByLabel('Unit price').fill('33.33')
    await first.getByLabel('Tax (%)').fill('7.7')
    await page.getByRole('button', { name: 'Add line item' }).click()
    const second = page.getByRole('group', { name: 'Line item 2' })
    await second.getByLabel('Description').fill('Helmet')
    await second.getByLabel('Unit price').fill('1.0000005')
    await page.getByRole('status').getByText('Incomplete').waitFor()
    await page.getByRole('button', { name: 'Send proposal' }).click()
    await second.getByText('must be a decimal with at most 6 decimals', { exact: false }).waitFor()
    await screenshot(page, 'proposal-refused')
    await expectAccessible(page)
    await second.getByLabel('Unit price').fill('1000000000.10')
    await page.getByRole('status').getByText('€1,000,000,107.79').waitFor()
    await page.getByRole('button', { name: 'Send proposal' }).click()
    await page.getByRole('heading', { level: 1, name: 'Three days of bicycles' }).waitFor()
    const [sent] = (await at.api.proposals.list().page()).data
    expect(sent).toMatchObject({ totalAmount: '1000000107.79', currency: 'EUR', status: 'pending' })
    await page.getByRole('region', { name: 'Activity' }).getByText('Sent', { exact: true }).waitFor()
    const recipients = page.getByRole('region', { name: 'Recipients' })
    await recipients.getByText('Not opened').waitFor()
    expect(await recipients.getByRole('link', { name: 'Open page' }).getAttribute('href')).toBe(`${sent?.url}?preview`)
    await page.getByRole('table', { name: 'Line items' }).getByText('€1,000,000,000.10').first().waitFor()
    await expect.poll(() => page.getByText('€1,000,000,107.79').count()).toBe(2)
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await screenshot(page, 'proposal')
    expectNoFaults(page)
    await page.context().close()
  })

  test('saves a draft with taxes with names, alternatives, a quantity for the client and prices with tax', async () => {
    const { id: contactId } = await ada()
    const page = await at.open(`${proposals()}/new?contact=${contactId}`)
    await page.getByLabel('Title').fill('A week with bicycles')
    await page.getByLabel('Prices include tax').check()
    const first = page.getByRole('group', { name: 'Line item 1' })
    await first.getByLabel('Description').fill('Bicycle')
    await first.getByLabel('Unit price').fill('114.975')
    await first.getByLabel('Tax name').fill('GST')
    await first.getByLabel('Tax (%)').fill('5')
    await first.getByRole('button', { name: 'Add tax' }).click()
    await first.getByLabel('Name of tax 2').fill('QST')
    await first.getByLabel('Tax 2 (%)').fill('9.975')
    await first.getByLabel('The client chooses how many').check()
    await first.getByRole('textbox', { name: 'To', exact: true }).fill('x')
    for (const number of [2, 3]) {
      await page.getByRole('button', { name: 'Add line item' }).click()
      const line = page.getByRole('group', { name: `Line item ${number}` })
      await line.getByLabel('Description').fill(`Insurance ${number}`)
      await line.getByLabel('Unit price').fill(String(number * 10))
      await line.getByLabel('Optional').check()
      await line.getByLabel('Alternatives').fill('Insurance')
    }
    await page.getByRole('group', { name: 'Line item 3' }).getByLabel('Preselected', { exact: false }).check()
    await page.getByLabel('Discount on the whole').fill('10%')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await first.getByText('must be a decimal with at most 3 decimals', { exact: false }).waitFor()
    await first.getByRole('textbox', { name: 'To', exact: true }).fill('6')
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await screenshot(page, 'proposal-editor')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('link', { name: 'Edit draft' }).waitFor()
    const id = /prp_[\w-]+/.exec(page.url())?.[0] ?? ''
    const saved = await at.api.proposals.get(id)
    expect(saved).toMatchObject({
      pricesIncludeTax: true,
      discountPercent: '10',
      totalAmount: '130.48',
      items: [
        {
          taxes: [
            { name: 'GST', rate: '5' },
            { name: 'QST', rate: '9.975' },
          ],
          quantityRange: { min: '1', max: '6', step: '1' },
        },
        { optional: true, group: 'Insurance', preselected: false },
        { optional: true, group: 'Insurance', preselected: true },
      ],
    })
    await page.getByRole('link', { name: 'Edit draft' }).click()
    await expect.poll(() => first.getByLabel('Name of tax 2').inputValue()).toBe('QST')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('link', { name: 'Edit draft' }).waitFor()
    expect(await at.api.proposals.get(id)).toMatchObject({ items: saved.items, contentHash: saved.contentHash })
    expectNoFaults(page)
    await page.context().close()
  })

  test('voids a sent proposal with a reason, using the keyboard', async () => {
    const { id: contactId } = await ada()
    const { id } = await at.api.proposals.create({ title: 'Old offer', contactId, totalAmount: '10', currency: 'USD' })
    const page = await at.open(`${proposals()}/${id}`)
    await tabTo(page, page.getByRole('button', { name: 'Void proposal' }))
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Void this proposal?' })
    await tabTo(page, dialog.getByRole('button', { name: 'Void proposal' }))
    await page.keyboard.press('Enter')
    await dialog.getByText('This field is required.').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'proposal-void')
    await tabTo(page, dialog.getByLabel('Reason'))
    await page.keyboard.type('The dates have changed')
    await tabTo(page, dialog.getByRole('button', { name: 'Void proposal' }))
    await page.keyboard.press('Enter')
    await page.getByText('Voided: The dates have changed').waitFor()
    const history = page.getByRole('region', { name: 'Activity' })
    await history.getByText(`by ${owner.name}`).waitFor()
    await expect.poll(() => history.getByText('by command line').count()).toBe(2)
    expect((await at.api.proposals.get(id)).status).toBe('voided')
    await page.getByRole('button', { name: 'Void proposal' }).waitFor({ state: 'hidden' })
    expectNoFaults(page)
    await page.context().close()
  })

  test('shows the answer of the recipient, views and signatures, and saves the PDF and the certificate', async () => {
    const { id: contactId } = await ada()
    const sent = await at.api.proposals.create({ title: 'A good offer', contactId, totalAmount: '10', currency: 'USD' })
    const declined = await at.api.proposals.create({ title: 'A bad offer', contactId, totalAmount: '10', currency: 'USD' })
    const answer = async ({ url, contentHash }: typeof sent, action: string, form: Record<string, string>): Promise<void> => {
      const address = new URL(`${new URL(url ?? '').pathname}/${action}`, at.program.url)
      const response = await fetch(address, { method: 'POST', body: new URLSearchParams({ contentHash, ...form }), redirect: 'manual' })
      expect(response.status).toBe(303)
    }
    const view = new URL(`${new URL(sent.url ?? '').pathname}/view`, at.program.url)
    const viewer = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari/604.1'
    for (const agent of [viewer, 'Slackbot-LinkExpanding 1.0']) {
      await fetch(view, { method: 'POST', headers: { 'user-agent': agent }, body: new URLSearchParams(), redirect: 'manual' })
    }
    await answer(sent, 'accept', { name: 'Ada Lovelace', consent: 'yes' })
    await answer(declined, 'decline', { reason: 'Too expensive' })
    const page = await at.open(`${proposals()}/${declined.id}`)
    await page.getByText('Declined: Too expensive').waitFor()
    await page.goto(`${at.program.url}/app${proposals()}/${sent.id}`)
    const recipients = page.getByRole('region', { name: 'Recipients' })
    await recipients.getByText('Accepted').first().waitFor()
    await recipients.getByText('No e-mail was sent.', { exact: false }).waitFor()
    for (const [name, file] of [
      ['Certificate', /\.json$/],
      ['PDF', /\.pdf$/],
    ] as const) {
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name }).click()
      expect((await download).suggestedFilename()).toMatch(file)
    }
    await page.getByRole('region', { name: 'Signatures' }).getByText('Typed signature', { exact: false }).waitFor()
    const views = page.getByRole('region', { name: 'Views' })
    await views.getByText('Safari, iOS').waitFor()
    await views.getByText('Programs').click()
    await views.getByText('Slackbot-LinkExpanding 1.0').waitFor()
    await page.getByRole('region', { name: 'Messages' }).getByText('Accepted: A good offer').first().waitFor()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await screenshot(page, 'proposal-accepted')
    expectNoFaults(page)
    await page.context().close()
  })

  test('saves a draft, detects a conflicting change, and deletes the draft', async () => {
    const { id: contactId } = await ada()
    const page = await at.open(`${proposals()}/new?contact=${contactId}`)
    await page.getByLabel('Title').fill('A draft')
    await page.getByText('Single total').click()
    await page.getByLabel('Total amount').fill('12.5')
    await page.getByLabel('Valid until').fill('2099-12-31')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('heading', { level: 1, name: 'A draft' }).waitFor()
    const id = /prp_[\w-]+/.exec(page.url())?.[0] ?? ''
    expect(await at.api.proposals.get(id)).toMatchObject({ status: 'draft', totalAmount: '12.50', contactId })
    await page.getByRole('link', { name: 'Edit draft' }).click()
    await page.getByLabel('Message').fill('Mine')
    await at.api.proposals.update(id, { message: 'Theirs' })
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('Someone else changed this draft', { exact: false }).waitFor()
    expect((await at.api.proposals.get(id)).message).toBe('Theirs')
    await screenshot(page, 'proposal-changed-meanwhile')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('heading', { level: 1, name: 'A draft' }).waitFor()
    await expect.poll(async () => (await at.api.proposals.get(id)).message).toBe('Mine')
    await page.getByRole('button', { name: 'Delete draft' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete draft' }).click()
    await page.getByRole('heading', { level: 1, name: 'Proposals' }).waitFor()
    await expect(at.api.proposals.get(id)).rejects.toThrow('no such proposal')
    expectNoFaults(page)
    await page.context().close()
  })

  test('filters proposals by status and search in the URL, and lists them on the page of their contact', async () => {
    const { id: contactId } = await at.api.contacts.create({ firstName: 'Grace', lastName: 'Hopper' })
    await at.api.proposals.create({ title: 'Kept back', contactId, totalAmount: '1', draft: true })
    const page = await at.open(proposals())
    await page.getByRole('link', { name: 'Kept back' }).waitFor()
    await page.getByRole('link', { name: 'Old offer' }).waitFor()
    await page.getByText('Draft', { exact: true }).first().click()
    await page.getByRole('link', { name: 'Old offer' }).waitFor({ state: 'hidden' })
    await expect.poll(() => new URL(page.url()).searchParams.get('status')).toBe('draft')
    await page.getByRole('link', { name: 'Grace Hopper' }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'proposals')
    await page.getByRole('searchbox').fill('nothing like it')
    await page.getByText('No matching proposals').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('link', { name: 'Old offer' }).waitFor()
    await page.getByRole('link', { name: 'Grace Hopper' }).click()
    await page.getByRole('heading', { level: 2, name: 'Proposals' }).waitFor()
    await page.getByRole('link', { name: 'Kept back' }).waitFor()
    await page.getByText('Proposal “Kept back” created').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'contact-with-proposals')
    expectNoFaults(page)
    await page.context().close()
  })
})
