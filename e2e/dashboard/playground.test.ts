import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../program.ts'
import { chromiumPath, dashboard, expectAccessible, expectNoFaults, expectNoSidewaysScroll, screenshot, tabTo } from './browser.ts'

/** A chat model that writes one true and one invented sentence. */
const chat = createServer((_request, response) => {
  const parts = ['There are lockers beside the desk ', 'for your luggage [1]. ', 'A locker costs 99 euros [1].']
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const content of parts) response.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`)
  response.end('data: [DONE]\n\n')
}).listen(0, '127.0.0.1')
await once(chat, 'listening')
afterAll(() => {
  chat.closeAllConnections()
  chat.close()
})
const chatUrl = `http://127.0.0.1:${(chat.address() as AddressInfo).port}/v1`

describe.skipIf(chromiumPath === undefined)('the playground', () => {
  const at = dashboard(() => ({ CHAT_URL: chatUrl, CHAT_MODEL: 'test-model' }))
  let baseId: string
  let otherId: string

  const add = async (base: string, file: string, metadata: Record<string, string> = {}): Promise<string> => {
    const content = await readFile(join(root, 'examples', file))
    const { storageUrl } = await at.api.uploads.create(new Uint8Array(content), { name: file, type: 'text/markdown' })
    const source = await at.api.bases.sources.create(base, { type: 'file', name: file, storageUrl, metadata })
    await at.api.bases.sources.waitUntilProcessed(base, source.id)
    return source.id
  }

  beforeAll(async () => {
    baseId = (await at.api.bases.create({ name: 'Front desk' })).id
    otherId = (await at.api.bases.create({ name: 'Contracts' })).id
    await Promise.all([add(baseId, 'faq.md', { audience: 'guests' }), add(otherId, 'rental-terms.txt')])
  }, 600_000)

  test('searches with the keyboard, and shows passages, highlights and scores', async () => {
    const page = await at.open(`/${at.slug}/playground`)
    await page.getByText('Ask a question').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'playground-start')
    await tabTo(page, page.getByRole('textbox', { name: 'Question' }))
    await page.keyboard.type('Can I leave my suitcase with you?')
    await page.keyboard.press('Enter')
    const first = page.getByRole('listitem', { name: 'Passage 1', exact: true })
    await first.getByText('lockers beside the desk', { exact: false }).waitFor()
    await page
      .getByRole('status')
      .getByText(/passages in .* ms/)
      .waitFor()
    await expect.poll(() => first.locator('strong').allInnerTexts()).toContain('leave')
    await expect.poll(() => first.locator('mark').allInnerTexts()).toEqual([expect.stringContaining('lockers beside the desk')])
    await expect.poll(() => first.getByText('Best answer:').count()).toBe(1)
    await first.getByText('Can I leave my luggage with you?', { exact: false }).first().waitFor()
    const address = page.url()
    await tabTo(page, first.getByRole('button', { name: 'Explain score' }))
    await page.keyboard.press('Enter')
    await first.getByText('Contribution of each word').waitFor()
    await first.getByText('Calculation').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'playground-answer')
    await expectNoSidewaysScroll(page)

    await page.goto(address)
    await first.getByText('lockers beside the desk', { exact: false }).waitFor()
    await expect.poll(() => page.getByRole('textbox', { name: 'Question' }).inputValue()).toBe('Can I leave my suitcase with you?')
    const asked = await at.api.bases.retrievals.list(baseId, {}).page()
    expect(asked.data.length).toBeLessThanOrEqual(2)
    const { confidence } = await at.api.search({ baseIds: [baseId, otherId], query: 'Can I leave my suitcase with you?' })
    await page
      .getByRole('status')
      .getByText(`answered (${confidence.toFixed(2)})`)
      .waitFor()
    await first.getByRole('link', { name: 'Frequently asked questions' }).click()
    await page.getByRole('heading', { level: 1, name: 'faq.md' }).waitFor()
    expectNoFaults(page)
    await page.context().close()
  })

  test('keeps a typed question over a reload and the end of the session, and only the asked one in a link', async () => {
    const page = await at.open(`/${at.slug}/playground?q=lockers`)
    const field = page.getByRole('textbox', { name: 'Question' })
    await page.getByRole('listitem', { name: 'Passage 1', exact: true }).waitFor()
    await field.fill('Where can I leave')
    await page.reload()
    await expect.poll(() => field.inputValue()).toBe('Where can I leave')
    await field.fill('Where can I leave my bag?')
    await page.context().clearCookies()
    await page.reload()
    await page.waitForURL('**/app/sign-in**')
    await at.enter(page.context())
    await page.goto(`/app/${at.slug}/playground?q=lockers`)
    await expect.poll(() => field.inputValue()).toBe('Where can I leave my bag?')
    await page.goto(`/app/${at.slug}/playground?q=desk`)
    await expect.poll(() => field.inputValue()).toBe('desk')
    await field.fill('Something else')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    await page.goBack()
    await expect.poll(() => field.inputValue()).toBe('desk')
    expectNoFaults(page)
    await page.context().close()
  })

  test('offers to search again when a source has become ready or was deleted', async () => {
    const { id } = await at.api.bases.create({ name: 'Growing' })
    const search = new URLSearchParams({ q: 'lockers', bases: JSON.stringify([id]) })
    const page = await at.open(`/${at.slug}/playground?${search.toString()}`)
    await page.getByText('No passages found').waitFor()
    const note = page.getByText('This knowledge base has changed since this search.')
    const other = page.getByText('A knowledge base has changed', { exact: false })
    expect(await note.count()).toBe(0)
    const sourceId = await add(id, 'faq.md')
    await note.waitFor()
    await expectAccessible(page)
    await screenshot(page, 'playground-changed')
    await page.getByRole('button', { name: 'Search again' }).click()
    await page.getByRole('listitem', { name: 'Passage 1', exact: true }).waitFor()
    await note.waitFor({ state: 'hidden' })
    await at.api.bases.sources.delete(id, sourceId)
    await note.waitFor()
    await page.getByRole('button', { name: 'Search again' }).click()
    await page.getByText('No passages found').waitFor()
    await note.waitFor({ state: 'hidden' })
    expect(await other.count()).toBe(0)
    await at.api.bases.delete(id)
    expectNoFaults(page)
    await page.context().close()
  })

  test('its searches are in the log as such, and not in the statistics', async () => {
    const page = await at.open(`/${at.slug}/playground?q=Is+there+a+deposit&bases=${encodeURIComponent(JSON.stringify([otherId]))}`)
    await page
      .getByRole('status')
      .getByText(/ in .* ms/)
      .waitFor()
    const logged = async () => (await at.api.bases.retrievals.list(otherId).page()).data.map(({ query, via }) => [query, via])
    // A search is logged about a second after its response.
    await expect.poll(logged, { timeout: 60_000 }).toContainEqual(['Is there a deposit', 'playground'])
    await page.goto(`/app/${at.slug}/knowledge/${otherId}/searches?show=all`)
    const row = page.getByRole('row').filter({ hasText: 'Is there a deposit' })
    await row.getByRole('cell', { name: 'Playground', exact: true }).waitFor()
    const counted = (await at.api.bases.retrievals.stats(otherId)).data.reduce((sum, { searches }) => sum + searches, 0)
    expect(counted).toBe((await logged()).filter(([, via]) => via !== 'playground').length)
    await page.context().close()
  })

  test('warns about weak passages; a minimum score removes them', async () => {
    const page = await at.open(`/${at.slug}/playground?q=${encodeURIComponent('"Which planets have rings of ice and dust?"')}`)
    await page.getByText('Probably unanswered').waitFor()
    await page
      .getByRole('status')
      .getByText(/^Unlikely to be answered \(0(?:\.\d+)?\)$/)
      .waitFor()
    await expectAccessible(page)
    await screenshot(page, 'playground-weak')
    await page.goto(`${page.url()}&threshold=0.9`)
    await page.getByText('No passages found').waitFor()
    await page.getByText('Options (1 set)').waitFor()
    await page.getByRole('button', { name: 'Ask without a minimum score' }).click()
    await page.getByRole('listitem', { name: 'Passage 1', exact: true }).waitFor()
    await page.goBack()
    await page.getByText('No passages found').waitFor()
    expectNoFaults(page)
    await page.context().close()
  })

  test('writes an answer with links to its passages, without invented sentences', async () => {
    const page = await at.open(
      `/${at.slug}/playground?bases=["${baseId}"]&q=${encodeURIComponent('"Can I leave my luggage in a locker?"')}`,
    )
    await page.getByRole('button', { name: 'Write an answer' }).click()
    const answer = page.getByRole('region', { name: 'Answer', exact: true })
    await answer.getByText('There are lockers beside the desk', { exact: false }).waitFor()
    await answer.getByText('1 sentence was left out', { exact: false }).waitFor()
    expect(await answer.innerText()).not.toContain('99')
    await answer
      .getByRole('button', { name: /^Passage \d$/ })
      .first()
      .click()
    await expect.poll(() => page.locator(':focus').innerText()).toContain('lockers beside the desk')
    await expectAccessible(page)
    await screenshot(page, 'playground-answer-written')
    await expectNoSidewaysScroll(page)
    expectNoFaults(page)
    await page.context().close()
  })

  test('marks the row of a table that answers the question', async () => {
    const { id } = await at.api.bases.create({ name: 'Prices' })
    const rows = ['| Class | Deposit |', '| --- | --- |', '| City bike | £150 |', '| E-bike | £350 |', '| Tandem | £200 |']
    const { storageUrl } = await at.api.uploads.create(new TextEncoder().encode(`# Prices\n\nWe take no cash.\n\n${rows.join('\n')}\n`), {
      name: 'prices.md',
      type: 'text/markdown',
    })
    const source = await at.api.bases.sources.create(id, { type: 'file', name: 'prices.md', storageUrl })
    await at.api.bases.sources.waitUntilProcessed(id, source.id)
    const page = await at.open(`/${at.slug}/playground?bases=["${id}"]&q=${encodeURIComponent('"What is the deposit for an e-bike?"')}`)
    const first = page.getByRole('listitem', { name: 'Passage 1', exact: true })
    await expect.poll(() => first.locator('mark').allInnerTexts()).toEqual(['E-bike', '£350'])
    await page
      .getByRole('status')
      .getByText(/^(?:Likely|Possibly) answered \(0\.\d+\)$/)
      .waitFor()
    await expectAccessible(page)
    await screenshot(page, 'playground-row')
    expectNoFaults(page)
    await page.context().close()
  })

  test('shows code as it is, in search results and in the text of its source', async () => {
    const { id } = await at.api.bases.create({ name: 'Client' })
    const code = [
      'import { Client } from "@acme/rental"',
      '',
      'const client = new Client({',
      '  token: "<img src=x onerror=alert(1)>",',
      '})',
    ]
    const text = `# Rental client\n\nCreate the client with a token.\n\n\`\`\`ts\n${code.join('\n')}\n\`\`\`\n\nIt returns bicycles.\n`
    const { storageUrl } = await at.api.uploads.create(new TextEncoder().encode(text), { name: 'client.md', type: 'text/markdown' })
    const source = await at.api.bases.sources.create(id, { type: 'file', name: 'client.md', storageUrl })
    await at.api.bases.sources.waitUntilProcessed(id, source.id)
    const page = await at.open(
      `/${at.slug}/playground?bases=["${id}"]&q=${encodeURIComponent('"How is the client created with a token?"')}`,
    )
    const first = page.getByRole('listitem', { name: 'Passage 1', exact: true })
    await expect.poll(() => first.locator('pre').textContent()).toContain(code.join('\n'))
    expect(await page.evaluate<string>(`getComputedStyle(document.querySelector('li pre')).fontFamily`)).toContain('mono')
    await expect.poll(() => first.locator('p mark').allInnerTexts()).toEqual(['Create the client with a token.'])
    expect(await first.locator('img').count()).toBe(0)
    await expectAccessible(page)
    await screenshot(page, 'playground-code')
    await first.getByRole('link', { name: 'Rental client' }).click()
    await expect.poll(() => page.locator('pre').textContent()).toBe(code.join('\n'))
    await expectAccessible(page)
    await screenshot(page, 'source-code')
    expectNoFaults(page)
    await page.context().close()
  })

  test('keeps options in the URL, validates the filter, and shows the same search as API calls', async () => {
    const page = await at.open(`/${at.slug}/playground?bases=["${baseId}"]&topK=2&neighbours=1`, { width: 'phone' })
    await page.getByLabel('Max passages', { exact: true }).waitFor()
    await expect.poll(() => page.getByLabel('Max passages', { exact: true }).inputValue()).toBe('2')
    await page.getByRole('textbox', { name: 'Question' }).fill('Where do I park?')
    await page.getByLabel('Metadata filter').fill('{"key": ')
    await page.getByRole('button', { name: 'Ask' }).click()
    await page.getByText('The filter is not valid JSON', { exact: false }).waitFor()
    await page.getByLabel('Metadata filter').fill('{"key": "audience"}')
    await page.getByRole('button', { name: 'Ask' }).click()
    await page.getByText('This filter is not valid.', { exact: false }).first().waitFor()
    await expectAccessible(page)
    await page.getByLabel('Metadata filter').fill('{"key": "audience", "eq": "guests"}')
    await page.getByRole('button', { name: 'Ask' }).click()
    const first = page.getByRole('listitem', { name: 'Passage 1', exact: true })
    await first.getByText('fish market', { exact: false }).first().waitFor()
    await expect.poll(() => page.getByRole('listitem', { name: /^Passage \d+$/ }).count()).toBe(2)
    const call = await page.getByRole('region', { name: 'curl' }).innerText()
    expect(call).toContain(`/v1/bases/${baseId}/search`)
    expect(JSON.parse(/-d '([^']*)'/.exec(call)?.[1] ?? '')).toEqual({
      query: 'Where do I park?',
      topK: 2,
      neighbours: 1,
      filter: { key: 'audience', eq: 'guests' },
    })
    await page.getByRole('tab', { name: 'MCP configuration' }).click()
    await expect.poll(() => page.getByRole('region', { name: 'MCP configuration' }).innerText()).toContain(`${at.url}/mcp`)
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await screenshot(page, 'playground-options')
    expectNoFaults(page)
    await page.context().close()
  })

  test('links from a passage to its position in a long text', async () => {
    const { id } = await at.api.bases.create({ name: 'Handbook', ragSettings: { chunkSize: 64, chunkOverlap: 0 } })
    const sections = Array.from({ length: 240 }, (_, index) => `## Room ${index + 1}\n\nThe key of this room hangs on hook ${index + 501}.`)
    sections[219] = '## Boiler\n\nThe heating is switched on beneath the eastern staircase.'
    const { storageUrl } = await at.api.uploads.create(new TextEncoder().encode(sections.join('\n\n')), {
      name: 'rooms.md',
      type: 'text/markdown',
    })
    const source = await at.api.bases.sources.create(id, { type: 'file', name: 'rooms.md', storageUrl })
    await at.api.bases.sources.waitUntilProcessed(id, source.id)
    const { data } = await at.api.bases.search(id, { query: 'Where is the heating switched on?', topK: 1 })
    expect((await at.api.bases.sources.get(id, source.id)).chunksCount).toBeGreaterThan(200)

    const page = await at.open(`/${at.slug}/playground?bases=["${id}"]&q=${encodeURIComponent('"Where is the heating switched on?"')}`)
    const first = page.getByRole('listitem', { name: 'Passage 1', exact: true })
    await first.getByRole('link', { name: 'rooms.md' }).click()
    const passage = page.locator('[aria-current="true"].passage')
    await passage.getByText('eastern staircase', { exact: false }).waitFor()
    const { height } = page.viewportSize() ?? { height: 0 }
    await expect
      .poll(async () => {
        const box = await passage.boundingBox()
        return box !== null && box.y >= 0 && box.y + box.height <= height
      })
      .toBe(true)
    await expect.poll(() => new URL(page.url()).searchParams.get('chunk')).toBe(data[0]?.chunkId)
    await expectAccessible(page)
    await screenshot(page, 'source-passage')

    await at.api.bases.sources.replace(id, source.id, {
      storageUrl: (await at.api.uploads.create(new TextEncoder().encode('Nothing.'), { name: 'rooms.md', type: 'text/markdown' }))
        .storageUrl,
    })
    await at.api.bases.sources.waitUntilProcessed(id, source.id)
    await page.reload()
    await page.getByText('This passage no longer exists', { exact: false }).waitFor()
    expectNoFaults(page)
    await page.context().close()
  })

  test('saves a question with its expected source', async () => {
    const page = await at.open(`/${at.slug}/playground?q=${encodeURIComponent('Where do I park the car?')}`)
    const first = page.getByRole('listitem', { name: 'Passage 1', exact: true })
    await first.getByRole('button', { name: 'Save as evaluation question' }).click()
    const form = page.getByRole('dialog', { name: 'Save evaluation question' })
    await expect.poll(() => form.getByLabel('Question').inputValue()).toBe('Where do I park the car?')
    await expect.poll(() => form.getByLabel('Expected text').inputValue()).toContain('fish market')
    await form.getByLabel('Expected text').fill('fish market')
    await expectAccessible(page)
    await screenshot(page, 'playground-save')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The question was saved.').waitFor()
    const [saved] = (await at.api.bases.questions.list(baseId).page()).data
    expect(saved).toMatchObject({ question: 'Where do I park the car?', expectedText: 'fish market' })
    expect(saved?.expectedSourceIds).toHaveLength(1)
    expectNoFaults(page)
    await page.context().close()
  })
})
