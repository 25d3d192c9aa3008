import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  activate,
  chooseItem,
  chromiumPath,
  expectAccessible,
  expectNoFaults,
  expectNoSidewaysScroll,
  gate,
  screenshot,
  sharedDashboard,
  tabTo,
} from './browser.ts'

describe.skipIf(chromiumPath === undefined)('bulk changes and exports of contacts', () => {
  const at = sharedDashboard()
  const contacts = (): string => `/${at.slug}/contacts`
  const selection = (page: Page) => page.getByRole('region', { name: 'Selected contacts' })
  const more = (page: Page) => selection(page).getByRole('button', { name: 'More actions for the selection' })
  const ids: string[] = []

  beforeAll(async () => {
    if (chromiumPath === undefined) return
    for (const firstName of ['Ada', 'Grace', 'Edsger']) {
      const tags = firstName === 'Edsger' ? [] : ['vip']
      ids.push((await at.api.contacts.create({ firstName, lastName: 'Tester', jobTitle: 'Cook', tags })).id)
    }
  })

  /** Selects Ada and Grace with the keyboard. */
  const selectTwo = async (page: Page): Promise<void> => {
    await page.getByRole('link', { name: 'Ada Tester' }).waitFor()
    for (const name of ['Grace', 'Ada']) {
      await tabTo(page, page.getByRole('checkbox', { name: `Select: ${name} Tester` }))
      await page.keyboard.press('Space')
    }
    await selection(page).getByText('2 selected').waitFor()
  }
  /** Opens a list and chooses the option that begins with the text. */
  const choose = async (page: Page, field: Locator, text: string): Promise<void> => {
    await tabTo(page, field)
    await page.keyboard.press('ArrowDown')
    const option = page.getByRole('option', { name: text, exact: true })
    const isChosen = async (): Promise<boolean> => {
      if ((await option.and(page.locator('[data-combobox-selected]')).count()) > 0) return true
      await page.keyboard.press('ArrowDown')
      return false
    }
    await option.waitFor()
    await expect.poll(isChosen).toBe(true)
    await page.keyboard.press('Enter')
    await option.waitFor({ state: 'hidden' })
  }

  test('by keyboard at 360 px: records a consent and sets fields of the selection from a menu, after a count', async () => {
    const page = await at.open(contacts())
    await page.setViewportSize({ width: 360, height: 740 })
    await selectTwo(page)
    // The link to the duplicates fits into the line too.
    const [guide, create] = [page.getByRole('link', { name: 'Guide' }), page.getByRole('button', { name: 'Create contact' })]
    const [first, last] = [await guide.boundingBox(), await create.boundingBox()]
    expect(Math.abs((first?.y ?? 0) - (last?.y ?? 360))).toBeLessThan(10)
    expect((last?.x ?? 360) + 36 + 46).toBeLessThan(360 - 16)
    expect(await selection(page).getByRole('button', { name: 'Add tags' }).count()).toBe(0)
    await expectNoSidewaysScroll(page)
    await screenshot(page, 'contacts-selection')
    await activate(page, more(page))
    await page.locator('[role=menu]:focus-within').waitFor()
    await expectAccessible(page)
    await chooseItem(page, 'Record consent')
    const dialog = page.getByRole('dialog', { name: 'Record consent' })
    await choose(page, dialog.getByRole('combobox', { name: 'Channel' }), 'SMS')
    await choose(page, dialog.getByRole('combobox', { name: 'Status' }), 'Denied')
    await tabTo(page, dialog.getByRole('textbox', { name: 'Source' }))
    await page.keyboard.type('letter')
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await screenshot(page, 'contacts-bulk-consent')
    await activate(page, dialog.getByRole('button', { name: 'Preview change' }))
    await dialog.getByText('2 contacts will change.').waitFor()
    expect((await at.api.contacts.get(ids[0] ?? '')).consent?.sms).toBe('unknown')
    await activate(page, dialog.getByRole('button', { name: 'Change 2 contacts' }))
    await page.getByText('2 contacts were changed.').waitFor()
    const consents = () => Promise.all(ids.map(async (id) => (await at.api.contacts.consent.get(id)).sms))
    expect(await consents()).toMatchObject([{ state: 'denied', source: 'letter' }, { state: 'denied', source: 'letter' }, null])

    await selectTwo(page)
    await activate(page, more(page))
    await chooseItem(page, 'Set field')
    const set = page.getByRole('dialog', { name: 'Set field' })
    await choose(page, set.getByRole('combobox', { name: 'Field' }), 'Job title')
    await tabTo(page, set.getByRole('textbox', { name: 'Job title' }))
    await page.keyboard.type('Head of purchasing')
    await expectAccessible(page)
    await screenshot(page, 'contacts-bulk-set')
    await page.keyboard.press('Enter')
    await set.getByText('2 contacts will change.').waitFor()
    await activate(page, set.getByRole('button', { name: 'Change 2 contacts' }))
    const titles = () => Promise.all(ids.map(async (id) => (await at.api.contacts.get(id)).jobTitle))
    await expect.poll(titles).toEqual(['Head of purchasing', 'Head of purchasing', 'Cook'])
    await selection(page).waitFor({ state: 'hidden' })
    await selectTwo(page)
    await activate(page, more(page))
    await chooseItem(page, 'Set field')
    await page.getByRole('dialog', { name: 'Set field' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await set.waitFor({ state: 'hidden' })
    await expect.poll(() => more(page).and(page.locator(':focus')).count()).toBe(1)
    expectNoFaults(page)
  })

  test('sets a company, an address and a custom field, clears a field, and says which value is refused', async () => {
    const company = await at.api.companies.create({ name: 'Navy Yard' })
    const number = await at.api.customFields.create({ entity: 'contact', name: 'Budget', type: 'number' })
    const page = await at.open(contacts())
    const apply = async (field: string, enter: (dialog: Locator) => Promise<void>): Promise<Locator> => {
      await selectTwo(page)
      await selection(page).getByRole('button', { name: 'Set field' }).click()
      const dialog = page.getByRole('dialog', { name: 'Set field' })
      await dialog.getByRole('combobox', { name: 'Field' }).click()
      await page.getByRole('option', { name: field, exact: true }).click()
      await enter(dialog)
      await dialog.getByRole('button', { name: 'Preview change' }).click()
      return dialog
    }
    const confirm = async (dialog: Locator): Promise<void> => {
      await dialog.getByRole('button', { name: 'Change 2 contacts' }).click()
      await selection(page).waitFor({ state: 'hidden' })
    }
    await confirm(
      await apply('Company', async (dialog) => {
        await dialog.getByRole('combobox', { name: 'Company' }).fill('navy')
        await page.getByRole('option', { name: 'Navy Yard' }).click()
      }),
    )
    await confirm(
      await apply('Address', async (dialog) => {
        await dialog.getByRole('textbox', { name: 'City' }).fill('London')
        await screenshot(page, 'contacts-bulk-address')
        await expectAccessible(page)
      }),
    )
    const refused = await apply('Budget', (dialog) => dialog.getByRole('textbox', { name: 'Budget' }).fill('much'))
    await refused.getByRole('alert').getByText('This value does not match the field type.').waitFor()
    await refused.getByRole('textbox', { name: 'Budget' }).fill('12.50')
    await refused.getByRole('button', { name: 'Preview change' }).click()
    await confirm(refused)
    await confirm(await apply('Job title', (dialog) => dialog.getByRole('checkbox', { name: 'Remove the current value' }).check()))
    expect(await Promise.all(ids.map((id) => at.api.contacts.get(id)))).toMatchObject([
      ...Array.from({ length: 2 }, () => ({
        companyId: company.id,
        address: { city: 'London' },
        customFields: { [number.id]: 12.5 },
        jobTitle: null,
      })),
      { companyId: null, address: null, customFields: {}, jobTitle: 'Cook' },
    ])
    expectNoFaults(page)
  })

  /** Exports in the open dialog. Returns the file. */
  const exported = async (page: Page): Promise<{ name: string; bytes: Buffer }> => {
    const download = page.waitForEvent('download')
    await activate(page, page.getByRole('dialog').getByRole('button', { name: 'Export contacts' }))
    const file = await download
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) }
  }
  const chooseFormat = (page: Page, format: string) =>
    choose(page, page.getByRole('dialog').getByRole('combobox', { name: 'Format' }), format)

  test('by keyboard: exports the filter as CSV with progress, a search as JSON Lines, and the selection as XLSX', async () => {
    const page = await at.open(`${contacts()}?tag=vip`)
    const button = page.getByRole('button', { name: 'Export contacts' })
    await activate(page, button)
    const dialog = page.getByRole('dialog', { name: 'Export contacts' })
    await dialog.getByText('2 contacts will be exported', { exact: false }).waitFor()
    const held = await gate(page, '**/v1/contact-exports')
    const download = page.waitForEvent('download')
    await activate(page, dialog.getByRole('button', { name: 'Export contacts' }))
    await dialog.getByRole('status').filter({ hasText: 'Exporting contacts…' }).waitFor()
    await dialog.getByText('0 bytes received').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'contacts-exporting')
    held.open()
    const csv = await readFile(await (await download).path(), 'utf8')
    expect(csv.startsWith('\ufeffgroundworkId,externalId,firstName')).toBe(true)
    expect(ids.map((id) => csv.includes(id))).toEqual([true, true, false])
    await page.getByText('The export was downloaded.').waitFor()
    await page.unrouteAll({ behavior: 'wait' })

    await page.goto(`/app${contacts()}?q=edsger`)
    await page.getByRole('link', { name: 'Edsger Tester' }).waitFor()
    await page.setViewportSize({ width: 360, height: 740 })
    await expectNoSidewaysScroll(page)
    await activate(page, button)
    await dialog.getByText('1 contact will be exported', { exact: false }).waitFor()
    await chooseFormat(page, 'JSON Lines')
    await expectAccessible(page)
    await screenshot(page, 'contacts-export')
    const request = page.waitForRequest('**/v1/contact-exports')
    const lines = await exported(page)
    // A search of any size can be exported: it is sent as its text.
    expect((await request).postDataJSON()).toEqual({ q: 'edsger', format: 'jsonl', bom: false })
    expect(lines.name).toBe('contacts.jsonl')
    expect(
      lines.bytes
        .toString()
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { id: string }).id),
    ).toEqual([ids[2]])

    await page.goto(`/app${contacts()}`)
    await selectTwo(page)
    await activate(page, more(page))
    await chooseItem(page, 'Export contacts')
    await dialog.getByText('2 contacts will be exported', { exact: false }).waitFor()
    await chooseFormat(page, 'Excel (XLSX)')
    const workbook = await exported(page)
    expect(workbook.name).toBe('contacts.xlsx')
    expect(workbook.bytes.subarray(0, 2).toString()).toBe('PK')
    expectNoFaults(page)
  })

  test('ends an export when its dialog is closed, and says that one has failed', async () => {
    const page = await at.open(contacts())
    await page.getByRole('link', { name: 'Ada Tester' }).waitFor()
    const dialog = page.getByRole('dialog', { name: 'Export contacts' })
    const start = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Export contacts' }).first().click()
      await dialog.getByRole('button', { name: 'Export contacts' }).click()
    }
    const held = await gate(page, '**/v1/contact-exports')
    const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/v1/contact-exports'))
    await start()
    await dialog.getByText('Exporting contacts…').first().waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await ended
    held.open()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    const error = { code: 'validation_error', message: 'filter.key: raw text', requestId: 'req_x' }
    await page.route('**/v1/contact-exports', (route) => route.fulfill({ status: 422, json: { error } }))
    await start()
    await dialog.getByRole('alert').getByText('The list cannot be shown with these filters', { exact: false }).waitFor()
    expect(await page.getByText('raw text').count()).toBe(0)
    expectNoFaults(page)
  })
})
