import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { chromiumPath, dashboard, expectAccessible, expectNoFaults, expectNoSidewaysScroll, screenshot } from './browser.ts'

describe.skipIf(chromiumPath === undefined)('contacts', () => {
  const at = dashboard()
  const contacts = (): string => `/${at.slug}/contacts`
  const row = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

  test('creates the first contact; validation errors appear at their fields and keep the values', async () => {
    const page = await at.open(contacts())
    await page.getByText('No contacts yet').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'contacts-empty')
    await page.getByRole('button', { name: 'Create contact' }).first().click()
    const form = page.getByRole('dialog', { name: 'Create contact' })
    await form.getByLabel('First name').fill('Ada')
    await form.getByLabel('Phone').fill('12345')
    await form.getByLabel('Email').fill('ada@example')
    await form.getByRole('button', { name: 'Create contact' }).click()
    await form.getByText('must be an international number', { exact: false }).waitFor()
    await form.getByText('Must be an e-mail address', { exact: false }).waitFor()
    await screenshot(page, 'contacts-create-refused')
    await expectAccessible(page)
    await form.getByLabel('Phone').fill('+44 20 7946 0018')
    await form.getByLabel('Email').fill('ada@example.com')
    await form.getByLabel('Last name').fill('Lovelace')
    await form.getByRole('combobox', { name: 'Tags' }).fill('vip')
    await form.getByRole('combobox', { name: 'Tags' }).press('Enter')
    await form.getByRole('button', { name: 'Create contact' }).click()
    await form.waitFor({ state: 'hidden' })
    await row(page, 'Ada Lovelace').waitFor()
    await page.getByText('1 contact', { exact: true }).waitFor()
    expectNoFaults(page)
    await page.context().close()
  })

  test('searches while typing, and keeps the filters in the URL', async () => {
    await at.api.contacts.create({ firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com', tags: ['vip', 'navy'] })
    await at.api.contacts.create({ firstName: 'Edsger', lastName: 'Dijkstra', email: 'edsger@example.com' })
    const page = await at.open(contacts())
    await row(page, 'Edsger Dijkstra').waitFor()
    await page.getByRole('searchbox', { name: 'Search contacts' }).fill('hopper')
    await row(page, 'Edsger Dijkstra').waitFor({ state: 'hidden' })
    await row(page, 'Grace Hopper').waitFor()
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('hopper')
    await page.reload()
    await row(page, 'Grace Hopper').waitFor()
    await expect.poll(() => page.getByRole('searchbox', { name: 'Search contacts' }).inputValue()).toBe('hopper')
    await page.getByRole('searchbox', { name: 'Search contacts' }).fill('')
    await row(page, 'Edsger Dijkstra').waitFor()
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByRole('combobox', { name: 'Tags (match all)' }).fill('vip')
    await page.getByRole('combobox', { name: 'Tags (match all)' }).press('Enter')
    await row(page, 'Edsger Dijkstra').waitFor({ state: 'hidden' })
    await page.getByText('2 contacts', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('listbox').waitFor({ state: 'hidden' })
    await screenshot(page, 'contacts-filtered')
    await expectAccessible(page)
    await page.getByLabel('Created until').fill('2020-01-01')
    await page.getByText('No matching contacts').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await row(page, 'Edsger Dijkstra').waitFor()
    await expect.poll(() => new URL(page.url()).search).toBe('')
    expectNoFaults(page)
    await page.context().close()
  })

  test('edits a field inline: Enter saves, Escape cancels, and a validation error keeps the typed text', async () => {
    const { id } = await at.api.contacts.create({ firstName: 'Alan', lastName: 'Turing', email: 'alan@example.com' })
    const page = await at.open(`${contacts()}/${id}`)
    await page.getByRole('heading', { level: 1, name: 'Alan Turing' }).waitFor()
    await page.getByRole('button', { name: 'Edit Last name: Turing' }).click()
    await page.getByRole('textbox', { name: 'Last name' }).fill('Mathison Turing')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Alan Mathison Turing' }).waitFor()
    await expect.poll(async () => (await at.api.contacts.get(id)).lastName).toBe('Mathison Turing')
    await page.getByRole('button', { name: 'Edit Email: alan@example.com' }).click()
    await page.getByRole('textbox', { name: 'Email' }).fill('nobody@example.com')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Edit Email: alan@example.com' }).click()
    await page.getByRole('textbox', { name: 'Email' }).fill('nobody')
    await page.keyboard.press('Enter')
    await page.getByText('Must be an e-mail address', { exact: false }).waitFor()
    await expect.poll(() => page.getByRole('textbox', { name: 'Email' }).inputValue()).toBe('nobody')
    await expectAccessible(page)
    await screenshot(page, 'contact-field-refused')
    await page.getByRole('button', { name: 'Cancel: Email' }).click()
    await page.getByRole('combobox', { name: 'Tags' }).fill('math')
    await page.getByRole('combobox', { name: 'Tags' }).press('Enter')
    await page.getByText('Updated: Tags').waitFor()
    await page.getByText('Updated: Last name').waitFor()
    await expect.poll(async () => (await at.api.contacts.get(id)).tags).toEqual(['math'])
    await expectAccessible(page)
    await screenshot(page, 'contact')
    expectNoFaults(page)
    await page.context().close()
  })

  test('warns before it replaces a change that another user made to the same field', async () => {
    const { id } = await at.api.contacts.create({ firstName: 'Katherine', lastName: 'Johnson', phone: '+4930123456' })
    const page = await at.open(`${contacts()}/${id}`)
    await page.getByRole('button', { name: 'Edit Phone: +4930123456' }).click()
    await at.api.contacts.update(id, { phone: '+4930999999', source: 'fair' })
    await page.getByRole('textbox', { name: 'Phone' }).fill('+4930111111')
    await page.keyboard.press('Enter')
    await page.getByText('Someone else changed this to “+4930999999”', { exact: false }).waitFor()
    await expect.poll(() => page.getByRole('textbox', { name: 'Phone' }).inputValue()).toBe('+4930111111')
    expect((await at.api.contacts.get(id)).phone).toBe('+4930999999')
    await screenshot(page, 'contact-changed-meanwhile')
    await page.getByRole('button', { name: 'Save: Phone' }).click()
    await page.getByRole('button', { name: 'Edit Phone: +4930111111' }).waitFor()
    await expect.poll(async () => (await at.api.contacts.get(id)).phone).toBe('+4930111111')
    expect((await at.api.contacts.get(id)).source).toBe('fair')
    expectNoFaults(page)
    await page.context().close()
  })

  test('restores a deleted contact with Undo', async () => {
    const { id } = await at.api.contacts.create({ firstName: 'Barbara', lastName: 'Liskov', email: 'barbara@example.com' })
    const page = await at.open(`${contacts()}/${id}`)
    await page.getByRole('button', { name: 'Delete contact' }).click()
    await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor()
    await row(page, 'Barbara Liskov').waitFor({ state: 'hidden' })
    const stored = (): Promise<string | null> =>
      at.api.contacts.get(id).then(
        ({ firstName }) => firstName,
        (error: unknown) => String(error),
      )
    await expect.poll(stored).toContain('no such contact')
    await screenshot(page, 'contact-undo')
    await page.getByRole('button', { name: 'Undo' }).click()
    await row(page, 'Barbara Liskov').waitFor()
    await expect.poll(stored).toBe('Barbara')
    expectNoFaults(page)
    await page.context().close()
  })

  test('scrolls 10,000 contacts and renders only those in view', { timeout: 600_000 }, async () => {
    const page = await at.open(contacts())
    await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor()
    const [sample] = (await at.api.contacts.list({ limit: 1 }).page()).data
    // The test measures the page only: creating 10,000 contacts one by one would take minutes.
    await page.route('**/v1/contacts?*', (route) => route.fulfill(pageOfMany(new URL(route.request().url()), { ...sample })))
    await page.reload()
    await page.getByText('10,000 contacts', { exact: true }).waitFor()
    await page.evaluate(observeLongTasks)
    const last = row(page, 'Person 10000')
    while ((await last.count()) === 0) {
      await page.mouse.wheel(0, 4_000)
      await page.evaluate('new Promise(requestAnimationFrame)')
    }
    expect(await page.getByRole('row').count()).toBeLessThan(100)
    const longTasks = await page.evaluate<number[]>('globalThis.longTasks')
    console.log(`tasks over 50 ms while 10,000 contacts were scrolled: ${JSON.stringify(longTasks.map(Math.round))}`)
    await at.api.contacts.create({ firstName: 'New', lastName: 'Comer' })
    await page.evaluate('scrollTo(0, 0)')
    await row(page, 'New Comer').waitFor()
    await page.getByText('10,001 contacts', { exact: true }).waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await row(page, 'New Comer').waitFor()
    await expectNoSidewaysScroll(page)
    await screenshot(page, 'contacts')
    expectNoFaults(page)
    await page.context().close()
  })
})

/** Returns a page of a list of 10,000 contacts in the format of the API. @param sample a contact from the API */
function pageOfMany(url: URL, sample: object): { json: object[]; headers: Record<string, string> } {
  const [many, size] = [10_000, Number(url.searchParams.get('limit'))]
  const start = Number(url.searchParams.get('cursor') ?? 0)
  const json = Array.from({ length: Math.min(size, many - start) }, (_, index) => {
    const place = start + index + 1
    const made = { id: `ctc_0197a2c4-9c1e-7b52-8f0e-${String(many - place).padStart(12, '0')}`, createdAt: '2026-01-01T00:00:00.000Z' }
    return { ...sample, ...made, firstName: 'Person', lastName: String(place), email: `person.${place}@example.com`, tags: ['many', 'vip'] }
  })
  return { json, headers: { 'x-total-count': String(many), ...(start + size < many && { 'x-next-cursor': String(start + size) }) } }
}

const observeLongTasks = `globalThis.longTasks = []; new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) globalThis.longTasks.push(duration)
}).observe({ type: 'longtask' })`
