import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import {
  chromiumPath,
  dashboard,
  expectAccessible,
  expectNoFaults,
  expectNoSidewaysScroll,
  screenshot,
  tabTo,
  widthsWith,
} from './browser.ts'

describe.skipIf(chromiumPath === undefined)('data and erasure of a contact', () => {
  const at = dashboard(() => ({ RETAIN_CONTRACTS_YEARS: '10' }))

  test.each(widthsWith(360))('exports the data, shows what it erases, then a receipt, by keyboard at %i px', async (width) => {
    const name = `Hedy Lamarr ${width}`
    const { id } = await at.api.contacts.create({ firstName: 'Hedy', lastName: `Lamarr ${width}`, email: `hedy.${width}@example.com` })
    await at.api.contacts.activities.create(id, { type: 'note', text: 'Called.' })
    const sent = await at.api.proposals.create({ title: 'Bikes', contactId: id, totalAmount: '5.00' })
    const accepted = await fetch(`${at.program.url}${new URL(sent.url ?? '').pathname}/accept`, {
      method: 'POST',
      body: new URLSearchParams({ name, method: 'typed', consent: 'yes', contentHash: sent.contentHash }),
      redirect: 'manual',
    })
    expect(accepted.status).toBe(303)
    const kept = /Accepted proposals: 1\..* kept for several years after it is completed\. The last one is kept until .*20\d\d\.$/
    const page = await at.open(`/${at.slug}/contacts/${id}`)
    await page.setViewportSize({ width, height: 800 })
    const all = page.waitForEvent('download')
    await tabTo(page, page.getByRole('button', { name: 'Download all data' }))
    await page.keyboard.press('Enter')
    const data = await all
    expect(data.suggestedFilename()).toBe(`${name}.json`)
    expect(JSON.parse(await readFile(await data.path(), 'utf8'))).toMatchObject({ contact: { id }, activities: [{ text: 'Called.' }] })
    await screenshot(page, 'contact-actions')
    await tabTo(page, page.getByRole('button', { name: 'Erase contact' }))
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: `Erase ${name}` })
    await dialog.getByText('Activities: 1').waitFor()
    await dialog.getByText(kept).waitFor()
    await dialog.getByText('Backups still contain earlier data.', { exact: false }).waitFor()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await screenshot(page, 'erase-preview')
    await tabTo(page, dialog.getByLabel(`Type “${name}” to confirm`))
    await page.keyboard.type(name)
    await page.keyboard.press('Enter')
    const receipt = page.getByRole('dialog', { name: 'Erasure receipt' })
    await receipt.getByText(`${name}’s data was erased on `, { exact: false }).waitFor()
    await receipt.getByText('Activities: 1').waitFor()
    await receipt.getByText(kept).waitFor()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await screenshot(page, 'erase-receipt')
    await page.evaluate('globalThis.print = () => { globalThis.printed = true }')
    await tabTo(page, receipt.getByRole('button', { name: 'Print receipt' }))
    await page.keyboard.press('Enter')
    expect(await page.evaluate('globalThis.printed')).toBe(true)
    await page.emulateMedia({ media: 'print' })
    await receipt.getByRole('button', { name: 'Print receipt' }).waitFor({ state: 'hidden' })
    await receipt.getByText('Activities: 1').waitFor()
    expect(await page.locator('#root').isVisible()).toBe(false)
    await page.emulateMedia({ media: 'screen' })
    const download = page.waitForEvent('download')
    await tabTo(page, receipt.getByRole('button', { name: 'Download receipt' }))
    await page.keyboard.press('Enter')
    expect(JSON.parse(await readFile(await (await download).path(), 'utf8'))).toMatchObject({ contactId: id, dryRun: false })
    await page.keyboard.press('Escape')
    await page.waitForURL((url) => url.pathname.endsWith('/contacts'))
    await expect(at.api.contacts.get(id)).rejects.toMatchObject({ status: 404 })
    expectNoFaults(page)
    await page.context().close()
  })
})
