import { describe, expect, test } from 'vitest'
import {
  chromiumPath,
  expectAccessible,
  expectListNearTop,
  expectNoFaults,
  expectNoSidewaysScroll,
  screenshot,
  sharedDashboard,
} from './browser.ts'

describe.skipIf(chromiumPath === undefined)('the request log', () => {
  const at = sharedDashboard()

  test('shows new requests, and filters them in the URL', async () => {
    const page = await at.open(`/${at.slug}/settings/requests`)
    await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor()
    const contact = await at.api.contacts.create({ email: 'ada@example.com' })
    await at.api.contacts.get(contact.id)
    await at.api.contacts.get('ctc_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8').catch(() => undefined)
    const rows = page.getByRole('table', { name: 'Requests' }).getByRole('row')
    await rows.filter({ hasText: `GET /v1/contacts/${contact.id}` }).waitFor()
    await page.getByLabel('Made by').selectOption({ label: 'All API tokens' })
    await page.getByLabel('Path').fill('/v1/contacts/{id}')
    await expect.poll(() => rows.count(), { timeout: 60_000 }).toBe(3)
    await page.getByLabel('Status').selectOption('4xx')
    await expect.poll(() => rows.count(), { timeout: 60_000 }).toBe(2)
    await rows.filter({ hasText: '404' }).waitFor()
    await expectListNearTop(page)
    await expectAccessible(page)
    await screenshot(page, 'requests')
    await expectNoSidewaysScroll(page)
    const { searchParams } = new URL(page.url())
    expect(Object.fromEntries(searchParams)).toEqual({ caller: 'token', path: '/v1/contacts/{id}', status: '4xx' })
    await page.reload()
    await expect.poll(() => rows.count(), { timeout: 60_000 }).toBe(2)
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await rows.filter({ hasText: 'POST /v1/contacts' }).waitFor()
    await page.getByLabel('Request ID').fill('req_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8')
    await page.getByText('No requests found').waitFor()
    await expectAccessible(page)
    expectNoFaults(page)
    await page.context().close()
  })

  test('is linked from the audit log and from failures', async () => {
    await at.api.bases.create({ name: 'Front desk' })
    const page = await at.open(`/${at.slug}/settings/audit`)
    const entry = page.getByRole('row').filter({ hasText: 'created a knowledge base' })
    const [ofEntry] = await Promise.all([page.context().waitForEvent('page'), entry.getByRole('link', { name: /^req_/ }).click()])
    await ofEntry.getByRole('row').filter({ hasText: 'POST /v1/bases' }).filter({ hasText: '201' }).waitFor()
    await entry.getByRole('link', { name: 'Front desk' }).click()
    await page.waitForURL('**/knowledge/kb_*/sources')
    await page.goto(`/app/${at.slug}/knowledge/kb_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8/sources`)
    const failure = page.getByRole('alert').getByRole('link', { name: /^req_/ })
    const [ofFailure] = await Promise.all([page.context().waitForEvent('page'), failure.first().click()])
    await ofFailure.getByRole('row').filter({ hasText: '404' }).waitFor()
    expectNoFaults(page)
    await page.context().close()
  })
})
