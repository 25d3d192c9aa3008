import { Buffer } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
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

interface GivenFile {
  name: string
  mimeType: string
  buffer: Buffer
}

const csvFile = (name: string, ...lines: string[]): GivenFile => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(`${lines.join('\r\n')}\r\n`),
})

describe.skipIf(chromiumPath === undefined)('import of contacts', () => {
  const at = sharedDashboard()
  const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true })

  const choose = async (page: Page, file: GivenFile): Promise<void> => {
    const chooser = page.waitForEvent('filechooser')
    await activate(page, button(page, 'Choose file'))
    await (await chooser).setFiles(file)
  }
  /** The number of a result, such as “New contacts”. */
  const count = (page: Page, name: string): Promise<string | null> =>
    page
      .locator('.import-counts > div')
      .filter({ has: page.getByText(name, { exact: true }) })
      .locator('dd')
      .textContent()

  test.each(widthsWith(1280))('imports a file by keyboard at %i px: columns, preview, result and the rows with errors', async (width) => {
    await at.api.contacts.create({ firstName: 'Grace', lastName: 'Hopper', email: `grace.${width}@example.com` })
    const page = await at.open(`/${at.slug}/contacts`)
    await page.setViewportSize({ width, height: 800 })
    await activate(page, page.getByRole('link', { name: 'Import contacts' }))
    await page.getByRole('heading', { level: 1, name: 'Import contacts' }).waitFor()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await screenshot(page, `import-file`)
    await choose(page, { name: 'photo.png', mimeType: 'image/png', buffer: Buffer.from('x') })
    await page.getByText('photo.png is neither a CSV nor an XLSX file.').waitFor()
    const people = csvFile(
      `people-${width}.csv`,
      'First Name,Last Name,E-mail,Role at work,Shoe size',
      `Ada,Lovelace,ada.${width}@example.com,Analyst,38`,
      `Grace,Murray Hopper,grace.${width}@example.com,Admiral,39`,
      'Bob,Nobody,nobody,Clerk,40',
    )
    await choose(page, people)
    await page.getByRole('combobox', { name: 'Field for First Name' }).waitFor()
    await page.getByText('Ada · Grace · Bob').waitFor()
    expect(await page.getByRole('combobox', { name: 'Field for E-mail' }).inputValue()).toBe('email')
    const role = page.getByRole('combobox', { name: 'Field for Role at work' })
    expect(await role.inputValue()).toBe('')
    await tabTo(page, role)
    await page.keyboard.type('Job title')
    await expect.poll(() => role.inputValue()).toBe('jobTitle')
    await tabTo(page, page.getByRole('combobox', { name: 'Tags for all imported contacts' }))
    await page.keyboard.type('fair')
    await page.keyboard.press('Enter')
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await screenshot(page, `import-columns`)
    await activate(page, button(page, 'Preview import'))
    await button(page, 'Import 2 rows').waitFor()
    expect(await count(page, 'New contacts')).toBe('1')
    expect(await count(page, 'Changed contacts')).toBe('1')
    expect(await count(page, 'Rows with errors')).toBe('1')
    await page.getByText('Email: Enter a valid email address, such as name@example.com.').waitFor()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await screenshot(page, `import-preview`)
    expect(await at.api.contacts.list({ email: `ada.${width}@example.com` }).page()).toMatchObject({ data: [] })
    // Nothing is lost when the page is left and opened again.
    await page.reload()
    await button(page, 'Import 2 rows').waitFor()
    await activate(page, page.getByRole('link', { name: 'Change columns' }))
    await page.getByRole('combobox', { name: 'Field for Role at work' }).waitFor()
    expect(await page.getByRole('combobox', { name: 'Field for Role at work' }).inputValue()).toBe('jobTitle')
    await activate(page, button(page, 'Preview import'))
    await activate(page, button(page, 'Import 2 rows'))
    await page.getByText('The import is complete.').waitFor()
    expect(await count(page, 'New contacts')).toBe('1')
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await screenshot(page, `import-result`)
    const download = page.waitForEvent('download')
    await activate(page, button(page, 'Download rows with errors'))
    expect(await readFile(await (await download).path(), 'utf8')).toContain(
      'Bob,Nobody,nobody,Clerk,40,4,email,nobody is not an email address',
    )
    const { data } = await at.api.contacts.list({ email: `ada.${width}@example.com` }).page()
    expect(data).toMatchObject([{ firstName: 'Ada', jobTitle: 'Analyst', tags: ['fair'] }])
    await activate(page, page.getByRole('link', { name: 'Import another file' }))
    const former = page.getByRole('region', { name: 'Previous imports' })
    await former.getByText('1 new, 1 changed, 1 with errors').first().waitFor()
    await expectAccessible(page)
    await screenshot(page, `import-former`)
    await activate(page, former.getByRole('link', { name: people.name }))
    await page.getByText('The import is complete.').waitFor()
    expectNoFaults(page)
    await page.context().close()
  })

  test('explains files that cannot be read, and lets the user choose fields for unknown columns', async () => {
    const page = await at.open(`/${at.slug}/contacts/import`)
    await choose(page, csvFile('damaged.csv', 'email,name', '"a@example.com,x'))
    await page.getByText('The file is damaged', { exact: false }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'import-damaged')
    await activate(page, page.getByRole('link', { name: 'Choose another file' }))
    await choose(page, csvFile('colours.csv', 'Colour,Contact point', 'red,mary@example.com'))
    await page.getByText('mary@example.com').waitFor()
    await activate(page, button(page, 'Preview import'))
    await page.getByText('Choose a field for at least one column.').waitFor()
    await tabTo(page, page.getByRole('combobox', { name: 'Field for Contact point' }))
    await page.keyboard.type('Email')
    await activate(page, button(page, 'Preview import'))
    await activate(page, button(page, 'Import 1 row'))
    await page.getByText('The import is complete.').waitFor()
    expect((await at.api.contacts.list({ email: 'mary@example.com' }).page()).data).toHaveLength(1)
    expectNoFaults(page)
    await page.context().close()
  })

  test('by keyboard: lets the user correct the encoding and the separator of a file', async () => {
    const page = await at.open(`/${at.slug}/contacts/import`)
    await page.setViewportSize({ width: 360, height: 800 })
    // Mac OS Roman is never guessed, and commas split the rows into more columns than semicolons.
    const content = 'First Name;E-mail;Notes, from, the, fair\r\nZo\u0091;zoe@example.com;a, b, c, d\r\n'
    await choose(page, { name: 'mac.csv', mimeType: 'text/csv', buffer: Buffer.from(content, 'latin1') })
    await page.getByRole('combobox', { name: 'Field for First Name;E-mail;Notes' }).waitFor()
    const encoding = page.getByRole('combobox', { name: 'Encoding' })
    const separator = page.getByRole('combobox', { name: 'Column separator' })
    expect(await separator.inputValue()).toBe(',')
    await tabTo(page, encoding)
    await page.keyboard.type('Western European (Mac')
    await expect.poll(() => encoding.inputValue()).toBe('macintosh')
    await tabTo(page, separator)
    await page.keyboard.type('Semicolon')
    await expect.poll(() => separator.inputValue()).toBe(';')
    expect(await button(page, 'Preview import').count()).toBe(0)
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await screenshot(page, 'import-format')
    await activate(page, button(page, 'Read file again'))
    await page.getByText('Zoë', { exact: true }).waitFor()
    expect(await page.getByRole('combobox', { name: 'Field for E-mail' }).inputValue()).toBe('email')
    expect([await encoding.inputValue(), await separator.inputValue()]).toEqual(['macintosh', ';'])
    await activate(page, button(page, 'Preview import'))
    await page.getByText('Encoding: Western European (Mac OS Roman). Column separator: Semicolon.').waitFor()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await activate(page, button(page, 'Import 1 row'))
    await page.getByText('The import is complete.').waitFor()
    expect((await at.api.contacts.list({ email: 'zoe@example.com' }).page()).data).toMatchObject([{ firstName: 'Zoë' }])
    expectNoFaults(page)
    await page.context().close()
  })

  test('shows the progress of an import that was left, and cancels it', async () => {
    const rows = Array.from({ length: 30_000 }, (_, index) => `person.${index}@example.com,Person,${index}`)
    const page = await at.open(`/${at.slug}/contacts/import`)
    await choose(page, csvFile('many.csv', 'email,First Name,Last Name', ...rows))
    await activate(page, button(page, 'Preview import'))
    await activate(page, button(page, 'Import 30,000 rows'))
    await page.getByRole('progressbar', { name: 'Progress' }).waitFor()
    await page.goto(`/app/${at.slug}/contacts/import`)
    await page.getByRole('link', { name: 'many.csv' }).press('Enter')
    await page.getByText('of 30,000 rows', { exact: false }).waitFor()
    await screenshot(page, 'import-running')
    await expectAccessible(page)
    await activate(page, button(page, 'Cancel import'))
    await page.getByRole('dialog', { name: 'Cancel this import?' }).getByRole('button', { name: 'Cancel import' }).press('Enter')
    await page.getByText('The import was cancelled.', { exact: false }).waitFor()
    expectNoFaults(page)
    await page.context().close()
  })
})
