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

describe.skipIf(chromiumPath === undefined)('API tokens', () => {
  const at = sharedDashboard()

  const statusOf = async (path: string, token: string, body?: object): Promise<number> => {
    const init = { headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } }
    const response = await fetch(`${at.program.url}${path}`, body ? { ...init, method: 'POST', body: JSON.stringify(body) } : init)
    return response.status
  }

  test('creates a token with the keyboard, shows its secret once, and limits it to the selected permissions', async () => {
    const base = await at.api.bases.create({ name: 'Front desk' })
    const other = await at.api.bases.create({ name: 'Back office' })
    const page = await at.open(`/${at.slug}/settings/tokens`)
    await page.getByRole('heading', { level: 1, name: 'API tokens' }).waitFor()
    await tabTo(page, page.getByRole('button', { name: 'Create token' }))
    await page.keyboard.press('Enter')
    const form = page.getByRole('dialog', { name: 'Create token' })
    await form.getByLabel('Name').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('Phone agent')
    await expectAccessible(page)
    await screenshot(page, 'token-create')
    await expect.poll(() => form.getByLabel('Use case').inputValue()).toBe('voice')
    await tabTo(page, form.getByRole('checkbox', { name: 'Contacts: Read' }))
    await page.keyboard.press('Space')
    await expect.poll(() => form.getByLabel('Use case').inputValue()).toBe('own')
    await page.keyboard.press('Space')
    await tabTo(page, form.getByRole('combobox', { name: 'Knowledge bases' }))
    await page.keyboard.type('front')
    await page.getByRole('option', { name: 'Front desk' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await tabTo(page, form.getByRole('button', { name: 'Create token' }))
    await page.keyboard.press('Enter')
    const shown = page.getByRole('dialog', { name: 'Token created' })
    const secret = await shown.getByRole('region', { name: 'API token' }).innerText()
    expect(secret).toMatch(/^gw_[0-9A-Za-z]{38}$/)
    await expect.poll(() => shown.getByRole('region', { name: 'Try it' }).innerText()).toContain(`/v1/bases/${base.id}/search`)
    await expectAccessible(page)
    await screenshot(page, 'token-secret')
    await page.keyboard.press('Escape')
    await shown.waitFor()
    await tabTo(page, shown.getByRole('button', { name: 'I’ve saved it' }))
    await page.keyboard.press('Enter')
    await shown.waitFor({ state: 'hidden' })
    await page.getByRole('row', { name: /Phone agent/ }).waitFor()
    expect(await page.content()).not.toContain(secret)

    expect(await statusOf(`/v1/bases/${base.id}/search`, secret, { query: 'When do you open?' })).toBe(200)
    expect(await statusOf(`/v1/bases/${other.id}/search`, secret, { query: 'When do you open?' })).toBe(404)
    expect(await statusOf('/v1/contacts', secret)).toBe(403)
    expectNoFaults(page)
    await page.context().close()
  })

  test('renames a token, rotates its secret with an overlap, and revokes it after a confirmation', async () => {
    const { token: before } = await at.api.tokens.create({ name: 'Importer', scopes: ['bases:read', 'sources:read', 'sources:write'] })
    const page = await at.open(`/${at.slug}/settings/tokens`)
    const menu = async (item: string, name = 'Importer'): Promise<void> => {
      await page.getByRole('button', { name: `Actions for ${name}` }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await menu('Rename token')
    await page.getByRole('dialog', { name: 'Rename token' }).getByLabel('Name').fill('Nightly import')
    await page.keyboard.press('Enter')
    await page.getByRole('row', { name: /Nightly import/ }).waitFor()

    await menu('Rotate secret', 'Nightly import')
    const rotation = page.getByRole('dialog', { name: 'Rotate the secret of Nightly import' })
    await rotation.getByLabel('Current secret').selectOption('Expires in 1 hour')
    await expectAccessible(page)
    await rotation.getByRole('button', { name: 'Rotate secret' }).click()
    const shown = page.getByRole('dialog', { name: 'Secret rotated' })
    const after = await shown.getByRole('region', { name: 'API token' }).innerText()
    // The secret stays when a phone is turned, which replaces the table by cards.
    const table = page.getByRole('table', { name: 'API tokens', includeHidden: true })
    await page.setViewportSize({ width: 390, height: 844 })
    await expect.poll(() => table.count()).toBe(0)
    await page.setViewportSize({ width: 1440, height: 900 })
    await expect.poll(() => table.count()).toBe(1)
    expect(await shown.getByRole('region', { name: 'API token' }).innerText()).toBe(after)
    await shown.getByRole('button', { name: 'I’ve saved it' }).click()
    expect(after).not.toBe(before)
    expect([await statusOf('/v1/bases', before), await statusOf('/v1/bases', after)]).toEqual([200, 200])

    await menu('Revoke token', 'Nightly import')
    const warning = page.getByRole('dialog', { name: 'Revoke Nightly import?' })
    await warning.getByText('This cannot be undone', { exact: false }).waitFor()
    await screenshot(page, 'token-revoke')
    await expectAccessible(page)
    await warning.getByRole('button', { name: 'Revoke token' }).click()
    await page.getByRole('row', { name: /Nightly import.*Revoked/ }).waitFor()
    await expect.poll(async () => [await statusOf('/v1/bases', before), await statusOf('/v1/bases', after)]).toEqual([401, 401])
    await expectAccessible(page)
    await screenshot(page, 'tokens')
    expectNoFaults(page)
    await page.context().close()
  })

  test('shows validation errors at their fields and keeps the form values', async () => {
    const page = await at.open(`/${at.slug}/settings/tokens`, { width: 'phone' })
    await page.getByRole('button', { name: 'Create token' }).click()
    const form = page.getByRole('dialog', { name: 'Create token' })
    await form.getByRole('checkbox', { name: 'Search: Read' }).uncheck()
    await form.getByLabel('Expires').selectOption('Never')
    await form.getByRole('button', { name: 'Create token' }).click()
    await form.getByText('This field is required.').waitFor()
    await form.getByText(/Choose at least one/).waitFor()
    await expect.poll(() => form.getByLabel('Expires').inputValue()).toBe('never')
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    expectNoFaults(page)
    await page.context().close()
  })

  test('by keyboard: finds a publishable token and its origins, sorts tokens, and revokes selected ones', async () => {
    const base = await at.api.bases.create({ name: 'Opening hours' })
    await at.api.tokens.create({
      name: 'Search on the website',
      scopes: ['search:read'],
      baseIds: [base.id],
      publishable: { origins: ['https://shop.example.com'], requestsPerMinute: 90 },
    })
    const long = `Importer ${'with a name that is longer than its column '.repeat(4)}`.trim()
    for (const name of ['Zebra', 'Yak', long]) await at.api.tokens.create({ name, scopes: ['search:read'] })
    const page = await at.open(`/${at.slug}/settings/tokens`)
    await page.getByRole('row', { name: /gwp_….*Publishable.*shop\.example\.com.*Opening hours/ }).waitFor()
    await expectListNearTop(page)
    const cell = await page.getByRole('button', { name: long, exact: true }).boundingBox()
    expect(cell?.width).toBeLessThan(400)
    await page.keyboard.press('/')
    await page.keyboard.type('SHOP.example')
    await page.getByRole('row', { name: /Zebra/ }).waitFor({ state: 'hidden' })
    await expect.poll(() => new URL(page.url()).search).toBe('?q=SHOP.example')
    await tabTo(page, page.getByRole('button', { name: 'Search on the website', exact: true }))
    await page.keyboard.press('Enter')
    const details = page.getByRole('dialog', { name: 'Search on the website' })
    for (const text of ['https://shop.example.com', '90 requests per minute', 'Opening hours']) await details.getByText(text).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'token-details')
    await page.keyboard.press('Escape')
    await details.waitFor({ state: 'hidden' })
    await page.goto(`/app/${at.slug}/settings/tokens?sort=-name&state=active`)
    await page.locator('th[aria-sort=descending]').waitFor()
    await page.getByRole('row', { name: /Zebra/ }).waitFor()
    const names = (): Promise<string[]> => page.locator('.row-link').allInnerTexts()
    expect((await names()).slice(0, 2)).toEqual(['Zebra', 'Yak'])
    for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key)
    const selection = page.getByRole('region', { name: 'Selected tokens' })
    await selection.getByText('2 selected').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'tokens-selected')
    await tabTo(page, selection.getByRole('button', { name: 'Revoke tokens' }))
    await page.keyboard.press('Enter')
    const question = page.getByRole('dialog', { name: 'Revoke 2 tokens?' })
    await question.getByText('They have never been used. This cannot be undone.').waitFor()
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Revoke tokens' }).press('Enter')
    await page.getByText('2 tokens were revoked.').waitFor()
    await page.getByRole('row', { name: /Zebra/ }).waitFor({ state: 'hidden' })
    const { data } = await at.api.tokens.list({ limit: 100 }).page()
    expect(data.flatMap(({ name, revokedAt }) => (revokedAt === null ? [] : [name])).toSorted()).toEqual(
      expect.arrayContaining(['Yak', 'Zebra']),
    )
    await page.setViewportSize({ width: 360, height: 740 })
    await page.getByRole('button', { name: 'Filters, 1 active' }).waitFor()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    expectNoFaults(page)
    await page.context().close()
  })

  test('offers a knowledge base that is older than 100 others', async () => {
    await at.api.bases.create({ name: 'The very first' })
    for (let made = 0; made < 100; made += 1) await at.api.bases.create({ name: `Later ${made}` })
    const page = await at.open(`/${at.slug}/settings/tokens`)
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByRole('dialog', { name: 'Create token' }).getByRole('combobox', { name: 'Knowledge bases' }).fill('very first')
    await page.getByRole('option', { name: 'The very first' }).click()
    expectNoFaults(page)
    await page.context().close()
  })
})
