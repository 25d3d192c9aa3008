import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, dashboard, expectAccessible, expectNoFaults, expectNoSidewaysScroll, screenshot } from './browser.ts'

describe.skipIf(chromiumPath === undefined)('webhooks and the audit log', () => {
  let receiver: Server
  let url: string
  let answer = { status: 200, body: '{"taken":true}' }

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body))
    }).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`
  })
  afterAll(() => receiver.close())

  const at = dashboard(() => ({ FETCH_ALLOW_HOSTS: new URL(url).host }))

  test('an endpoint is made, its secret is shown once, and what it was sent and answered is seen as it happens', async () => {
    const page = await at.open(`/${at.slug}/settings/webhooks`)
    await page.getByText('No endpoint yet').waitFor()
    await page.getByRole('button', { name: 'New endpoint' }).click()
    const form = page.getByRole('dialog', { name: 'New endpoint' })
    await form.getByRole('textbox', { name: 'Address' }).fill('no address')
    await form.getByRole('button', { name: 'Create endpoint' }).click()
    await form.locator('[aria-invalid=true]').waitFor()
    await expectAccessible(page)
    await form.getByRole('textbox', { name: 'Address' }).fill(url)
    await form.getByRole('textbox', { name: 'Description' }).fill('Bookings')
    await form.getByRole('button', { name: 'Create endpoint' }).click()
    const shown = page.getByRole('dialog', { name: 'The endpoint was created' })
    expect(await shown.getByRole('region', { name: 'The signing secret' }).innerText()).toMatch(/^whsec_/)
    await expectAccessible(page)
    await shown.getByRole('button', { name: 'I have kept it' }).click()
    await page.getByRole('row', { name: /Bookings.*Working/ }).waitFor()

    await page.getByRole('link', { name: url }).click()
    await page.getByRole('heading', { level: 1, name: url }).waitFor()
    await page.getByRole('button', { name: 'Send test event' }).click()
    await page.getByRole('row', { name: /Test event.*Delivered.*answered 200/ }).waitFor()
    await at.api.contacts.create({ email: 'ada@example.com' })
    await page.getByRole('row', { name: /A contact was created.*Delivered/ }).waitFor()
    await page.getByRole('button', { name: 'A contact was created' }).click()
    const drawer = page.getByRole('dialog', { name: 'Delivery' })
    await drawer
      .getByRole('region', { name: 'What was sent', exact: true })
      .getByText('"email": "ada@example.com"', { exact: false })
      .waitFor()
    await drawer.getByRole('region', { name: 'Attempt 1: What was answered' }).getByText('"taken": true', { exact: false }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'webhook-delivery')
    await drawer.getByRole('button', { name: 'Send again' }).click()
    await drawer.getByText('Attempt 2: answered 200').waitFor()
    expectNoFaults(page)
    await page.context().close()
  })

  test('one that fails says why, can be disabled, enabled and sent what it missed, and is deleted after a warning', async () => {
    const page = await at.open(`/${at.slug}/settings/webhooks`)
    answer = { status: 500, body: 'out of order' }
    await at.api.contacts.create({ email: 'grace@example.com' })
    await page.getByRole('row', { name: /Bookings.*Failing/ }).waitFor()
    await page.getByRole('link', { name: url }).click()
    await page.getByText('It does not take what is sent').waitFor()
    await page.getByText('The last attempt: answered 500.').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'webhook-failing')
    await page.getByLabel('Status').selectOption('Waiting')
    await page.getByRole('row', { name: /A contact was created.*Waiting/ }).waitFor()
    expect(new URL(page.url()).searchParams.get('status')).toBe('pending')

    const menu = async (item: string): Promise<void> => {
      await page.getByRole('button', { name: 'More to do with this endpoint' }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await menu('Disable')
    await page.getByText('It is disabled').waitFor()
    await page.getByLabel('Status').selectOption('Cancelled')
    await page.getByRole('row', { name: /A contact was created.*Cancelled/ }).waitFor()
    answer = { status: 200, body: '' }
    await page.getByRole('button', { name: 'Enable' }).click()
    await page.getByRole('button', { name: 'Send failed ones again' }).click()
    await page.getByText('1 event is sent again.').waitFor()
    await page.getByLabel('Status').selectOption('Delivered')
    await expect.poll(() => page.getByRole('row', { name: /A contact was created.*Delivered/ }).count()).toBe(2)

    await menu('New secret…')
    await page.getByRole('dialog', { name: 'New signing secret' }).getByRole('button', { name: 'Make new secret' }).click()
    await page.getByRole('dialog', { name: 'The endpoint has a new secret' }).getByRole('button', { name: 'I have kept it' }).click()
    await page.getByText('Requests are also signed with the secret of before until', { exact: false }).waitFor()
    await menu('Edit')
    const form = page.getByRole('dialog', { name: 'Edit endpoint' })
    await form.getByRole('combobox', { name: 'Events' }).click()
    await page.getByRole('option', { name: 'A source failed' }).click()
    await page.keyboard.press('Escape')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('group', { name: 'Events' }).getByText('A source failed').waitFor()
    await menu('Delete…')
    await page.getByRole('dialog', { name: 'Delete this endpoint?' }).getByRole('button', { name: 'Delete endpoint' }).click()
    await page.getByText('No endpoint yet').waitFor()
    expectNoFaults(page)
    await page.context().close()
  })

  test('the audit log says in words who did what, and is filtered by the address', async () => {
    const page = await at.open(`/${at.slug}/settings/audit`)
    await page.getByRole('row', { name: /Olivia Owner deleted a webhook endpoint/ }).waitFor()
    await page
      .getByRole('row', { name: /The token “.*” created a contact/ })
      .first()
      .waitFor()
    await expectAccessible(page)
    await screenshot(page, 'audit')
    await page.getByLabel('Who').selectOption('Olivia Owner')
    await page
      .getByRole('row', { name: /created a contact/ })
      .first()
      .waitFor({ state: 'hidden' })
    await page.getByRole('combobox', { name: 'What happened' }).fill('deleted a webhook')
    await page.getByRole('option', { name: 'deleted a webhook endpoint' }).click()
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    expect(new URL(page.url()).searchParams.get('actions')).toBe('["webhook_endpoint.deleted"]')
    await page.reload()
    await page.getByRole('row', { name: /Olivia Owner deleted a webhook endpoint/ }).waitFor()
    expect(await page.getByRole('row').count()).toBe(2)
    await page.getByLabel('To', { exact: true }).fill('2020-01-01')
    await page.getByText('Nothing in the log fits these filters.').waitFor()
    await page.getByRole('button', { name: 'Show everything' }).click()
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
