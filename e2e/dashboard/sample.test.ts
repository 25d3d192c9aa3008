import { describe, expect, test } from 'vitest'
import { chromiumPath, expectAccessible, expectNoFaults, expectNoSidewaysScroll, screenshot, sharedDashboard } from './browser.ts'

describe.skipIf(chromiumPath === undefined)('the sample knowledge base', () => {
  const at = sharedDashboard()

  test('is added with one click, answers questions, and is removed after one question', async () => {
    const page = await at.open(`/${at.slug}`)
    const steps = page.getByRole('region', { name: 'Get started' })
    await steps.getByRole('button', { name: 'Add a sample knowledge base' }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'sample-home')
    await steps.getByRole('button', { name: 'Add a sample knowledge base' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sample: Harbour Cycles' }).waitFor()
    const [base] = (await at.api.bases.list().page()).data
    if (base === undefined) throw new Error('There is no knowledge base.')
    const sources = (await at.api.bases.sources.list(base.id).page()).data
    expect(sources.map(({ name }) => name).toSorted()).toEqual([
      'Frequently asked questions',
      'Opening hours',
      'Price list',
      'Rental terms',
      'Staff handbook',
      'Warranty',
    ])
    for (const { id } of sources) expect((await at.api.bases.sources.waitUntilProcessed(base.id, id)).status).toBe('completed')
    await page.getByText('This is a sample.', { exact: false }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'sample-base')
    await expectNoSidewaysScroll(page)
    await page.getByRole('link', { name: 'Try it' }).click()
    await page.getByRole('textbox', { name: 'Question' }).fill('Can I leave my suitcase with you?')
    await page.keyboard.press('Enter')
    await page.getByRole('listitem', { name: 'Passage 1', exact: true }).getByText('lockers beside the desk', { exact: false }).waitFor()
    await page.goBack()
    await page.goBack()

    await page.getByRole('button', { name: 'Remove sample' }).click()
    const dialog = page.getByRole('dialog', { name: 'Remove the sample knowledge base?' })
    await dialog.getByRole('button', { name: 'Remove sample' }).click()
    await page.getByText('No knowledge bases yet').waitFor()
    expect((await at.api.bases.list().page()).data).toEqual([])
    await page.getByRole('button', { name: 'Add a sample knowledge base' }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'sample-empty')
    expectNoFaults(page)
    await page.context().close()
  })
})
