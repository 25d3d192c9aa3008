import { Groundwork } from '@groundwork/sdk'
import { beforeAll, describe, expect, test } from 'vitest'
import { createToken } from '../program.ts'
import { chromiumPath, expectNoFaults, sharedDashboard } from './browser.ts'

describe.skipIf(chromiumPath === undefined)('records of another organization', () => {
  const at = sharedDashboard()
  let theirs: Record<'contact' | 'proposal' | 'base' | 'source' | 'webhook' | 'slug', string>

  beforeAll(async () => {
    const { token } = await createToken(at.program, '--organization', 'Secret Ltd')
    const api = new Groundwork({ baseUrl: at.url, token })
    const contact = await api.contacts.create({ firstName: 'Hidden', email: 'hidden@example.com' })
    const proposal = await api.proposals.create({ title: 'Hidden offer', contactId: contact.id, totalAmount: '10', currency: 'USD' })
    const base = await api.bases.create({ name: 'Hidden base' })
    const { storageUrl } = await api.uploads.create(new TextEncoder().encode('Hidden text.'), { name: 'hidden.txt', type: 'text/plain' })
    const source = await api.bases.sources.create(base.id, { type: 'file', name: 'hidden.txt', storageUrl })
    const webhook = await api.webhooks.create({ url: 'https://example.com/hidden' })
    const { slug } = await api.organization.get()
    theirs = { contact: contact.id, proposal: proposal.id, base: base.id, source: source.id, webhook: webhook.id, slug }
  }, 600_000)

  test.each<[string, () => string]>([
    ['a contact', () => `/contacts/${theirs.contact}`],
    ['a proposal', () => `/proposals/${theirs.proposal}`],
    ['the editor of a proposal', () => `/proposals/${theirs.proposal}/edit`],
    ['a knowledge base', () => `/knowledge/${theirs.base}/sources`],
    ['the settings of a knowledge base', () => `/knowledge/${theirs.base}/settings`],
    ['the searches of a knowledge base', () => `/knowledge/${theirs.base}/searches`],
    ['a source', () => `/knowledge/${theirs.base}/sources/${theirs.source}`],
    ['a webhook', () => `/settings/webhooks/${theirs.webhook}`],
  ])('%s is not found by its URL', async (_record, path) => {
    const page = await at.open(`/${at.slug}${path()}`)
    await page.getByText('Not found').first().waitFor()
    expect(await page.locator('body').innerText()).not.toMatch(/hidden/i)
    expectNoFaults(page)
    await page.context().close()
  })

  test('the organization itself is not found', async () => {
    for (const path of ['', '/contacts', `/knowledge/${theirs.base}/sources`]) {
      const page = await at.open(`/${theirs.slug}${path}`)
      await page.getByText('Not found').first().waitFor()
      expect(await page.locator('body').innerText()).not.toMatch(/hidden|secret ltd/i)
      await page.context().close()
    }
  })
})
