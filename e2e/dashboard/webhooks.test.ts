import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  chromiumPath,
  dashboard,
  expectAccessible,
  expectListNearTop,
  expectNoFaults,
  expectNoSidewaysScroll,
  screenshot,
} from './browser.ts'

describe.skipIf(chromiumPath === undefined)('webhooks and the audit log', () => {
  let receiver: Server
  let url: string
  let answer = { status: 200, body: '{"taken":true}' }
  /** Answers wait for it. */
  let released = Promise.resolve()

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      request.resume().on('end', () => {
        void released.then(() => response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body))
      })
    }).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`
  })
  afterAll(() => receiver.close())

  const at = dashboard(() => ({ FETCH_ALLOW_HOSTS: new URL(url).host }))

  test('creates an endpoint, shows its secret once, and shows requests and responses as they happen', async () => {
    const page = await at.open(`/${at.slug}/settings/webhooks`)
    await page.getByText('No endpoints yet').waitFor()
    await page.getByRole('button', { name: 'Create endpoint' }).click()
    const form = page.getByRole('dialog', { name: 'Create endpoint' })
    await form.getByRole('textbox', { name: 'URL' }).fill('no address')
    await form.getByRole('button', { name: 'Create endpoint' }).click()
    await form.locator('[aria-invalid=true]').waitFor()
    await expectAccessible(page)
    await form.getByRole('textbox', { name: 'URL' }).fill(url)
    await form.getByRole('textbox', { name: 'Description' }).fill('Bookings')
    await form.getByRole('button', { name: 'Create endpoint' }).click()
    const shown = page.getByRole('dialog', { name: 'Endpoint created' })
    await expect.poll(() => shown.getByRole('region', { name: 'Signing secret' }).innerText()).toMatch(/^whsec_/)
    await expectAccessible(page)
    await shown.getByRole('button', { name: 'I’ve saved it' }).click()
    await page.getByRole('row', { name: /Bookings.*Active/ }).waitFor()

    await page.getByRole('link', { name: url }).click()
    await page.getByRole('heading', { level: 1, name: url }).waitFor()
    await page.getByRole('button', { name: 'Send test event' }).click()
    await page.getByRole('row', { name: /Test event.*Delivered.*HTTP 200/ }).waitFor()
    await at.api.contacts.create({ email: 'ada@example.com' })
    await page.getByRole('row', { name: /Contact created.*Delivered/ }).waitFor()
    await page.getByRole('button', { name: 'Contact created' }).click()
    const drawer = page.getByRole('dialog', { name: 'Delivery' })
    await drawer
      .getByRole('region', { name: 'Request body', exact: true })
      .getByText('"email": "ada@example.com"', { exact: false })
      .waitFor()
    await drawer.getByRole('region', { name: 'Attempt 1: Response body' }).getByText('"taken": true', { exact: false }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'webhook-delivery')
    await drawer.getByRole('button', { name: 'Resend event' }).click()
    await drawer.getByText('Attempt 2: HTTP 200').waitFor()
    expectNoFaults(page)
    await page.context().close()
  })

  test('explains failures; disables, enables, resends, edits and deletes an endpoint', async () => {
    const page = await at.open(`/${at.slug}/settings/webhooks`)
    answer = { status: 500, body: 'out of order' }
    await at.api.contacts.create({ email: 'grace@example.com' })
    await page.getByRole('row', { name: /Bookings.*Failing/ }).waitFor()
    await expectListNearTop(page)
    await page.getByRole('link', { name: url }).click()
    await page.getByText('Deliveries are failing').waitFor()
    await page.getByText('Last attempt: HTTP 500.').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'webhook-failing')
    await page.getByLabel('Status').selectOption('Pending')
    await page.getByRole('row', { name: /Contact created.*Pending/ }).waitFor()
    await expect.poll(() => new URL(page.url()).searchParams.get('status')).toBe('pending')

    const menu = async (item: string): Promise<void> => {
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await menu('Disable endpoint')
    await page.getByText('This endpoint is disabled').first().waitFor()
    await page.getByRole('button', { name: 'Resend failed deliveries', disabled: true }).waitFor()
    await page.getByLabel('Status').selectOption('Cancelled')
    await page.getByRole('row', { name: /Contact created.*Cancelled/ }).waitFor()
    answer = { status: 200, body: '' }
    let release = (): void => undefined
    released = new Promise((resolve) => (release = resolve))
    await page.getByRole('button', { name: 'Enable endpoint' }).click()
    await page.getByRole('button', { name: 'Resend failed deliveries', disabled: false }).click()
    await page.getByText('Resending 1 event.').waitFor()
    await page.getByLabel('Status').selectOption('Delivered')
    const delivered = page.getByRole('row', { name: /Contact created.*Delivered/ })
    await delivered.waitFor()
    expect(await delivered.count()).toBe(1)
    release()
    await expect.poll(() => delivered.count()).toBe(2)

    await menu('Rotate secret')
    await page.getByRole('dialog', { name: 'Rotate signing secret' }).getByRole('button', { name: 'Rotate secret' }).click()
    await page.getByRole('dialog', { name: 'Signing secret rotated' }).getByRole('button', { name: 'I’ve saved it' }).click()
    await page.getByText('The previous secret expires', { exact: false }).waitFor()
    await menu('Edit endpoint')
    const form = page.getByRole('dialog', { name: 'Edit endpoint' })
    await form.getByRole('combobox', { name: 'Events' }).click()
    await page.getByRole('option', { name: 'Source failed' }).click()
    await page.keyboard.press('Escape')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('group', { name: 'Events' }).getByText('Source failed').waitFor()
    await menu('Delete endpoint')
    await page
      .getByRole('dialog', { name: /^Delete the endpoint http/ })
      .getByRole('button', { name: 'Delete endpoint' })
      .click()
    await page.getByText('No endpoints yet').waitFor()
    expectNoFaults(page)
    await page.context().close()
  })

  test('describes actions in the audit log and keeps its filters in the URL', async () => {
    const page = await at.open(`/${at.slug}/settings/audit`)
    await page.getByRole('row', { name: /Olivia Owner deleted a webhook endpoint/ }).waitFor()
    await page
      .getByRole('row', { name: /Token “.*” created a contact/ })
      .first()
      .waitFor()
    await expectListNearTop(page)
    await expectAccessible(page)
    await screenshot(page, 'audit')
    await page.getByLabel('Performed by').selectOption('Olivia Owner')
    await page
      .getByRole('row', { name: /created a contact/ })
      .first()
      .waitFor({ state: 'hidden' })
    await page.getByRole('combobox', { name: 'Activity' }).fill('deleted a webhook')
    await page.getByRole('option', { name: 'deleted a webhook endpoint' }).click()
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    await expect.poll(() => new URL(page.url()).searchParams.get('actions')).toBe('["webhook_endpoint.deleted"]')
    await page.reload()
    await page.getByRole('row', { name: /Olivia Owner deleted a webhook endpoint/ }).waitFor()
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    await page.getByLabel('To', { exact: true }).fill('2020-01-01')
    await page.getByText('No entries match these filters.').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page
      .getByRole('row', { name: /created a contact/ })
      .first()
      .waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    expectNoFaults(page)
    await page.context().close()
  })
})
