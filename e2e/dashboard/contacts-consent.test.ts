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
} from './browser.ts'

describe.skipIf(chromiumPath === undefined)('consent of a contact', () => {
  const at = sharedDashboard()

  test('by keyboard: records the source and the wording of a consent, shows them with the time, and its history', async () => {
    const { id } = await at.api.contacts.create({ firstName: 'Hedy', lastName: 'Lamarr', email: 'hedy@example.com' })
    const granted = { channel: 'email', state: 'granted', at: '2020-03-04T10:00:00Z', source: 'fair', wording: 'Send me offers.' } as const
    await at.api.contacts.consent.create(id, granted)
    await at.api.contacts.bulk({ contactIds: [id], recordConsent: { channel: 'sms', state: 'denied' } })
    await expect.poll(async () => (await at.api.contacts.get(id)).consent?.sms).toBe('denied')
    const page = await at.open(`/${at.slug}/contacts/${id}`)
    const consent = page.getByRole('region', { name: 'Consent' })
    await consent.getByText(/^Mar 4, 2020, .*, fair$/).waitFor()
    await consent.getByText('“Send me offers.”').waitFor()
    await activate(page, consent.getByRole('button', { name: 'Record consent' }))
    const form = page.getByRole('dialog', { name: 'Record consent' })
    await tabTo(page, form.getByRole('textbox', { name: 'Source' }))
    await page.keyboard.type('website form')
    await tabTo(page, form.getByRole('textbox', { name: 'Wording' }))
    await page.keyboard.type('Yes, write to me.')
    await form.getByLabel('Date and time').fill('2999-01-02T03:04')
    await activate(page, form.getByRole('button', { name: 'Save consent' }))
    await form.getByText('Choose a date and time that is not in the future.').waitFor()
    // A date without a time is not taken for no date.
    await form.getByLabel('Date and time').fill('')
    await form.getByLabel('Date and time').focus()
    await page.keyboard.type('05062025')
    await activate(page, form.getByRole('button', { name: 'Save consent' }))
    await page.locator('input[type=datetime-local]:focus').waitFor()
    await form.getByLabel('Date and time').fill('2025-05-06T07:08')
    await expectAccessible(page)
    await activate(page, form.getByRole('button', { name: 'Save consent' }))
    await consent.getByText(/^May 6, 2025, .*, website form$/).waitFor()
    await consent.getByText('“Yes, write to me.”').waitFor()
    expect((await at.api.contacts.consent.get(id)).email).toMatchObject({
      at: new Date('2025-05-06T07:08').toISOString(),
      source: 'website form',
      wording: 'Yes, write to me.',
    })
    await page.setViewportSize({ width: 360, height: 800 })
    await expectNoSidewaysScroll(page)
    await consent.scrollIntoViewIfNeeded()
    await screenshot(page, 'contact-consent')
    await activate(page, consent.getByRole('button', { name: 'Consent history' }))
    const history = page.getByRole('dialog', { name: 'Consent history' })
    const entries = history.getByRole('listitem')
    await entries.first().waitFor()
    expect(await entries.allInnerTexts()).toEqual([
      expect.stringMatching(/^Email: Granted\n.*website form\n.*“Yes, write to me\.”\n.*Recorded by /s),
      expect.stringMatching(/^SMS: Denied\n.*Recorded in a bulk change by /s),
      expect.stringMatching(/^Email: Granted\n.*Mar 4, 2020, .* fair\n.*“Send me offers\.”\n.*Recorded by /s),
    ])
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await screenshot(page, 'contact-consent-history')
    await page.keyboard.press('Escape')
    await history.waitFor({ state: 'hidden' })
    expectNoFaults(page)
  })
})
