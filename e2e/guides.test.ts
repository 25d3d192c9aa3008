import { describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { chromiumPath, expectNoFaults, expectNoSidewaysScroll, sharedDashboard, violationsOf } from './dashboard/browser.ts'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

const screenshots = process.env['DASHBOARD_SCREENSHOTS']

describe.skipIf(chromiumPath === undefined)('the guides and the API reference', () => {
  const at = sharedDashboard()

  test('guides are accessible in both themes, on phones too, and can be searched', async () => {
    const page = await at.visit('/docs')
    await page.getByRole('heading', { level: 1, name: 'Groundwork' }).waitFor()
    await expectAccessibleGuide(page, 'guides-start')
    await page.getByRole('navigation', { name: 'Guides' }).getByRole('link', { name: 'Errors, retries and rate limits' }).click()
    await page.getByRole('heading', { level: 1, name: 'Errors, retries and rate limits' }).waitFor()
    await expectAccessibleGuide(page, 'guides-page')
    await page.getByRole('searchbox', { name: 'Search the guides' }).fill('vector store')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: /OpenAI vector stores/ }).waitFor()
    await expectAccessibleGuide(page, 'guides-search')
    await page.getByRole('link', { name: /OpenAI vector stores/ }).click()
    await page.getByRole('heading', { level: 2, name: 'OpenAI vector stores' }).waitFor()
    expect(new URL(page.url()).hash).toBe('#openai-vector-stores')
    expectNoFaults(page)
    await page.context().close()
  })

  test('the API reference is accessible, and former links to operations lead to it', async () => {
    const page = await at.visit('/docs#/contacts/contacts.create')
    await page.waitForURL('**/docs/reference#/contacts/contacts.create')
    await page.getByRole('button', { name: 'Execute' }).waitFor()
    expect(describeViolations(await violationsOf(page))).toEqual([])
    await shoot(page, 'reference-operation')
    await page.goto('/docs/reference')
    await page.getByRole('link', { name: 'GET /v1/contacts List contacts' }).click()
    await page.getByRole('button', { name: 'Execute' }).waitFor()
    await page.goto('/docs')
    await page.goto('/docs/reference')
    await page.getByRole('button', { name: 'Authorize' }).click()
    await page.getByRole('heading', { name: 'Available authorizations' }).waitFor()
    await page.goto('/docs')
    await page.goto('/docs/reference')
    await page.getByRole('heading', { name: 'Operations' }).waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.evaluate(`Promise.allSettled(document.getAnimations().map(({ finished }) => finished))`)
      expect([colorScheme, describeViolations(await violationsOf(page))]).toEqual([colorScheme, []])
    }
    await shoot(page, 'reference')
    await page.getByRole('link', { name: 'Guides' }).click()
    await page.getByRole('heading', { level: 1, name: 'Groundwork' }).waitFor()
    expectNoFaults(page)
    await page.context().close()
  })

  test('pages of the dashboard link to their guide', async () => {
    const page = await at.open(`/${at.slug}/settings/webhooks`)
    const [guide] = await Promise.all([page.context().waitForEvent('page'), page.getByRole('link', { name: 'Guide', exact: true }).click()])
    await guide.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
    expect(new URL(guide.url()).pathname).toBe('/docs/webhooks')
    await page.context().close()
  })
})

const describeViolations = (violations: Awaited<ReturnType<typeof violationsOf>>): string[] =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html, any }) => `${id}: ${html.slice(0, 160)} ${any[0]?.message ?? ''}`))

async function expectAccessibleGuide(page: Page, name: string): Promise<void> {
  const size = page.viewportSize()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect([name, colorScheme, describeViolations(await violationsOf(page))]).toEqual([name, colorScheme, []])
    await shoot(page, `${name}-${colorScheme}`)
  }
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  await shoot(page, `${name}-phone`)
  if (size !== null) await page.setViewportSize(size)
}

async function shoot(page: Page, name: string): Promise<void> {
  if (screenshots === undefined) return
  await mkdir(screenshots, { recursive: true })
  await page.screenshot({ path: join(screenshots, `${name}.png`) })
}
