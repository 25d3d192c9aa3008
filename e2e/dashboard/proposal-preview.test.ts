import type { FrameLocator, Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import {
  chromiumPath,
  expectAccessible,
  expectNoFaults,
  expectNoSidewaysScroll,
  gate,
  screenshot,
  sharedDashboard,
  tabTo,
} from './browser.ts'

/** A PNG of 3,000 × 4 pixels. */
const image = 'iVBORw0KGgoAAAANSUhEUgAAC7gAAAAEAQAAAAA2YU8gAAAAFElEQVR42mNgGAWjYBSMglEwHAEABeAAAV4Y+u8AAAAASUVORK5CYII='

describe.skipIf(chromiumPath === undefined)('the preview of proposals', () => {
  const at = sharedDashboard()
  const previewIn = (page: Page): FrameLocator => page.frameLocator('iframe[title="Page preview"]')
  const textIn = (page: Page) => async (): Promise<string> => (await previewIn(page).locator('body').innerText()).replace(/\s+/g, ' ')

  /** Chooses a file with the button, as the dialog of the browser does. */
  async function choose(page: Page, button: Locator, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button.click()])
    await chooser.setFiles(file)
  }

  test('follows the sections of the editor, which the keyboard reorders; the client sees what was saved', async () => {
    const { id: contactId } = await at.api.contacts.create({ firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' })
    const page = await at.open(`/${at.slug}/proposals/new?contact=${contactId}`)
    const section = (number: number, type: string): Locator => page.getByRole('group', { name: `Section ${number}: ${type}` })
    const focused = (): Promise<unknown> => page.evaluate('document.activeElement.ariaLabel')
    await page.getByLabel('Title').fill('A tour of the lake')
    await page.getByText('Single total').click()
    await page.getByLabel('Total amount').fill('100')
    await page.getByRole('button', { name: 'Add text' }).click()
    await section(1, 'Text').getByLabel('Text (Markdown)').fill('## Your tour\n\nAlong the **lake** at noon.')
    await page.getByRole('button', { name: 'Add image' }).click()
    const png = { name: 'route.png', mimeType: 'image/png', buffer: Buffer.from(image, 'base64') }
    await choose(page, section(2, 'Image').getByRole('button', { name: 'Choose PNG or JPEG' }), png)
    await section(2, 'Image').getByText('route.png').waitFor()
    await section(2, 'Image').getByLabel('Image description').fill('The route along the lake')
    await page.getByRole('button', { name: 'Add terms' }).click()
    await section(3, 'Terms').getByLabel('Text (Markdown)').fill('Payment within *14 days*.')
    await page.getByRole('button', { name: 'Attach PDF' }).click()
    const pdf = { name: 'insurance.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF\n') }
    await choose(page, section(4, 'Attached PDF').getByRole('button', { name: 'Choose PDF' }), pdf)
    await section(4, 'Attached PDF').getByText('insurance.pdf').waitFor()
    expect(await section(4, 'Attached PDF').getByLabel('Name shown to the recipient').inputValue()).toBe('insurance')
    await expect.poll(textIn(page)).toMatch(/A tour of the lake.*Your tour Along the lake at noon\..*Terms Payment within 14 days\./)
    expect(await previewIn(page).locator('strong').innerText()).toBe('lake')

    // Without windows, Chromium does not move the focus from the last control of a page to the first one.
    await page.getByLabel('Title').focus()
    await tabTo(page, section(3, 'Terms').getByRole('button', { name: 'Move section 3 up' }))
    await page.keyboard.press('Enter')
    await section(2, 'Terms').waitFor()
    await tabTo(page, section(2, 'Terms').getByRole('button', { name: 'Move section 2 up' }))
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('Move section 1 up')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('Move section 2 down')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await section(1, 'Terms').waitFor()
    expect(await section(1, 'Terms').getByLabel('Text (Markdown)').inputValue()).toBe('Payment within *14 days*.')
    await expect.poll(textIn(page)).toMatch(/Terms Payment within 14 days\..*Your tour Along the lake at noon\./)
    await section(3, 'Image').getByText('route.png').waitFor()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await screenshot(page, 'proposal-sections')
    await section(1, 'Terms').scrollIntoViewIfNeeded()
    await screenshot(page, 'proposal-sections-below')

    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByText('Preview', { exact: true }).click()
    await previewIn(page).getByText('Along the').waitFor()
    await expectNoSidewaysScroll(page)
    await screenshot(page, 'proposal-preview-only')
    await page.getByText('Edit', { exact: true }).click()
    await page.setViewportSize({ width: 1440, height: 900 })
    expect((await at.api.proposals.list().page()).data).toEqual([])

    await page.getByRole('button', { name: 'Send proposal' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send proposal' }).click()
    await page.getByRole('heading', { level: 1, name: 'A tour of the lake' }).waitFor()
    const [sent] = (await at.api.proposals.list().page()).data
    expect(sent?.sections).toEqual([
      { type: 'terms', text: 'Payment within *14 days*.' },
      { type: 'text', text: '## Your tour\n\nAlong the **lake** at noon.' },
      expect.objectContaining({ type: 'image', alt: 'The route along the lake', mediaType: 'image/png' }),
      expect.objectContaining({ type: 'attachment', name: 'insurance', sizeBytes: pdf.buffer.length }),
    ])
    expectNoFaults(page)
    await page.context().close()
    const client = await at.visit(new URL(sent?.url ?? '').pathname)
    const shown = client.getByRole('img', { name: 'The route along the lake' })
    await shown.waitFor()
    await expect.poll(() => client.evaluate(`document.querySelector('main img[alt^="The route"]').naturalWidth`)).toBeGreaterThan(0)
    await client.getByRole('link', { name: 'insurance' }).waitFor()
    expectNoFaults(client)
    await client.context().close()
  })

  test('shows the name, the address, the color and the language of the organization before they are saved', async () => {
    const before = await at.api.organization.get()
    const page = await at.open('/account')
    const styles = await gate(page, '**/p/assets/page.css*')
    await page.goto(`/app/${at.slug}/settings/organization`)
    await expect.poll(textIn(page)).toContain('Example proposal')
    const paints = (): Promise<unknown> =>
      page.evaluate(
        `document.querySelector('iframe.page-preview').contentWindow.performance.getEntriesByType('paint').map(({ name }) => name)`,
      )
    // Nothing is painted before the styles have loaded: a screenshot waits until the window is.
    await page.screenshot()
    expect(await paints()).toEqual([])
    styles.open()
    await expect.poll(paints).toContain('first-contentful-paint')
    await page.getByLabel('Legal name').fill('Moss Bicycles GmbH')
    await page.getByLabel('Address', { exact: true }).fill('1 Quay Road\nHarbour Town')
    await page.getByLabel('Tax or VAT number').fill('DE123456789')
    await page.getByLabel('Language').selectOption('German')
    await expect.poll(textIn(page)).toMatch(/Moss Bicycles GmbH.*1 Quay Road Harbour Town.*DE123456789.*Gesamtbetrag/)
    const accent = (): Promise<unknown> =>
      page.evaluate(`(() => {
        const { contentDocument } = document.querySelector('iframe.page-preview')
        return getComputedStyle(contentDocument.querySelector('button:not(.plain)')).backgroundColor
      })()`)
    await page.getByLabel('Color').fill('#7a1fa2')
    await expect.poll(accent).toBe('rgb(122, 31, 162)')
    // Closes the color picker.
    await page.getByLabel('Legal name').focus()
    await page.locator('.mantine-ColorInput-dropdown').waitFor({ state: 'hidden' })
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await screenshot(page, 'organization-preview')
    await page.getByLabel('Color').fill('purple')
    await page.getByRole('region', { name: 'Preview' }).getByRole('status').getByText('color', { exact: false }).waitFor()
    expect(await textIn(page)()).toContain('Moss Bicycles GmbH')
    expect(await at.api.organization.get()).toEqual(before)
    expectNoFaults(page)
    await page.context().close()
  })
})
