import type { Locator } from 'playwright-core'
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

describe.skipIf(chromiumPath === undefined)('merge of contacts', () => {
  const at = sharedDashboard()

  test.each(widthsWith(360))('merges two contacts and separates them by keyboard at %i px', async (width) => {
    const { id } = await at.api.contacts.create({
      firstName: 'Ada',
      lastName: `Lovelace ${width}`,
      email: `ada.${width}@example.com`,
      jobTitle: 'Analyst',
      tags: ['vip'],
    })
    const { id: otherId } = await at.api.contacts.create({
      firstName: 'Augusta',
      lastName: `Byron ${width}`,
      email: `augusta.${width}@example.com`,
      phone: '+442079460018',
      jobTitle: 'Head of engines',
      address: { street: '12 St James’s Square', city: 'London', country: 'GB' },
    })
    await at.api.contacts.activities.create(otherId, { type: 'note', text: 'Wrote the notes.' })
    await at.api.contacts.consent.create(id, { channel: 'email', state: 'granted' })
    await at.api.contacts.consent.create(otherId, { channel: 'email', state: 'denied' })
    const page = await at.open(`/${at.slug}/contacts/${id}`)
    await page.setViewportSize({ width, height: 800 })
    await activate(page, page.getByRole('link', { name: 'Merge with…' }))
    await page.getByRole('heading', { level: 1, name: 'Merge contacts' }).waitFor()
    await tabTo(page, page.getByRole('combobox', { name: 'Other contact' }))
    await page.keyboard.type(`Byron ${width}`)
    const option = page.getByRole('option', { name: `Augusta Byron ${width}` })
    await option.getByText(`augusta.${width}@example.com · +442079460018`).waitFor()
    await screenshot(page, 'merge-picker')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const after = page.getByRole('region', { name: 'After the merge' })
    await after.getByText('1 activity will move').waitFor()
    await after.getByText('Consent, Email: Denied').waitFor()
    const radio = (name: string): Locator => page.getByRole('radio', { name })
    expect(await radio(`Job title: Analyst (Ada Lovelace ${width})`).isChecked()).toBe(true)
    expect(await radio('Address: 12 St James’s Square, London, United Kingdom').isChecked()).toBe(true)
    await tabTo(page, radio('Job title: Analyst'))
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => radio('Job title: Head of engines').isChecked()).toBe(true)
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await screenshot(page, 'merge-compare')
    await activate(page, page.getByRole('button', { name: 'Merge contacts' }))
    const question = page.getByRole('dialog', { name: 'Merge contacts' })
    await question.getByText('You can undo this for 30 days.', { exact: false }).waitFor()
    await activate(page, question.getByRole('button', { name: 'Merge contacts' }))
    const merged = page.getByRole('region', { name: 'Merged contacts' })
    await merged.getByText(`Augusta Byron ${width}`).waitFor()
    await page.getByRole('button', { name: 'Edit Job title: Head of engines' }).waitFor()
    expect(await at.api.contacts.get(id)).toMatchObject({ jobTitle: 'Head of engines', mergedIds: [otherId], consent: { email: 'denied' } })
    await page.getByText('Wrote the notes.').first().waitFor()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await screenshot(page, 'merge-merged')
    await at.api.contacts.activities.create(id, { type: 'note', text: 'Came later.' })
    await activate(page, merged.getByRole('button', { name: `Undo merge of Augusta Byron ${width}` }))
    await activate(page, page.getByRole('dialog', { name: 'Undo merge' }).getByRole('button', { name: 'Undo merge' }))
    const result = page.getByRole('dialog', { name: 'The merge was undone' })
    await result.getByText('1 activity', { exact: true }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'merge-undone')
    await activate(page, result.getByRole('link', { name: `Open Augusta Byron ${width}` }))
    await page.getByRole('heading', { level: 1, name: `Augusta Byron ${width}` }).waitFor()
    expect(await at.api.contacts.get(id)).toMatchObject({ jobTitle: 'Analyst', mergedIds: [] })
    expect(await at.api.contacts.get(otherId)).toMatchObject({ id: otherId, jobTitle: 'Head of engines' })
    expectNoFaults(page)
    await page.context().close()
  })
})
