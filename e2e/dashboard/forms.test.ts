import { describe, expect, test } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import { chromiumPath, dashboard, expectNoFaults, screenshot } from './browser.ts'
import { signAsAll } from './sign-proposal.ts'
import { owner } from './signed-in.ts'

/** Opens a form on a page, by buttons and menu items. */
interface Form {
  path: string
  /** The names of the buttons, links and menu items that lead to the form. */
  open?: readonly string[]
  /** The name of its submit button. */
  submit: string
  /** The role of its first text field; textbox by default. */
  role?: 'textbox' | 'combobox'
  /** What the field accepts; `typed` by default. */
  text?: string
}

/** True in `npm run test:full`: the tests open each form. Otherwise, they open every eighth one of each kind. */
const everyForm = process.env['FORMS'] === 'every'

const someOf = (...kinds: Form[][]): Form[] => kinds.flatMap((forms) => (everyForm ? forms : forms.filter((_, index) => index % 8 === 0)))

describe.skipIf(chromiumPath === undefined)('forms of the dashboard', () => {
  const at = dashboard()

  test('leaving a form with changes asks first, and discarding empties it', { timeout: 600_000 }, async () => {
    const page = await at.open('/')
    const forms = someOf(await formsOf(), await selectionFormsOf()).filter((form) => form.open !== undefined)
    for (const { path, open, submit, role = 'textbox' } of forms) {
      await page.goto(`/app${path}`)
      for (const name of open ?? []) await step(page, name).click()
      const form = page.getByRole('dialog').filter({ has: page.getByRole('button', { name: submit, exact: true }) })
      const field = form.getByRole(role).first()
      await field.waitFor()
      const before = await field.inputValue()
      // A tag is complete when the focus leaves it.
      const typed = async (): Promise<string> =>
        role === 'combobox' && (await form.getByText('typed', { exact: true }).count()) > 0 ? 'typed' : field.inputValue()
      await field.fill('typed')
      const question = page.getByRole('dialog', { name: 'Discard your changes?' })
      // The first one closes the list of suggestions.
      if (role === 'combobox') await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await question.getByRole('button', { name: 'Keep editing' }).click()
      await question.waitFor({ state: 'hidden' })
      await field.and(page.locator(':focus')).waitFor()
      if (role === 'combobox') await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await question.waitFor()
      await page.keyboard.press('Escape')
      await question.waitFor({ state: 'hidden' })
      await field.and(page.locator(':focus')).waitFor()
      expect(await typed(), path).toBe('typed')
      await form.getByRole('button', { name: 'Cancel' }).click()
      await question.getByRole('button', { name: 'Discard changes' }).click()
      await form.waitFor({ state: 'hidden' })
      // The rows are still selected.
      for (const name of open?.slice(-1) ?? []) await step(page, name).click()
      await field.waitFor()
      expect(await typed(), path).toBe(before)
    }
    const { id } = await at.api.contacts.create({ firstName: 'Grace', lastName: 'Hopper' })
    const base = await at.api.bases.create({ name: 'Site' })
    const fields = [
      { path: '/account', label: 'Current password', leave: () => page.getByRole('link', { name: 'Back' }).click() },
      {
        path: `/${at.slug}/knowledge/${base.id}/connect`,
        label: 'Website address',
        leave: () => page.getByRole('link', { name: 'Home' }).click(),
      },
      {
        path: `/${at.slug}/contacts`,
        open: () => page.getByRole('link', { name: 'Grace Hopper' }).click(),
        edit: 'Edit First name: Grace',
        label: 'First name',
        // A click beside the field would save it.
        leave: () => page.goBack(),
      },
    ]
    for (const { path, open, edit, label, leave } of fields) {
      await page.goto(`/app${path}`)
      await open?.()
      if (edit !== undefined) await page.getByRole('button', { name: edit }).click()
      const field = page.getByRole('textbox', { name: label, exact: true })
      await field.fill('typed')
      await leave()
      await page.getByRole('button', { name: 'Keep editing' }).click()
      expect(await field.inputValue(), path).toBe('typed')
    }
    expect((await at.api.contacts.get(id)).firstName).toBe('Grace')
    expectNoFaults(page)
    await page.context().close()
  })

  test('a second click before the page is drawn again sends nothing', async () => {
    const { id } = await at.api.contacts.create({ firstName: 'Radia', email: 'radia@example.com' })
    const of = (path: string) => `/${at.slug}${path}`
    const page = await at.open('/')
    const created: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.headers()['idempotency-key'] !== undefined) created.push(new URL(request.url()).pathname)
    })
    for (const { path, open, label, text = 'typed', submit, endpoint } of [
      {
        path: of('/contacts'),
        open: 'Create contact',
        label: 'Email',
        text: 'typed@example.com',
        submit: 'Create contact',
        endpoint: '/v1/contacts',
      },
      {
        path: of(`/contacts/${id}`),
        open: 'Log note',
        label: 'Text',
        submit: 'Save activity',
        endpoint: `/v1/contacts/${id}/activities`,
      },
      { path: of('/companies'), open: 'Create company', label: 'Name', submit: 'Create company', endpoint: '/v1/companies' },
    ]) {
      created.length = 0
      await page.goto(`/app${path}`)
      await step(page, open).click()
      const form = page.getByRole('dialog')
      await form.getByRole('textbox', { name: label, exact: true }).fill(text)
      // Between both clicks, only those updates are drawn that need no further task.
      await form.getByRole('button', { name: submit, exact: true }).evaluate((element) => {
        const button = element as unknown as { click: () => void }
        button.click()
        return Promise.resolve().then(() => button.click())
      })
      await form.waitFor({ state: 'hidden' })
      expect(created, path).toEqual([endpoint])
    }
    expectNoFaults(page)
    await page.context().close()
  })

  test('a form whose record was deleted elsewhere says so, and keeps what was typed', { timeout: 300_000 }, async () => {
    const page = await at.open('/')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    for (const { path, open, label, submit, remove } of await recordsOf()) {
      await page.goto(`/app${path}`)
      for (const name of open) await step(page, name).click()
      const field = page.getByRole('textbox', { name: label, exact: true })
      await field.fill('typed text')
      await remove()
      const button = page.locator('form').getByRole('button', { name: submit, exact: true })
      // The page hears of the deletion, or the form does when it is sent.
      const notice = page.locator('form').getByText('This record was deleted')
      await expect
        .poll(
          async () => {
            await button.click({ timeout: 2_000 }).catch(() => undefined)
            return notice.count()
          },
          { timeout: 60_000, message: path },
        )
        .toBe(1)
      await button.waitFor({ state: 'hidden' })
      expect(await field.inputValue(), path).toBe('typed text')
      await page.locator('form').getByRole('button', { name: 'Copy your changes' }).click()
      await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toContain(`${label}: typed text`)
    }
    await screenshot(page, 'form-gone')
    expectNoFaults(page)
    await page.context().close()
  })

  /** Records with their forms, and how to delete them. */
  async function recordsOf() {
    const { api } = at
    const of = (path: string) => `/${at.slug}${path}`
    const company = await api.companies.create({ name: 'Acme', tags: ['fair'] })
    const base = await api.bases.create({ name: 'Guides' })
    const contact = await api.contacts.create({ firstName: 'Edsger', email: 'edsger@example.com' })
    const draft = await api.proposals.create({ contactId: contact.id, title: 'Offer', totalAmount: '10.00', currency: 'EUR', draft: true })
    const endpoint = await api.webhooks.create({ url: 'https://example.com/hook' })
    const question = await api.bases.questions.create((await api.bases.create({ name: 'Asked' })).id, {
      question: 'Who?',
      expectedText: 'Ada',
    })
    return [
      {
        path: of(`/companies/${company.id}`),
        open: ['Edit company'],
        label: 'Name',
        submit: 'Save company',
        remove: () => api.companies.delete(company.id),
      },
      { path: of(`/knowledge/${base.id}/settings`), open: [], label: 'Name', submit: 'Save', remove: () => api.bases.delete(base.id) },
      {
        path: of(`/proposals/${draft.id}/edit`),
        open: [],
        label: 'Title',
        submit: 'Save draft',
        remove: () => api.proposals.delete(draft.id),
      },
      {
        path: of(`/settings/webhooks/${endpoint.id}`),
        open: ['More actions', 'Edit endpoint'],
        label: 'Description',
        submit: 'Save',
        remove: () => api.webhooks.delete(endpoint.id),
      },
      {
        path: of(`/knowledge/${question.baseId}/evaluation`),
        open: ['Actions for Who?', 'Edit question'],
        label: 'Note',
        submit: 'Save',
        remove: () => api.bases.questions.delete(question.baseId, question.id),
      },
    ]
  }

  test('what was typed survives a reload and the end of the session, and is removed on sign-out', { timeout: 300_000 }, async () => {
    const page = await at.open(`/${at.slug}/proposals/new`)
    const title = page.getByLabel('Title')
    await title.fill('Offer for the summer')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click()
    await page.getByRole('button', { name: 'Keep editing' }).click()
    expect(new URL(page.url()).pathname).toBe(`/app/${at.slug}/proposals/new`)
    await page.reload()
    await expect.poll(() => title.inputValue()).toBe('Offer for the summer')
    await page.context().clearCookies()
    await submitWithoutSession(page, page.locator('form'), page.getByRole('button', { name: 'Save draft' }))
    await page.getByLabel('Email address').fill(owner.email)
    await page.getByRole('textbox', { name: 'Password' }).fill(owner.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(`**/app/${at.slug}/proposals/new`)
    await expect.poll(() => title.inputValue()).toBe('Offer for the summer')
    await page.getByRole('button', { name: /account menu/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL('**/app/sign-in**')
    expect(await page.evaluate('sessionStorage.getItem("groundwork-drafts")')).toBeNull()
    expectNoFaults(page)
    await page.context().close()
  })

  test('what was typed into each form survives the end of the session', { timeout: 600_000 }, async () => {
    const page = await at.open('/')
    // Passwords are never stored.
    const forms = someOf(await formsOf(), await selectionFormsOf()).filter((form) => form.submit !== 'Change password')
    for (const { path, open = [], submit, role = 'textbox' } of forms) {
      const where = `${path} ${submit}`
      await page.goto(`/app${path}`)
      const form = page.locator('form').filter({ has: page.getByRole('button', { name: submit, exact: true }) })
      const button = form.getByRole('button', { name: submit, exact: true })
      const field = form.getByRole(role).first()
      for (const name of open) await step(page, name).click()
      await field.fill('typed')
      await page.context().clearCookies()
      await submitWithoutSession(page, form, button)
      await at.enter(page.context())
      await page.goto(`/app${path}`)
      for (const name of open) await step(page, name).click()
      await expect.poll(() => field.inputValue(), { message: where, timeout: 20_000 }).toBe('typed')
      await field.fill('')
    }
    expectNoFaults(page)
    await page.context().close()
  })

  test('a dialog that was open at a reload asks nothing while it is closed, and has what was typed when it is opened again', async () => {
    const page = await at.open('/')
    let asked = 0
    page.on('dialog', (dialog) => {
      asked += 1
      void dialog.accept()
    })
    const forms = someOf(await formsOf(), await selectionFormsOf(), await recordFormsOf()).filter(({ open }) => open !== undefined)
    for (const { path, open = [], submit, role = 'textbox', text = 'typed' } of forms) {
      const where = `${path} ${submit}`
      const form = page.getByRole('dialog').filter({ has: page.getByRole('button', { name: submit, exact: true }) })
      const field = form.getByRole(role).first()
      const shown = async (): Promise<void> => {
        for (const name of open) await step(page, name).click()
        await field.waitFor()
      }
      await page.goto(`/app${path}`)
      await shown()
      await field.fill(text)
      asked = 0
      await page.reload()
      expect(asked, where).toBe(1)
      await step(page, open[0] ?? '').waitFor()
      // Browsers ask only about pages with which somebody has interacted.
      await page.getByRole('heading', { level: 1 }).click()
      await page.reload()
      await step(page, open[0] ?? '').waitFor()
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click()
      await page.waitForURL(`**/app/${at.slug}`)
      await page.goto(`/app${path}`)
      expect(asked, where).toBe(1)
      await shown()
      await expect.poll(() => field.inputValue(), { message: where }).toBe(text)
      // By key: the list of the focused field is above the button.
      await form.getByRole('button', { name: 'Cancel' }).press('Enter')
      await page.getByRole('button', { name: 'Discard changes' }).click()
      await form.waitFor({ state: 'hidden' })
    }
    // The name that confirms an erasure is typed each time.
    const { id } = await at.api.contacts.create({ firstName: 'Edith', lastName: 'Clarke' })
    const name = page.getByRole('dialog').getByRole('textbox')
    asked = 0
    for (let round = 0; round < 2; round += 1) {
      await page.goto(`/app/${at.slug}/contacts/${id}`)
      await step(page, 'Erase contact').click()
      expect(await name.inputValue()).toBe('')
      await name.fill('Edith Clarke')
    }
    expect(asked).toBe(0)
    expectNoFaults(page)
    await page.context().close()
  }, 900_000)

  test('the name of a new view stays when a phone is turned', async () => {
    const base = await at.api.bases.create({ name: 'Turned' })
    await at.api.contacts.create({ firstName: 'Annie', email: 'annie@example.com' })
    const page = await at.open('/', { width: 'phone' })
    for (const [path, open] of [
      [`/contacts?q=annie`, ['Save as view']],
      [`/proposals?q=annie`, ['Save as view']],
      [`/knowledge/${base.id}/sources?status=failed`, ['Views of sources: All sources', 'Save as view']],
    ] as const) {
      await page.setViewportSize({ width: 390, height: 844 })
      await page.goto(`/app/${at.slug}${path}`)
      for (const name of open) await step(page, name).click()
      const field = page.getByRole('dialog', { name: 'New view' }).getByRole('textbox')
      await field.fill('typed')
      for (const size of [
        { width: 844, height: 390 },
        { width: 390, height: 844 },
      ]) {
        await page.setViewportSize(size)
        // The layout has changed.
        const button = page.getByRole('button', { name: /^Filters/, includeHidden: true })
        if (path.startsWith('/knowledge')) await expect.poll(() => button.count()).toBe(size.width < size.height ? 1 : 0)
        expect(await page.locator('input:focus').inputValue(), path).toBe('typed')
      }
      await field.press('Enter')
      await page.waitForURL('**view=**')
    }
    expectNoFaults(page)
    await page.context().close()
  })

  test('a new proposal stays after a reload on the next day, also if it is the second of the page', async () => {
    await at.api.organization.update({ expiryDays: 30 })
    const page = await at.open(`/${at.slug}/proposals/new`)
    await page.getByRole('link', { name: 'Proposals', exact: true }).first().click()
    await page.getByRole('link', { name: 'Create proposal', exact: true }).first().click()
    const title = page.getByRole('textbox', { name: 'Title', exact: true })
    await title.fill('typed')
    // Playwright cannot set the clock while a frame of the preview is replaced.
    await page.frameLocator('iframe').getByText('typed').first().waitFor()
    await page.clock.setFixedTime(Date.now() + 86_400_000)
    await page.reload()
    await title.waitFor()
    expect(await title.inputValue()).toBe('typed')
    await page.context().close()
  })

  test('a tag and an owner that are chosen for many contacts survive the end of the session', { timeout: 300_000 }, async () => {
    // Another test submits a form with the name.
    const me = (await at.api.members.list().page()).data[0]?.name ?? ''
    await at.api.contacts.create({ firstName: 'Barbara', email: 'barbara@example.com' })
    const page = await at.open(`/${at.slug}/contacts?q=barbara`)
    const dialog = page.getByRole('dialog')
    const enter = async (label: string, text: string): Promise<void> => {
      await dialog.getByRole('combobox', { name: label }).fill(text)
      await page.keyboard.press('Enter')
    }
    for (const { action, label, shown, type } of [
      { action: 'Add tags', label: 'Add tags', shown: dialog.getByText('spring'), type: () => enter('Add tags', 'spring') },
      {
        action: 'Assign owner',
        label: 'Owner',
        shown: dialog.getByRole('combobox', { name: 'Owner' }),
        type: async () => {
          await dialog.getByRole('combobox', { name: 'Owner' }).fill(me.slice(0, 4))
          await page.getByRole('option', { name: me }).click()
        },
      },
    ]) {
      await page.getByRole('checkbox', { name: 'Select: Barbara' }).check()
      await step(page, action).click()
      await type()
      await page.context().clearCookies()
      await dialog.getByRole('button', { name: 'Preview change' }).click()
      await page.waitForURL('**/app/sign-in**')
      await at.enter(page.context())
      await page.goto(`/app/${at.slug}/contacts?q=barbara`)
      await page.getByRole('checkbox', { name: 'Select: Barbara' }).check()
      await step(page, action).click()
      await shown.waitFor()
      if (label === 'Owner') await expect.poll(() => shown.inputValue()).toBe(me)
      // By key: the list of the focused field is above the button.
      await dialog.getByRole('button', { name: 'Preview change' }).press('Enter')
      await dialog.getByText('1 contact will change.').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Discard changes' }).click()
      await dialog.waitFor({ state: 'hidden' })
      await page.goto(`/app/${at.slug}/contacts?q=barbara`)
    }
    expectNoFaults(page)
    await page.context().close()
  })

  /** Forms for selected records. */
  async function selectionFormsOf(): Promise<Form[]> {
    const contact = await at.api.contacts.create({ firstName: 'Selma', email: 'selma@example.com' })
    const proposal = { contactId: contact.id, title: 'Void offer', totalAmount: '10.00', currency: 'EUR' } as const
    await at.api.proposals.create(proposal)
    const [contacts, proposals] = [`/${at.slug}/contacts?q=selma`, `/${at.slug}/proposals?q=void`]
    return [
      { path: contacts, open: ['Select: Selma', 'Add tags'], submit: 'Preview change', role: 'combobox' },
      { path: contacts, open: ['Select: Selma', 'Remove tags'], submit: 'Preview change', role: 'combobox' },
      { path: proposals, open: ['Select: Void offer', 'Void proposals'], submit: 'Void proposals' },
    ]
  }

  /** Forms of records. */
  async function recordFormsOf(): Promise<Form[]> {
    const { api } = at
    const of = (path: string) => `/${at.slug}${path}`
    const base = await api.bases.create({ name: 'Indexed' })
    const name = 'Prices.md'
    const text = new TextEncoder().encode('A bicycle costs 20 euros a day.')
    const { storageUrl } = await api.uploads.create(text, { name, type: 'text/markdown' })
    const { id: sourceId } = await api.bases.sources.create(base.id, { type: 'file', name, storageUrl })
    await api.bases.sources.waitUntilProcessed(base.id, sourceId)
    const contact = await api.contacts.create({ firstName: 'Mary', email: 'mary@example.com', tags: ['guest'] })
    const inContact = of(`/contacts/${contact.id}`)
    const company = await api.companies.create({ name: 'Bicycles' })
    const proposal = { contactId: contact.id, title: 'Signed', totalAmount: '10.00', currency: 'EUR', counterSignature: true } as const
    const sent = await api.proposals.create(proposal)
    await signAsAll(at.url, sent)
    const endpoint = await api.webhooks.create({ url: 'https://example.com/orders' })
    await api.tokens.create({ name: 'Importer', scopes: ['search:read'] })
    await api.customFields.create({ entity: 'contact', name: 'Size', type: 'text' })
    return [
      { path: of(`/knowledge/${base.id}/reindex`), open: ['Start re-index'], submit: 'Start re-index', text: '320' },
      { path: of(`/proposals/${sent.id}`), open: ['Countersign'], submit: 'Countersign' },
      { path: of(`/proposals/${sent.id}`), open: ['Void proposal'], submit: 'Void proposal' },
      { path: inContact, open: ['Edit Address: empty'], submit: 'Save' },
      { path: inContact, open: ['Edit all emails'], submit: 'Save' },
      { path: inContact, open: ['Record consent'], submit: 'Save consent' },
      { path: of(`/companies/${company.id}`), open: ['Edit company'], submit: 'Save company' },
      { path: of(`/settings/webhooks/${endpoint.id}`), open: ['More actions', 'Edit endpoint'], submit: 'Save' },
      { path: of('/settings/tokens'), open: ['Actions for Importer', 'Rename token'], submit: 'Save' },
      { path: of('/settings/custom-fields'), open: ['Actions for Size', 'Edit field'], submit: 'Save' },
      { path: of('/settings/tags'), open: ['Actions for guest', 'Rename tag'], submit: 'Save' },
    ]
  }

  async function formsOf(): Promise<Form[]> {
    const base = await at.api.bases.create({ name: 'Handbook' })
    const contact = await at.api.contacts.create({ firstName: 'Ada', email: 'ada@example.com', tags: ['fair'] })
    const of = (path: string) => `/${at.slug}${path}`
    const [inBase, inContact] = [of(`/knowledge/${base.id}`), of(`/contacts/${contact.id}`)]
    return [
      { path: of('/knowledge'), open: ['Create knowledge base'], submit: 'Create knowledge base' },
      { path: inBase, open: ['Add URL'], submit: 'Add URL' },
      { path: `${inBase}/settings`, submit: 'Save' },
      { path: `${inBase}/evaluation`, open: ['Add question'], submit: 'Save' },
      { path: of('/contacts'), open: ['Create contact'], submit: 'Create contact' },
      { path: inContact, open: ['Log note'], submit: 'Save activity' },
      { path: of('/contacts?q=ada'), open: ['Save as view'], submit: 'Save view' },
      { path: of('/companies'), open: ['Create company'], submit: 'Create company' },
      { path: of('/proposals/new'), submit: 'Save draft' },
      { path: of('/settings/organization'), submit: 'Save' },
      { path: '/account', submit: 'Save' },
      { path: '/account', submit: 'Change password' },
      { path: of('/settings/members'), open: ['Invite member'], submit: 'Send invitation' },
      { path: of('/settings/tokens'), open: ['Create token'], submit: 'Create token' },
      { path: of('/settings/webhooks'), open: ['Create endpoint'], submit: 'Create endpoint' },
      { path: of('/settings/custom-fields'), open: ['Create field'], submit: 'Create field' },
    ]
  }
})

const step = (page: Page, name: string): Locator =>
  page
    .getByRole('button', { name, exact: true })
    .or(page.getByRole('menuitem', { name, exact: true }))
    .or(page.getByRole('link', { name, exact: true }))
    .or(page.getByRole('checkbox', { name, exact: true }))
    .first()

/**
 * Submits a form after the session has ended, and waits for the sign-in. Another request of the page may be refused before. If the
 * browser or the page does not send the input, such as one that is no address, the page is loaded again.
 */
async function submitWithoutSession(page: Page, form: Locator, button: Locator): Promise<void> {
  const signIn = '**/app/sign-in**'
  await Promise.race([page.waitForURL(signIn), button.click({ timeout: 5_000 })]).catch(() => undefined)
  const timeout = (await form.locator(':invalid').count()) > 0 ? 100 : 3_000
  await page.waitForURL(signIn, { timeout }).catch(() => page.reload().catch(() => undefined))
  await page.waitForURL(signIn)
}
