import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../program.ts'
import { chromiumPath, dashboard, expectAccessible, expectNoFaults, expectNoSidewaysScroll, screenshot } from './browser.ts'

const dayMs = 86_400_000

describe.skipIf(chromiumPath === undefined)('the home page of an organization', () => {
  let receiver: Server
  let hook: string
  beforeAll(async () => {
    receiver = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(500).end())
    }).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  })
  afterAll(() => receiver.close())

  const at = dashboard(() => ({ FETCH_ALLOW_HOSTS: new URL(hook).host }))

  test('a new organization shows the first steps, checks them off, and hides them on request', async () => {
    const page = await at.open(`/${at.slug}`)
    const steps = page.getByRole('region', { name: 'Get started' })
    await steps.getByText('1 of 5 done').waitFor()
    await steps.getByRole('link', { name: /Connect an application : Done/ }).waitFor()
    await page.getByRole('region', { name: 'Needs attention' }).getByRole('status').getByText('Nothing needs attention').waitFor()
    await page.getByText('No searches yet', { exact: false }).waitFor()
    await page.getByRole('region', { name: 'Pipeline' }).getByRole('link', { name: 'Create a proposal' }).waitFor()
    const activity = page.getByRole('region', { name: 'Recent activity' })
    await activity.getByRole('listitem').filter({ hasText: 'created an API token' }).getByRole('link').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'home-new')
    await expectNoSidewaysScroll(page)
    await expect.poll(() => steps.getByRole('link', { name: /Done/ }).count()).toBe(1)
    await at.api.bases.create({ name: 'Front desk' })
    await steps.getByText('2 of 5 done').waitFor()
    await steps.getByRole('link', { name: /Create a knowledge base : Done/ }).waitFor()
    await page.getByRole('link', { name: /1 knowledge base/ }).waitFor()
    const created = activity.getByRole('listitem').filter({ hasText: /^Token “.+” created a knowledge base/ })
    await expect.poll(() => created.getByRole('link').getAttribute('href')).toMatch(new RegExp(`^/app/${at.slug}/knowledge/kb_.+/sources$`))
    await created.getByRole('link', { name: 'Front desk' }).waitFor()
    await at.api.invitations.create({ email: 'robin@example.com', role: 'viewer' })
    await steps.getByRole('link', { name: /Invite a member/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await steps.getByText('3 of 5 done').waitFor()
    await steps.getByRole('button', { name: 'Hide these steps' }).click()
    await steps.waitFor({ state: 'hidden' })
    await page.reload()
    await page.getByRole('region', { name: 'Searches' }).waitFor()
    expect(await steps.count()).toBe(0)
    expectNoFaults(page)
    await page.context().close()
  })

  test('a failed source appears immediately and links to its page', async () => {
    const page = await at.open(`/${at.slug}`)
    const attention = page.getByRole('region', { name: 'Needs attention' })
    await attention.getByText('Nothing needs attention').first().waitFor()
    const { id } = await at.api.bases.create({ name: 'Manuals' })
    const { storageUrl } = await at.api.uploads.create(new TextEncoder().encode(' \n \n'), { name: 'blank.txt', type: 'text/plain' })
    const source = await at.api.bases.sources.create(id, { type: 'file', name: 'blank.txt', storageUrl })
    await expect.poll(async () => (await at.api.bases.sources.get(id, source.id)).status).toBe('failed')
    await attention.getByRole('heading', { level: 3, name: '1 source failed' }).waitFor()
    await attention.getByRole('status').getByText('1 item needs attention').waitFor()
    await attention.getByText(/^Manuals · No text was found\. If this is a scan/).waitFor()
    await attention.getByRole('link', { name: 'blank.txt' }).click()
    await page.getByRole('heading', { level: 1, name: 'blank.txt' }).waitFor()
    expectNoFaults(page)
    await page.context().close()
  })

  test('lists a failing webhook, an expiring proposal and unanswered questions, and charts searches', async () => {
    const page = await at.open(`/${at.slug}`)
    const attention = page.getByRole('region', { name: 'Needs attention' })
    await attention.getByText('1 source failed').waitFor()
    const webhook = await at.api.webhooks.create({ url: hook, description: 'Bookings' })
    const contact = await at.api.contacts.create({ email: 'ada@example.com' })
    await expect.poll(async () => (await at.api.webhooks.get(webhook.id)).failingSince).not.toBeNull()
    const { id: baseId } = await at.api.bases.create({ name: 'Contracts' })
    for (const query of ['May I bring a dog?', 'may I bring a dog', 'Is there a lift?']) await at.api.bases.search(baseId, { query })
    await expect.poll(async () => (await at.api.bases.retrievals.list(baseId, {}).page()).data.length).toBe(3)
    await at.api.proposals.create({
      title: 'Twelve bicycles',
      contactId: contact.id,
      totalAmount: '1200',
      currency: 'EUR',
      expiresAt: new Date(Date.now() + 2.25 * dayMs).toISOString(),
    })
    await attention.getByRole('heading', { level: 3, name: '1 failing webhook endpoint' }).waitFor()
    await attention.getByText(/^P-\d+ · €1,200\.00 · Expires in 2 days$/).waitFor()
    await attention.getByText(/^Contracts · asked 2 times · /).waitFor()
    await attention.getByRole('status').getByText('5 items need attention').waitFor()

    const searches = page.getByRole('region', { name: 'Searches' })
    await searches.getByText('3 searches · 3 unanswered').waitFor()
    await searches.getByRole('img', { name: /^Bar chart of searches per day. The maximum is 3, on / }).waitFor()
    await searches.getByRole('img', { name: /the median was [\d.,]+ ms and the 95th percentile was [\d.,]+ ms\.$/ }).waitFor()
    const today = searches.getByRole('table', { name: 'Searches by day' }).getByRole('row').nth(1)
    await expect
      .poll(() => today.getByRole('cell').allInnerTexts())
      .toEqual(['3', '3', expect.stringMatching(/ ms$/), expect.stringMatching(/ ms$/)])
    await page.getByRole('link', { name: /1 proposal 1 pending/ }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'home')
    await expectNoSidewaysScroll(page)

    for (const [link, heading] of [
      ['Bookings', hook],
      ['Twelve bicycles', 'Twelve bicycles'],
      ['Is there a lift?', 'Contracts'],
    ] as const) {
      await attention.getByRole('link', { name: link }).click()
      await page.getByRole('heading', { level: 1, name: heading }).waitFor()
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click()
    }
    await at.api.webhooks.delete(webhook.id)
    await at.api.proposals.create({ title: 'Another', contactId: contact.id, totalAmount: '1' })
    await attention.getByText('1 failing webhook endpoint').waitFor({ state: 'hidden' })
    expectNoFaults(page)
    await page.context().close()
  })

  test('shows the value of drafts, pending and accepted proposals in each currency, with links to their lists', async () => {
    const page = await at.open(`/${at.slug}`)
    const pipeline = page.getByRole('region', { name: 'Pipeline' })
    const { id: contactId } = await at.api.contacts.create({ email: 'grace@example.com' })
    const propose = (totalAmount: string, currency: string, draft = false) =>
      at.api.proposals.create({ title: 'Bicycles', contactId, totalAmount, currency, draft })
    await propose('1100.25', 'CHF', true)
    await propose('900', 'CHF', true)
    await propose('50', 'CHF')
    const { id } = await propose('300000', 'JPY')
    const sums = async (currency: string) => {
      const { pipeline: all } = await at.api.overview.get()
      return all?.filter((stage) => stage.currency === currency)
    }
    expect(await sums('CHF')).toMatchObject([{ totalAmount: '2000.25' }, { totalAmount: '50.00' }])
    await pipeline.getByRole('link', { name: /^Draft CHF.2,000\.25 2 proposals$/ }).waitFor()
    await pipeline.getByRole('link', { name: /^Pending CHF.50\.00 1 proposal$/ }).waitFor()
    await pipeline.getByRole('link', { name: /^Pending ¥300,000 1 proposal$/ }).waitFor()
    await pipeline.getByRole('img', { name: /^Bar chart .+ Draft: CHF.2,000\.25, pending: CHF.50\.00, accepted: CHF.0\.00\.$/ }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'home-pipeline')
    await expectNoSidewaysScroll(page)
    await at.api.proposals.void(id, { reason: 'x' })
    await pipeline.getByRole('link', { name: /¥/ }).first().waitFor({ state: 'detached' })
    await pipeline.getByRole('link', { name: /^Draft CHF/ }).click()
    await page.waitForURL(`**/app/${at.slug}/proposals?status=draft`)
    await expect.poll(() => page.getByRole('link', { name: 'Bicycles' }).count()).toBe(2)
    const accept = async (currency: string): Promise<void> => {
      const { url, contentHash } = await propose('70', currency)
      const address = new URL(`${new URL(url ?? '').pathname}/accept`, at.program.url)
      const form = { contentHash: contentHash ?? '', name: 'Grace Hopper', consent: 'yes' }
      expect((await fetch(address, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })).status).toBe(303)
    }
    await accept('CHF')
    await accept('JPY')
    await page.goto(`/app/${at.slug}`)
    await pipeline.getByRole('link', { name: /^Accepted .*¥70 1 proposal$/ }).waitFor()
    await pipeline.getByRole('link', { name: /^Accepted .*CHF.70\.00 1 proposal$/ }).click()
    await page.waitForURL(`**/app/${at.slug}/proposals?**`)
    await expect.poll(() => page.getByRole('link', { name: 'Bicycles' }).count()).toBe(1)
    const search = new URL(page.url()).searchParams
    const { pipelineSince } = await at.api.overview.get()
    expect([search.get('status'), search.get('currency')]).toEqual(['completed', 'CHF'])
    const since = search.get('completedAfter') ?? ''
    expect(since <= (pipelineSince ?? '') && since > new Date(Date.now() - 31 * 86_400_000).toISOString()).toBe(true)
    await page.getByText(/^Accepted since /).waitFor()
    await page.getByText('1 more condition', { exact: true }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'proposals-accepted')
    search.set('completedAfter', new Date(Date.now() + 86_400_000).toISOString())
    await page.goto(`/app/${at.slug}/proposals?${search.toString()}`)
    await page.getByText('1 more condition', { exact: true }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Bicycles' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Remove conditions' }).click()
    await expect.poll(() => page.getByRole('link', { name: 'Bicycles' }).count()).toBe(2)
    expect(new URL(page.url()).search).toBe('?status=completed')
    expectNoFaults(page)
    await page.context().close()
  })

  test('warns of a quota that is nearly used, and links to the usage', async () => {
    const quota = (sources: string) =>
      promisify(execFile)(process.execPath, ['cli/dist/main.js', 'organizations', 'quota', at.slug, '--sources', sources], {
        cwd: root,
        env: at.program.env,
      })
    const page = await at.open(`/${at.slug}`)
    const attention = page.getByRole('region', { name: 'Needs attention' })
    const { id } = await at.api.bases.create({ name: 'Guides' })
    await at.api.bases.sources.create(id, { type: 'url', name: 'Guide', url: hook })
    const { usage } = await at.api.organization.get()
    const used = usage?.sources.used ?? 0
    expect(used).toBeGreaterThan(0)
    await quota(String(used))
    await page.reload()
    await attention.getByRole('heading', { level: 3, name: '1 quota at or near its limit' }).waitFor()
    await attention.getByText('New files and sources are rejected at the limit').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'home-quota')
    await attention.getByRole('link', { name: new RegExp(`${used} of ${used}`) }).click()
    await page.getByRole('heading', { level: 2, name: 'Usage' }).waitFor()
    await screenshot(page, 'usage-quota')
    await quota('none')
    // Its source would fail.
    await at.api.bases.delete(id)
    expectNoFaults(page)
    await page.context().close()
  })

  test('warns of a failed backup', async () => {
    const page = await at.open(`/${at.slug}`)
    const attention = page.getByRole('region', { name: 'Needs attention' })
    await page.route('**/v1/overview', async (route) => {
      const answer = await route.fetch()
      const overview = (await answer.json()) as { attention: object }
      const backup = { problem: 'failed', newestAt: new Date(Date.now() - 3.5 * dayMs).toISOString() }
      await route.fulfill({ response: answer, json: { ...overview, attention: { ...overview.attention, backup } } })
    })
    await page.reload()
    await attention.getByRole('heading', { level: 3, name: 'The last backup failed' }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'home-backup')
    await attention.getByRole('link', { name: 'Latest backup 3 days ago' }).click()
    await page.getByRole('heading', { level: 1, name: 'System' }).waitFor()
    expectNoFaults(page)
    await page.context().close()
  })

  test('shows only permitted parts to a viewer; a failure shows its request id and can be retried', async () => {
    const page = await at.open(`/${at.slug}`)
    await page.getByRole('region', { name: 'Needs attention' }).waitFor()
    await page.route('**/v1/overview', (route) =>
      route.fulfill({ status: 500, json: { error: { code: 'internal', message: 'it is out of order', requestId: 'req_1' } } }),
    )
    await page.reload()
    await page.getByRole('alert').getByText('req_1').waitFor({ timeout: 60_000 })
    await expectAccessible(page)
    await page.unroute('**/v1/overview')
    await page.route('**/v1/overview', async (route) => {
      const answer = await route.fetch()
      const overview = (await answer.json()) as { attention: object; totals: object }
      const [attention, totals] = [
        { ...overview.attention, webhooks: null, questions: null },
        { ...overview.totals, tokens: null, contacts: null },
      ]
      await route.fulfill({ response: answer, json: { attention, totals, searches: null, pipeline: null } })
    })
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByText('1 source failed').waitFor()
    for (const name of ['Searches', 'Pipeline']) expect(await page.getByRole('region', { name }).count()).toBe(0)
    await page.getByRole('region', { name: 'Recent activity' }).waitFor()
    await expect.poll(() => page.getByRole('region', { name: 'Totals' }).getByRole('link').count()).toBe(3)

    // Members may not read the audit log.
    await page.route('**/v1/me', async (route) => {
      const answer = await route.fetch()
      const me = (await answer.json()) as { organizations: { scopes: string[] }[] }
      const organizations = me.organizations.map((each) => ({ ...each, role: 'viewer', scopes: scopesOfViewer(each.scopes) }))
      await route.fulfill({ response: answer, json: { ...me, organizations } })
    })
    await page.unroute('**/v1/overview')
    const audits: string[] = []
    page.on('request', (request) => void (request.url().includes('/v1/audit') && audits.push(request.url())))
    await page.reload()
    await page.getByRole('region', { name: 'Pipeline' }).waitFor()
    await page.getByRole('region', { name: 'Searches' }).waitFor()
    expect(await page.getByRole('region', { name: 'Recent activity' }).count()).toBe(0)
    expect(audits).toEqual([])
    await expectAccessible(page)
    await screenshot(page, 'home-viewer')
    await page.context().close()
  })
})

const scopesOfViewer = (scopes: readonly string[]): string[] =>
  scopes.filter((scope) => scope.endsWith(':read') && !/^(?:audit|tokens|webhooks):/.test(scope))
