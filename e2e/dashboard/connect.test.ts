import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { program, root } from '../program.ts'
import { chromiumPath, expectAccessible, expectNoFaults, expectNoSidewaysScroll, screenshot, sharedDashboard } from './browser.ts'
import { linkIn } from './mail-folder.ts'
import { owner } from './signed-in.ts'

const run = promisify(execFile)

describe.skipIf(chromiumPath === undefined)('connecting an application', () => {
  const at = sharedDashboard()
  let baseId: string

  beforeAll(async () => {
    baseId = (await at.api.bases.create({ name: 'Front desk' })).id
    const content = await readFile(join(root, 'examples/faq.md'))
    const { storageUrl } = await at.api.uploads.create(new Uint8Array(content), { name: 'faq.md', type: 'text/markdown' })
    const source = await at.api.bases.sources.create(baseId, { type: 'file', name: 'FAQ', storageUrl })
    await at.api.bases.sources.waitUntilProcessed(baseId, source.id)
  }, 600_000)

  test('six clicks lead from the first start to an answer from an own document, and three more to a request that works', async () => {
    const fresh = await program(onTestFinished)
    await fresh.start()
    await expect.poll(() => linkIn(fresh.output())).not.toBe('')
    const page = await at.visit(linkIn(fresh.output()))
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: fresh.url })
    let clicks = 0
    const click = async (role: 'button' | 'link', name: string | RegExp): Promise<void> => {
      clicks += 1
      await page.getByRole(role, { name, exact: true }).first().click()
    }
    for (const [label, text] of Object.entries({ Organization: 'Harbour Cycles', 'Your name': owner.name, 'Email address': owner.email }))
      await page.getByLabel(label).fill(text)
    await page.locator('input[type=password]').fill(owner.password)
    await click('button', 'Create organization')
    await click('link', /^Create a knowledge base/)
    await click('button', 'Create knowledge base')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Front desk')
    clicks += 1
    await dialog.getByRole('button', { name: 'Create knowledge base' }).click()
    page.once('filechooser', (chooser) => void chooser.setFiles(join(root, 'examples/faq.md')))
    await click('button', 'Upload files')
    await page.getByRole('row').getByText('Ready', { exact: true }).waitFor()
    await click('link', 'Try it')
    await page.getByRole('textbox', { name: 'Question' }).fill('Can I leave my suitcase with you?')
    await page.keyboard.press('Enter')
    await page.getByRole('listitem', { name: 'Passage 1', exact: true }).getByText('lockers beside the desk', { exact: false }).waitFor()
    expect(clicks).toBe(6)

    await click('link', 'Connect an application')
    await click('button', 'Create token')
    await page.getByText('Waiting for the first request').waitFor()
    clicks += 1
    const command = await copied(page, page.getByRole('button', { name: 'Copy: REST' }))
    const { stdout } = await run('sh', ['-c', command])
    expect((JSON.parse(stdout) as { data: unknown[] }).data.length).toBeGreaterThan(0)
    await page.getByText('First request received').waitFor()
    expect(clicks).toBe(9)
    expectNoFaults(page)
    await page.context().close()
  })

  test('three clicks lead from an answer in the playground to a request that works', async () => {
    const page = await at.open(`/${at.slug}/knowledge/${baseId}/sources`)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('link', { name: 'Try it' }).click()
    await page.getByRole('textbox', { name: 'Question' }).fill(`What's the rule for luggage?`)
    await page.keyboard.press('Enter')
    await page.getByRole('listitem', { name: 'Passage 1', exact: true }).getByText('lockers beside the desk', { exact: false }).waitFor()

    await page.getByRole('link', { name: 'Connect an application' }).click()
    await page.getByText('CREATE_A_TOKEN_FIRST').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'connect-start')
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByText('Waiting for the first request').waitFor()
    const command = await copied(page, page.getByRole('button', { name: 'Copy: REST' }))

    expect(command).toContain(`${at.url}/v1/bases/${baseId}/search`)
    const { stdout } = await run('sh', ['-c', command])
    expect((JSON.parse(stdout) as { data: { text: string }[] }).data[0]?.text).toContain('lockers beside the desk')
    await page.getByText('First request received').waitFor()
    await page.getByText(`POST /v1/bases/${baseId}/search · 200`, { exact: false }).waitFor()
    // Hides the tooltip of the button.
    await page.mouse.move(0, 0)
    await page.getByRole('tooltip').waitFor({ state: 'hidden' })
    await expectAccessible(page)
    await screenshot(page, 'connect-received')
    await expectNoSidewaysScroll(page)

    const [token] = (await at.api.tokens.list().page()).data
    expect(token).toMatchObject({ name: 'Connect: Front desk', scopes: ['search:read', 'bases:read'], baseIds: [baseId] })
    await page.getByRole('link', { name: 'Show requests made with this token' }).click()
    await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor()
    await page.getByText(`/v1/bases/${baseId}/search`).waitFor()
    expect(await page.getByText('POST').count()).toBe(2)
    expectNoFaults(page)
    await page.context().close()
  })

  test('the code for the SDK and for OpenAI runs as it is copied, and no snippet has a placeholder', async () => {
    const page = await at.open(`/${at.slug}/connect`)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Create token' }).click()
    await page
      .getByText(/gw_[0-9A-Za-z]{38}/)
      .first()
      .waitFor()
    const secret = /gw_[0-9A-Za-z]{38}/.exec(await copied(page, page.getByRole('button', { name: 'Copy: REST' })))?.[0] ?? ''
    expect(secret).not.toBe('')
    const folder = await mkdtemp(join(tmpdir(), 'gw-connect-'))
    await mkdir(join(folder, 'node_modules/@groundwork'), { recursive: true })
    await symlink(join(root, 'sdk'), join(folder, 'node_modules/@groundwork/sdk'))
    await symlink(join(root, 'node_modules/openai'), join(folder, 'node_modules/openai'))
    for (const name of ['TypeScript', 'OpenAI vector stores']) {
      await page.getByRole('tab', { name }).click()
      const file = join(folder, `${name.slice(0, 4)}.mjs`)
      await writeFile(file, await copied(page, page.getByRole('button', { name: `Copy: ${name}` })))
      const { stdout } = await run(process.execPath, [file])
      expect(stdout).toMatch(/^\d\.\d\d \S/)
    }
    await rm(folder, { recursive: true })
    for (const name of ['MCP', 'Vapi', 'Dify']) {
      await page.getByRole('tab', { name }).click()
      const text = await copied(page, page.getByRole('button', { name: `Copy: ${name}` }))
      for (const part of [at.url, secret]) expect(text).toContain(part)
      await screenshot(page, `connect-${name.toLowerCase()}`)
      const guide = new URL((await page.getByRole('link', { name: 'Read the guide' }).getAttribute('href')) ?? '', at.url)
      expect(await (await fetch(guide)).text()).toContain(`id="${guide.hash.slice(1)}"`)
    }
    await page.getByText('First request received').waitFor()
    expect(new URL(page.url()).searchParams.get('tab')).toBe('dify')
    expect(page.url()).not.toContain(secret)
    await page.reload()
    await page.getByText('CREATE_A_TOKEN_FIRST').waitFor()
    expectNoFaults(page)
    await page.context().close()
  })

  test('a refused request is shown, and the wait goes on', async () => {
    const page = await at.open(`/${at.slug}/knowledge/${baseId}/connect`)
    await page.getByRole('button', { name: 'Create token' }).click()
    const snippet = page.getByRole('region', { name: 'REST' })
    await expect.poll(() => snippet.innerText()).toContain('gw_')
    const token = /gw_[0-9A-Za-z]{38}/.exec(await snippet.innerText())?.[0] ?? ''
    const send = (path: string) => fetch(`${at.url}${path}`, { headers: { authorization: `Bearer ${token}` } })
    expect((await send('/v1/contacts')).status).toBe(403)
    await page.getByText('A request was refused').waitFor()
    await page.getByText('GET /v1/contacts · 403', { exact: false }).waitFor()
    await expectAccessible(page)
    expect((await send(`/v1/bases/${baseId}`)).status).toBe(200)
    await page.getByText('First request received').waitFor()
    await page.context().close()
  })
})

/** Clicks the button and returns the text of the clipboard. */
async function copied(page: Page, button: Locator): Promise<string> {
  await page.evaluate(`navigator.clipboard.writeText('')`)
  await button.click()
  const clipboard = (): Promise<string> => page.evaluate<string>('navigator.clipboard.readText()')
  await expect.poll(clipboard, { timeout: 60_000 }).not.toBe('')
  return clipboard()
}
