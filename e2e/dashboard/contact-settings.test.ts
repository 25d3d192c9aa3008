import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import {
  activate,
  chooseItem,
  chromiumPath,
  expectAccessible,
  expectNoFaults,
  expectNoSidewaysScroll,
  screenshot,
  sharedDashboard,
  tabTo,
  widthsWith,
} from './browser.ts'

describe.skipIf(chromiumPath === undefined)('settings of contacts', () => {
  const at = sharedDashboard()

  const fill = async (page: Page, field: Locator, text: string): Promise<void> => {
    await tabTo(page, field)
    await page.keyboard.press('Control+A')
    await page.keyboard.type(text)
  }
  const choose = async (page: Page, row: string, action: string): Promise<void> => {
    await activate(page, page.getByRole('button', { name: `Actions for ${row}` }))
    await chooseItem(page, action)
  }

  test.each(widthsWith(1280))('creates, edits, converts and archives a custom field by keyboard at %i px', async (width) => {
    const name = `Budget ${width}`
    const page = await at.open(`/${at.slug}/settings/custom-fields`)
    await page.setViewportSize({ width, height: 800 })
    await activate(page, page.getByRole('button', { name: 'Create field' }))
    const create = page.getByRole('dialog', { name: 'Create field' })
    await fill(page, create.getByLabel('Name'), `Size ${width}`)
    await tabTo(page, create.getByLabel('Type'))
    await page.keyboard.type('One option')
    await fill(page, create.getByRole('combobox', { name: 'Options' }), 'Small')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Large')
    await page.keyboard.press('Enter')
    await expectAccessible(page)
    await screenshot(page, 'settings-custom-field-create')
    await activate(page, create.getByRole('button', { name: 'Create field' }))
    await page.getByText('Small, Large').first().waitFor()
    await choose(page, `Size ${width}`, 'Edit field')
    const edit = page.getByRole('dialog', { name: 'Edit field' })
    await fill(page, edit.getByLabel('Option 1'), 'Tiny')
    await expectAccessible(page)
    await screenshot(page, 'settings-custom-field-edit')
    await page.keyboard.press('Enter')
    await page.getByText('Tiny, Large').first().waitFor()

    const field = await at.api.customFields.create({ entity: 'contact', name, type: 'text' })
    const known = { firstName: 'Ada', lastName: 'Lovelace' }
    const { id } = await at.api.contacts.create({ ...known, customFields: { [field.id]: 'about 40' } })
    await at.api.contacts.create({ ...known, customFields: { [field.id]: '40' } })
    await page.reload()
    await choose(page, name, 'Change type')
    const convert = page.getByRole('dialog', { name: 'Change type' })
    await convert.getByText('1 value would be lost.', { exact: false }).waitFor()
    await convert.getByText('about 40').waitFor()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await screenshot(page, 'settings-custom-field-convert')
    await at.api.contacts.update(id, { customFields: { [field.id]: '41' } })
    await activate(page, convert.getByRole('button', { name: 'Change type' }))
    await convert.waitFor({ state: 'hidden' })
    expect((await at.api.customFields.get(field.id)).type).toBe('number')
    expect((await at.api.contacts.get(id)).customFields[field.id]).toBe(41)
    await choose(page, name, 'Archive field')
    await activate(page, page.getByRole('dialog').getByRole('button', { name: 'Archive field' }))
    await page.getByRole('button', { name: `Actions for ${name}` }).waitFor({ state: 'hidden' })
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await screenshot(page, 'settings-custom-fields')
    await page.getByRole('radio', { name: 'In use' }).press('ArrowRight')
    await choose(page, name, 'Restore field')
    await expect.poll(async () => (await at.api.customFields.get(field.id)).archivedAt).toBe(null)
    expectNoFaults(page)
    await page.context().close()
  })

  test.each(widthsWith(360))('renames, merges and deletes tags by keyboard at %i px', async (width) => {
    const tag = (name: string): string => `${name}-${width}`
    const names = { firstName: 'Ada', lastName: 'Lovelace' }
    const { id } = await at.api.contacts.create({ ...names, tags: [tag('lead'), tag('fair')] })
    const { id: other } = await at.api.contacts.create({ ...names, tags: [tag('prospect')] })
    const page = await at.open(`/${at.slug}/settings/tags`)
    await page.setViewportSize({ width, height: 800 })
    await choose(page, tag('fair'), 'Rename tag')
    const rename = page.getByRole('dialog', { name: 'Rename tag' })
    await fill(page, rename.getByLabel('New name'), tag('lead'))
    await page.keyboard.press('Enter')
    await rename.getByText('Another tag already has this name. Merge the tags instead.').waitFor()
    await expectAccessible(page)
    await fill(page, rename.getByLabel('New name'), tag('spring'))
    await page.keyboard.press('Enter')
    await rename.waitFor({ state: 'hidden' })
    await expect.poll(async () => (await at.api.contacts.get(id)).tags).toEqual([tag('lead'), tag('spring')])
    for (const name of ['lead', 'prospect']) {
      await tabTo(page, page.getByRole('checkbox', { name: `Select: ${tag(name)}` }))
      await page.keyboard.press('Space')
    }
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await screenshot(page, 'settings-tags')
    await page.getByRole('button', { name: 'Merge 2 tags' }).press('Enter')
    const merge = page.getByRole('dialog', { name: 'Merge tags' })
    await tabTo(page, merge.getByLabel('Tag to keep'))
    await page.keyboard.type(tag('prospect'))
    await screenshot(page, 'settings-tags-merge')
    await activate(page, merge.getByRole('button', { name: 'Merge tags' }))
    await merge.waitFor({ state: 'hidden' })
    await expect.poll(async () => (await at.api.contacts.get(id)).tags).toContain(tag('prospect'))
    await choose(page, tag('spring'), 'Delete tag')
    const question = page.getByRole('dialog', { name: `Delete “${tag('spring')}”?` })
    await question.getByText('This removes the tag from 1 contact.').waitFor()
    await activate(page, question.getByRole('button', { name: 'Delete tag' }))
    await expect.poll(async () => (await at.api.contacts.get(id)).tags).toEqual([tag('prospect')])
    expect((await at.api.contacts.get(other)).tags).toEqual([tag('prospect')])
    expectNoFaults(page)
    await page.context().close()
  })
})
