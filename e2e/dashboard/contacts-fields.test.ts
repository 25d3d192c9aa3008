import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import {
  activate,
  chromiumPath,
  expectAccessible,
  expectNoFaults,
  expectNoSidewaysScroll,
  screenshot,
  sharedDashboard,
  tabTo,
  widthsWith,
} from './browser.ts'

describe.skipIf(chromiumPath === undefined)('fields of a contact', () => {
  const at = sharedDashboard()

  /** Finds an option by typing and chooses it. */
  const pick = async (page: Page, name: string, typed: string, option = typed): Promise<void> => {
    await tabTo(page, page.getByRole('combobox', { name, exact: true }))
    await page.keyboard.type(typed)
    await page.getByRole('option', { name: option, exact: true }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
  }

  test.each(widthsWith(1280))('edits every field by keyboard at %i px, shows its origin, and restores a former value', async (width) => {
    const field = (name: string, more: object) =>
      at.api.customFields.create({ entity: 'contact', name: `${name} ${width}`, type: 'text', ...more })
    const size = await field('Size', {
      type: 'select',
      options: [
        { value: 's', label: 'Small' },
        { value: 'l', label: 'Large' },
      ],
    })
    const visits = await field('Visits', { type: 'number' })
    const { id } = await at.api.contacts.create({ firstName: 'Grace', lastName: `Hopper ${width}`, email: `grace.${width}@example.com` })
    await at.api.contacts.update(id, { jobTitle: 'Programmer', provenance: { how: 'heard', reference: 'call-8f2c' } })
    const page = await at.open(`/${at.slug}/contacts/${id}`)
    await page.setViewportSize({ width, height: 800 })
    const saved = () => at.api.contacts.get(id)

    const origin = page.getByRole('button', { name: /^History of Job title: Heard by / })
    await tabTo(page, origin)
    await page.getByRole('tooltip', { name: /^Heard by / }).waitFor()
    await screenshot(page, 'contact-origin')
    await activate(page, page.getByRole('button', { name: 'Edit Job title: Programmer' }))
    await page.keyboard.type('Rear admiral')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await saved()).jobTitle).toBe('Rear admiral')
    await pick(page, 'Company', `Navy ${width}`, `Create “Navy ${width}”`)
    await expect.poll(async () => (await saved()).companyId).toMatch(/^co_/)

    await activate(page, page.getByRole('button', { name: 'Edit all emails' }))
    const emails = page.getByRole('dialog', { name: 'Edit all emails' })
    await tabTo(page, emails.getByLabel('Label for Main email'))
    await page.keyboard.type('work')
    await activate(page, emails.getByRole('button', { name: 'Add email' }))
    await tabTo(page, emails.getByLabel('Email 2', { exact: true }))
    await page.keyboard.type('nobody')
    await activate(page, emails.getByRole('button', { name: 'Save' }))
    await emails.getByText('Enter a valid email address, such as name@example.com.').waitFor()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await screenshot(page, 'contact-emails')
    await tabTo(page, emails.getByLabel('Email 2', { exact: true }))
    await page.keyboard.press('Control+A')
    await page.keyboard.type(`home.${width}@example.com`)
    await page.keyboard.press('Enter')
    await emails.waitFor({ state: 'hidden' })
    expect((await saved()).emails).toMatchObject([{ label: 'work' }, { value: `home.${width}@example.com`, label: null }])

    await activate(page, page.getByRole('button', { name: 'Edit Address: empty' }))
    const address = page.getByRole('dialog', { name: 'Address' })
    await tabTo(page, address.getByLabel('City'))
    await page.keyboard.type('Arlington')
    await pick(page, 'Country', 'United States')
    await activate(page, address.getByRole('button', { name: 'Save' }))
    await page.getByRole('button', { name: 'Edit Address: Arlington, United States' }).waitFor()

    await pick(page, 'Language', 'Spanish')
    await expect.poll(async () => (await saved()).language).toBe('es')
    await pick(page, 'Time zone', 'America/Chicago')
    await expect.poll(async () => (await saved()).timeZone).toBe('America/Chicago')
    await pick(page, 'Owner', 'Olivia Owner')
    await expect.poll(async () => (await saved()).ownerId).toMatch(/^usr_/)
    await pick(page, size.name, 'Large')
    await expect.poll(async () => (await saved()).customFields[size.id]).toBe('l')
    const number = page.getByRole('textbox', { name: visits.name })
    await tabTo(page, number)
    await page.keyboard.type('many')
    await page.keyboard.press('Enter')
    await expect.poll(() => number.getAttribute('aria-invalid')).toBe('true')
    expect(await number.inputValue()).toBe('many')
    await page.keyboard.press('Control+A')
    await page.keyboard.type('12')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await saved()).customFields[visits.id]).toBe(12)
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await page.evaluate('window.scrollTo(0, 0)')
    await screenshot(page, 'contact-fields')

    await activate(page, page.getByRole('button', { name: /^History of Job title: Entered by Olivia Owner/ }))
    const history = page.getByRole('dialog', { name: 'History of Job title' })
    await history.getByText('Programmer → Rear admiral').waitFor()
    await history.getByText('(call-8f2c)', { exact: false }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'contact-history')
    await activate(page, history.getByRole('button', { name: 'Restore previous value' }))
    await page.getByRole('button', { name: 'Edit Job title: Programmer' }).waitFor()
    expect((await saved()).jobTitle).toBe('Programmer')
    await page.getByRole('button', { name: /^History of Job title: Reverted by Olivia Owner/ }).waitFor()
    expectNoFaults(page)
    await page.context().close()
  })
})
