import { describe, expect, test } from 'vitest'
import {
  chromiumPath,
  expectAccessible,
  expectListNearTop,
  expectNoFaults,
  expectNoSidewaysScroll,
  screenshot,
  sharedDashboard,
  tabTo,
} from './browser.ts'

const text = Array.from(
  { length: 12 },
  (_, part) => `## Part ${part + 1}\n\n${`Wheel ${part + 1} is filled to ${part + 20} pounds. `.repeat(20)}`,
).join('\n\n')

describe.skipIf(chromiumPath === undefined)('settings, re-indexes, evaluations and searches of a knowledge base', () => {
  const at = sharedDashboard()
  const baseWithDocument = async (name: string): Promise<{ baseId: string; sourceId: string }> => {
    const { id: baseId } = await at.api.bases.create({ name })
    const { storageUrl } = await at.api.uploads.create(new TextEncoder().encode(text), { name: 'wheels.md', type: 'text/markdown' })
    const { id: sourceId } = await at.api.bases.sources.create(baseId, { name: 'wheels.md', type: 'file', storageUrl })
    await at.api.bases.sources.waitUntilProcessed(baseId, sourceId)
    return { baseId, sourceId }
  }

  test('previews new chunking settings, validates them at their fields, re-indexes, and rolls back', async () => {
    const { baseId } = await baseWithDocument('Wheels')
    const page = await at.open(`/${at.slug}/knowledge/${baseId}/settings`)
    await page.getByLabel('Max chunk size').fill('5000')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Enter a whole number from 64 to 2,048.').waitFor()
    await expect.poll(() => page.getByLabel('Max chunk size').inputValue()).toBe('5000')
    await page.getByLabel('Max chunk size').fill('128')
    await page.getByLabel('Overlap').fill('16')
    await page.getByRole('button', { name: 'Preview chunks' }).click()
    await page.getByText(/chunks now, \d+ chunks with these settings/).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'base-settings')
    await page.getByLabel('Name', { exact: false }).first().fill('Wheels and tyres')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('being re-indexed in the background', { exact: false }).first().waitFor()
    await page.getByRole('heading', { level: 1, name: 'Wheels and tyres' }).waitFor()
    await page.getByRole('link', { name: 'Re-index' }).click()
    await page.getByText('Switched', { exact: true }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'reindex')
    expect((await at.api.bases.get(baseId)).ragSettings).toMatchObject({ chunkSize: 128, chunkOverlap: 16 })
    await page.getByRole('button', { name: 'Roll back' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click()
    await page.getByText('Rolled back', { exact: true }).waitFor()
    expect((await at.api.bases.get(baseId)).ragSettings).toMatchObject({ chunkSize: 512, chunkOverlap: 64 })
    expectNoFaults(page)
    await page.context().close()
  })

  test('builds a new index, compares it, and switches to it', async () => {
    const { baseId } = await baseWithDocument('Compared')
    const page = await at.open(`/${at.slug}/knowledge/${baseId}/reindex`, { width: 'phone' })
    await page.getByRole('button', { name: 'Start re-index' }).click()
    const form = page.getByRole('dialog', { name: 'Start re-index' })
    await form.getByLabel('Max chunk size').fill('96')
    await form.getByLabel('Overlap').fill('90')
    await form.getByRole('button', { name: 'Start re-index' }).click()
    await form.getByText(/half/).last().waitFor()
    await form.getByLabel('Overlap').fill('10')
    await form.getByRole('button', { name: 'Start re-index' }).click()
    await form.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Switch to new index' }).click()
    await page.getByText('Switched', { exact: true }).waitFor()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    expect((await at.api.bases.get(baseId)).ragSettings.chunkSize).toBe(96)
    await page.context().close()
  })

  test('saves questions, evaluates them and compares runs; lists logged searches', async () => {
    const { baseId } = await baseWithDocument('Asked')
    const page = await at.open(`/${at.slug}/knowledge/${baseId}/evaluation`)
    await page.getByText('No saved questions yet').waitFor()
    const run = page.getByRole('button', { name: 'Run evaluation' })
    await run.focus()
    await page.getByRole('tooltip', { name: 'Add a question with an expected answer or source first.' }).waitFor()
    expect(await run.getAttribute('aria-disabled')).toBe('true')
    await run.blur()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Add question' }).click()
    const form = page.getByRole('dialog', { name: 'Add question' })
    await form.getByLabel('Question').fill('How many pounds does wheel 3 take?')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('Enter the expected text, or choose the sources', { exact: false }).waitFor()
    await form.getByLabel('Expected text').fill('Wheel 3 is filled to 22 pounds')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'hidden' })
    for (const runs of [1, 2]) {
      await page.getByRole('button', { name: 'Run evaluation' }).click()
      await expect.poll(() => page.getByText('Completed', { exact: true }).count()).toBe(runs)
    }
    await page.getByRole('img', { name: 'Recall and MRR of each run' }).waitFor()
    await page.getByRole('table', { name: 'Results' }).getByRole('link').first().click()
    await page.getByText('Same', { exact: true }).waitFor()
    await page.getByRole('table', { name: 'Results', exact: true }).getByText('100% (1 of 1)').first().waitFor()
    const { data: sources } = await at.api.bases.sources.list(baseId).page()
    await at.api.bases.questions.create(baseId, { question: 'Who painted the chapel?', expectedSourceIds: sources.map(({ id }) => id) })
    await at.api.bases.questions.create(baseId, { question: 'Who sails to the moon?', expectedText: 'the captain of the moon' })
    await page.getByRole('button', { name: 'Run evaluation' }).click()
    await expect.poll(() => page.getByText('Completed', { exact: true }).count()).toBe(3)
    await page.getByRole('table', { name: 'Results', exact: true }).getByRole('link').first().click()
    const results = page.getByRole('table', { name: /^Results from/ }).getByRole('row')
    await expect.poll(() => results.nth(1).textContent()).toMatch(/moon.*“the captain of the moon”.*Not found/)
    // Questions of other users appear when the page is opened again.
    await page.reload()
    await page.getByRole('table', { name: 'Questions' }).getByText(`Any passage from ${sources[0]?.name}`).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'evaluation')
    await at.api.bases.search(baseId, { query: 'who painted the ceiling of the chapel' })
    await at.api.bases.search(baseId, { query: 'how far is wheel 5 filled' })
    await page.getByRole('link', { name: 'Searches' }).click()
    await page.getByText('All searches').click()
    await expect
      .poll(async () => {
        await page.reload()
        await page.getByRole('heading', { level: 1 }).waitFor()
        return page.getByText('how far is wheel 5 filled').or(page.getByText('No searches yet')).first().textContent()
      })
      .toContain('how far is wheel 5 filled')
    await expectAccessible(page)
    await screenshot(page, 'searches')
    await expectListNearTop(page)
    await page.getByRole('columnheader', { name: 'Duration' }).getByRole('button').click()
    await page.locator('th[aria-sort=descending]').getByText('Duration').waitFor()
    await expect.poll(() => new URL(page.url()).search).toBe('?show=all&sort=-totalMs')
    await page.getByRole('columnheader', { name: 'Time' }).getByRole('button').click()
    await page.locator('th[aria-sort=descending]').getByText('Time').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('CHAPEL')
    await page.getByRole('link', { name: 'how far is wheel 5 filled' }).waitFor({ state: 'hidden' })
    await expect.poll(() => new URL(page.url()).search).toBe('?show=all&q=CHAPEL')
    await page.getByText('Unanswered', { exact: true }).first().click()
    await page.getByRole('columnheader', { name: 'Times asked' }).getByRole('button').click()
    await page.locator('th[aria-sort=descending]').getByText('Times asked').waitFor()
    await expectAccessible(page)
    await tabTo(page, page.getByRole('link', { name: 'who painted the ceiling of the chapel' }))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Playground' }).waitFor()
    await expect.poll(() => page.getByLabel('Question', { exact: true }).inputValue()).toBe('who painted the ceiling of the chapel')
    expectNoFaults(page)
    await page.context().close()
  })

  test('deletes a knowledge base only after its name is typed', async () => {
    const { baseId } = await baseWithDocument('Gone soon')
    const page = await at.open(`/${at.slug}/knowledge/${baseId}/settings`)
    await page.getByRole('button', { name: 'Delete knowledge base' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('1 source, along with all chunks', { exact: false }).waitFor()
    expect(await dialog.getByRole('button', { name: 'Delete knowledge base' }).isEnabled()).toBe(false)
    await dialog.getByRole('textbox').fill('Gone soon')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Delete knowledge base' }).click()
    await page.getByRole('heading', { level: 1, name: 'Knowledge' }).waitFor()
    await page.getByText('“Gone soon” was deleted.').waitFor()
    expect(await page.getByRole('link', { name: 'Gone soon' }).count()).toBe(0)
    await page.context().close()
  })
})
