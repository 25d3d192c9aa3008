import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, dashboard, expectAccessible, expectNoFaults, tabTo } from './browser.ts'

/** A list of the dashboard, and what its keys and parameters lead to. */
interface List {
  path: string
  /** A search parameter of a filter that finds some of the records. */
  filter: string
  /** A search parameter of an order. */
  sort: string
  /** Returns whether the rows can be selected. */
  selects: boolean
  /** What `c` opens: the title of a dialog, or the heading of a page. */
  creates?: string
  /** What Enter opens for a row: a part of the URL, or `dialog`. */
  opens?: string
  /** Search parameters that are wrong, which the page leaves out. */
  wrong: string
}

const missing = '00000000-0000-7000-8000-000000000000'

describe.skipIf(chromiumPath === undefined)('the lists', () => {
  const at = dashboard()
  const lists: Record<string, List> = {}
  const deleted: string[] = []

  beforeAll(async () => {
    if (chromiumPath === undefined) return
    const { api, slug } = at
    const base = await api.bases.create({ name: 'Front desk' })
    for (const name of ['Prices', 'Opening hours', 'Parking']) {
      const { storageUrl } = await api.uploads.create(new TextEncoder().encode(`# ${name}`), { name, type: 'text/markdown' })
      const { id } = await api.bases.sources.create(base.id, { type: 'file', name, storageUrl })
      await api.bases.sources.waitUntilProcessed(base.id, id)
    }
    for (const query of ['Do you sell tyres?', 'Where is the lighthouse?', 'Who plays tonight?']) await api.bases.search(base.id, { query })
    for (const firstName of ['Ada', 'Grace', 'Edsger']) {
      const contact = await api.contacts.create({ firstName, lastName: 'Test', email: `${firstName}@example.com`, tags: ['vip'] })
      await api.proposals.create({ title: `Offer for ${firstName}`, contactId: contact.id, totalAmount: '100', draft: true })
    }
    for (const name of ['Phone', 'Website', 'Chat']) await api.tokens.create({ name, scopes: ['search:read'] })
    for (const name of ['Robin', 'Kim']) {
      const email = `${name.toLowerCase()}@example.com`
      await api.invitations.create({ email, role: 'viewer' })
      const { data } = await api.mails.list().page()
      const token = /\/app\/invitation#(\S+)/.exec(data.find(({ to }) => to === email)?.text ?? '')?.[1]
      const response = await fetch(`${at.program.url}/v1/invitations/accept`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: at.program.url },
        body: JSON.stringify({ token, name, password: 'a password of five words' }),
      })
      if (!response.ok) throw new Error(`Accepting the invitation failed: ${response.status}`)
    }
    const knowledge = `/${slug}/knowledge/${base.id}`
    Object.assign(lists, {
      sources: {
        path: `${knowledge}/sources`,
        filter: 'type=file',
        sort: 'sort=name',
        selects: true,
        creates: 'Add URL',
        opens: `${knowledge}/sources/src_`,
        wrong: 'status=lost&type=fax&sort=colour&cursor=!!&q=',
      },
      contacts: {
        path: `/${slug}/contacts`,
        filter: 'tag=%5B%22vip%22%5D',
        sort: 'sort=name',
        selects: true,
        creates: 'Create contact',
        opens: `/${slug}/contacts/ctc_`,
        wrong: 'owner=nobody&from=tomorrow&until=31&is=%5B1%5D&others=x&sort=email&cursor=!!&view=mine',
      },
      proposals: {
        path: `/${slug}/proposals`,
        filter: 'status=draft',
        sort: 'sort=createdAt',
        selects: true,
        creates: 'Create proposal',
        opens: `/${slug}/proposals/prp_`,
        wrong: 'status=lost&contactId=nobody&minTotal=much&maxTotal=-1&sort=title&cursor=!!',
      },
      searches: {
        path: `${knowledge}/searches`,
        filter: 'q=the',
        sort: 'sort=times',
        selects: false,
        opens: `/${slug}/playground`,
        wrong: 'show=none&from=today&until=never&sort=question&cursor=!!',
      },
      tokens: {
        path: `/${slug}/settings/tokens`,
        filter: 'state=active',
        sort: 'sort=name',
        selects: true,
        creates: 'Create token',
        opens: 'dialog',
        wrong: 'state=lost&createdBy=nobody&sort=colour&cursor=!!',
      },
      members: {
        path: `/${slug}/settings/members`,
        filter: 'role=viewer',
        sort: 'sort=name',
        selects: true,
        creates: 'Invite member',
        wrong: 'role=king&sort=colour&cursor=!!',
      },
    } satisfies Record<string, List>)
    const gone = await api.contacts.create({ email: 'gone@example.com' })
    const proposal = await api.proposals.create({ title: 'Gone', contactId: gone.id, totalAmount: '1', draft: true })
    await api.proposals.delete(proposal.id)
    await api.contacts.delete(gone.id)
    const goneBase = await api.bases.create({ name: 'Gone' })
    await api.bases.delete(goneBase.id)
    deleted.push(
      `/${slug}/contacts/${gone.id}`,
      `/${slug}/contacts/ctc_${missing}`,
      `/${slug}/contacts/nothing`,
      `/${slug}/proposals/${proposal.id}`,
      `/${slug}/proposals/${proposal.id}/edit`,
      `${knowledge}/sources/src_${missing}`,
      `/${slug}/knowledge/${goneBase.id}/sources`,
      `/${slug}/knowledge/${goneBase.id}/searches`,
    )
  }, 300_000)

  const rows = (page: Page) => page.locator('tbody [data-index]')
  /** The index of the row with the focus. */
  const focused = (page: Page): Promise<unknown> => page.evaluate(`document.activeElement.closest('[data-index]')?.dataset.index ?? null`)
  const path = (page: Page): string => new URL(page.url()).pathname
  const query = (page: Page): string => new URL(page.url()).search
  /** Opens the list, and returns when it has rows. */
  const opened = async (address: string): Promise<Page> => {
    const page = await at.open(address)
    await rows(page).first().waitFor()
    return page
  }

  test.each(['sources', 'contacts', 'proposals', 'searches', 'tokens', 'members'])(
    'of %s: keys',
    async (name) => {
      const list = listOf(lists, name)
      const page = await opened(list.path)
      await expect.poll(() => rows(page).count()).toBeGreaterThan(1)
      for (const [key, index] of [
        ['j', '0'],
        ['j', '1'],
        ['k', '0'],
      ] as const) {
        await page.keyboard.press(key)
        expect([key, await focused(page)]).toEqual([key, index])
      }
      await page.keyboard.press('x')
      const boxes = rows(page).getByRole('checkbox', { checked: true })
      expect(await boxes.count()).toBe(list.selects ? 1 : 0)
      if (list.selects) {
        await page.getByRole('region', { name: /^Selected/ }).waitFor()
        await expectAccessible(page)
        await page.keyboard.press('x')
        expect(await boxes.count()).toBe(0)
      }
      if (list.opens === 'dialog') {
        await page.keyboard.press('Enter')
        await page.getByRole('dialog').waitFor()
        await page.keyboard.press('Escape')
        await page.getByRole('dialog').waitFor({ state: 'hidden' })
      } else if (list.opens !== undefined) {
        await page.keyboard.press('Enter')
        await expect.poll(() => path(page)).toContain(list.opens)
        await page.goBack()
        await rows(page).first().waitFor()
      }
      await page.keyboard.press('/')
      await page.locator('#content input[type=search]:focus').waitFor()
      // Keys are text while a field has the focus.
      await page.keyboard.type('cx')
      await expect.poll(() => query(page)).toBe('?q=cx')
      await page.locator('#content input[type=search]').fill('')
      await rows(page).first().waitFor()
      await page.locator('#content input[type=search]').blur()
      await page.keyboard.press('c')
      if (list.creates !== undefined) {
        const created = page.getByRole('dialog', { name: list.creates }).or(page.getByRole('heading', { level: 1, name: list.creates }))
        await created.first().waitFor()
      } else expect([path(page), await page.getByRole('dialog').count()]).toEqual([`/app${list.path}`, 0])
      expectNoFaults(page)
      await page.context().close()
    },
    600_000,
  )

  test.each(['sources', 'contacts', 'proposals', 'searches', 'tokens', 'members'])(
    'of %s: parameters of the URL',
    async (name) => {
      const list = listOf(lists, name)
      const page = await opened(`${list.path}?${list.filter}&${list.sort}`)
      const before = await rows(page).count()
      expect(before).toBeGreaterThan(0)
      await page.locator('th[aria-sort]').waitFor()
      await page.reload()
      await rows(page).first().waitFor()
      expect([query(page), await rows(page).count()]).toEqual([`?${list.filter}&${list.sort}`, before])
      const header = page.locator('th[aria-sort]').getByRole('button')
      await tabTo(page, header)
      await page.keyboard.press('Enter')
      await expect.poll(() => query(page)).not.toContain(list.sort)
      await page.setViewportSize({ width: 390, height: 844 })
      // On a phone, filters start hidden.
      await page.reload()
      await page.locator('[role=listitem][data-index]').first().waitFor()
      if (name !== 'contacts') {
        await page.getByRole('button', { name: /^Filters/ }).click()
        await page.getByLabel('Sort by').waitFor()
        await expectAccessible(page)
      }
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.goto(`/app${list.path}?${list.wrong}`)
      await expect.poll(() => rows(page).count()).toBeGreaterThan(1)
      expectNoFaults(page)
      await page.context().close()
    },
    600_000,
  )

  test('lead to nothing that was deleted, and its page says so', async () => {
    for (const address of deleted) {
      const page = await at.open(address)
      const shown = async (): Promise<[string, string]> => [address, await page.locator('#content').innerText()]
      await expect.poll(shown).toEqual([address, expect.stringMatching(/not found|deleted/i)])
      expectNoFaults(page)
      await page.context().close()
    }
  }, 600_000)
})

function listOf(lists: Readonly<Record<string, List>>, name: string): List {
  const list = lists[name]
  if (list === undefined) throw new Error(`There is no list of ${name}`)
  return list
}
