import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  activate,
  chooseItem,
  chromiumPath,
  expectAccessible,
  expectListNearTop,
  expectNoFaults,
  expectNoSidewaysScroll,
  screenshot,
  sharedDashboard,
  tabTo,
} from './browser.ts'

describe.skipIf(chromiumPath === undefined)('the list of contacts', () => {
  const at = sharedDashboard()
  const contacts = (): string => `/${at.slug}/contacts`
  const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
  const selection = (page: Page) => page.getByRole('region', { name: 'Selected contacts' })
  const tab = (page: Page, name: string) => page.getByRole('navigation', { name: 'Views of contacts' }).getByRole('link', { name })

  const tagsOf = async (): Promise<Record<string, string[]>> => {
    const { data } = await at.api.contacts.list({ limit: 100 }).page()
    return Object.fromEntries(data.map(({ firstName, tags }) => [firstName, tags]))
  }

  beforeAll(async () => {
    if (chromiumPath === undefined) return
    for (const [firstName, lastName, tags] of [
      ['Ada', 'Lovelace', ['vip']],
      ['Grace', 'Hopper', ['vip', 'navy']],
      ['Edsger', 'Dijkstra', []],
    ] as const)
      await at.api.contacts.create({ firstName, lastName, email: `${firstName.toLowerCase()}@example.com`, tags: [...tags] })
  })

  test('by keyboard: selects contacts, adds a tag after a count, and undoes the change', async () => {
    const page = await at.open(contacts())
    await link(page, 'Ada Lovelace').waitFor()
    for (const key of ['j', 'x', 'j', 'j', 'x']) await page.keyboard.press(key)
    await selection(page).getByText('2 selected').waitFor()
    await expectListNearTop(page)
    await expect.poll(() => page.evaluate('document.activeElement.title')).toBe('Ada Lovelace')
    await expectAccessible(page)
    await screenshot(page, 'contacts-selected')
    await activate(page, selection(page).getByRole('button', { name: 'Add tags' }))
    const dialog = page.getByRole('dialog', { name: 'Add tags' })
    await tabTo(page, dialog.getByRole('combobox', { name: 'Add tags' }))
    await page.keyboard.type('navy')
    await page.keyboard.press('Enter')
    await activate(page, dialog.getByRole('button', { name: 'Preview change' }))
    await dialog.getByText('2 contacts will change.').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'contacts-bulk-counted')
    expect(await tagsOf()).toEqual({ Ada: ['vip'], Grace: ['vip', 'navy'], Edsger: [] })
    await activate(page, dialog.getByRole('button', { name: 'Change 2 contacts' }))
    await page.getByText('2 contacts were changed.').waitFor()
    await expect.poll(tagsOf).toEqual({ Ada: ['vip', 'navy'], Grace: ['vip', 'navy'], Edsger: ['navy'] })
    await selection(page).waitFor({ state: 'hidden' })
    await screenshot(page, 'contacts-bulk-done')
    await activate(page, page.getByRole('button', { name: 'Undo' }))
    await page.getByText('The change was undone.').waitFor()
    expect(await tagsOf()).toEqual({ Ada: ['vip'], Grace: ['vip', 'navy'], Edsger: [] })
    await page.keyboard.press('c')
    await page.getByRole('dialog', { name: 'Create contact' }).waitFor()
    await page.keyboard.press('Escape')
    expectNoFaults(page)
    await page.context().close()
  })

  test('by keyboard: saves a view with a filter, an order and columns, and resets changes to it', async () => {
    const page = await at.open(contacts())
    await link(page, 'Ada Lovelace').waitFor()
    await activate(page, page.getByRole('button', { name: 'Filters' }))
    await tabTo(page, page.getByRole('combobox', { name: 'Tags (match all)' }))
    await page.keyboard.type('VIP')
    await page.keyboard.press('Enter')
    await page.getByText('2 contacts', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await activate(page, page.getByRole('columnheader', { name: 'Name' }).getByRole('button'))
    await page.locator('th[aria-sort=ascending]').waitFor()
    await activate(page, page.getByRole('button', { name: 'Display' }))
    await expectAccessible(page)
    await screenshot(page, 'contacts-display')
    await tabTo(page, page.getByRole('checkbox', { name: 'Job title' }))
    await page.keyboard.press('Space')
    await activate(page, page.getByRole('button', { name: 'Move Job title up' }))
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await page.getByRole('columnheader', { name: 'Job title' }).waitFor()
    await activate(page, page.getByRole('button', { name: 'Save as view' }))
    const dialog = page.getByRole('dialog', { name: 'New view' })
    await tabTo(page, dialog.getByLabel('Name'))
    await page.keyboard.type('Our VIPs')
    await tabTo(page, dialog.getByRole('checkbox', { name: 'Visible to all members' }))
    await page.keyboard.press('Space')
    await activate(page, dialog.getByRole('button', { name: 'Save view' }))
    await page.getByText('Our VIPs was saved.').waitFor()
    await expect.poll(() => tab(page, 'Our VIPs').getAttribute('aria-current')).toBe('page')
    const [view] = (await at.api.contactViews.list().page()).data
    expect(view).toMatchObject({ name: 'Our VIPs', filter: { key: 'tags', eq: 'VIP' }, sort: 'name', shared: true })
    expect(view?.columns).toEqual(['name', 'email', 'phone', 'jobTitle', 'tags', 'createdAt'])
    await expect.poll(() => new URL(page.url()).search).toBe(`?view=${view?.id}`)
    await page.reload()
    await page.locator('th[aria-sort=ascending]').waitFor()
    await page.getByText('2 contacts', { exact: true }).waitFor()
    await activate(page, page.getByRole('columnheader', { name: 'Name' }).getByRole('button'))
    await page.getByText('Unsaved changes').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'contacts-view-changed')
    await activate(page, page.getByRole('button', { name: 'Reset' }))
    await page.getByText('Unsaved changes').waitFor({ state: 'hidden' })
    await page.keyboard.press('/')
    await page.keyboard.type('hopper')
    await link(page, 'Ada Lovelace').waitFor({ state: 'hidden' })
    await activate(page, page.getByRole('button', { name: 'Save changes' }))
    await page.getByText('Unsaved changes').waitFor({ state: 'hidden' })
    expect((await at.api.contactViews.get(view?.id ?? '')).q).toBe('hopper')
    await page.setViewportSize({ width: 360, height: 740 })
    await link(page, 'Grace Hopper').waitFor()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await activate(page, page.getByRole('button', { name: 'Actions for the view Our VIPs' }))
    await chooseItem(page, 'Delete view')
    await activate(page, page.getByRole('dialog').getByRole('button', { name: 'Delete view' }))
    await link(page, 'Edsger Dijkstra').waitFor()
    expect((await at.api.contactViews.list().page()).data).toEqual([])
    expectNoFaults(page)
    await page.context().close()
  })

  test('selects all contacts that match, and words the errors of the API itself', async () => {
    const page = await at.open(`${contacts()}?tag=vip`)
    await page.getByRole('checkbox', { name: 'Select: Ada Lovelace' }).check()
    await selection(page).getByRole('button', { name: 'Select all 2' }).click()
    await selection(page).getByText('2 selected').waitFor()
    await selection(page).getByRole('button', { name: 'Delete contacts' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete contacts' })
    await dialog.getByText('2 contacts will be deleted.').waitFor()
    await screenshot(page, 'contacts-bulk-delete')
    await page.route('**/v1/contacts/bulk', (route) =>
      route.fulfill({ status: 422, json: { error: { code: 'validation_error', message: 'filter.key: raw text', requestId: 'req_x' } } }),
    )
    await dialog.getByRole('button', { name: 'Delete 2 contacts' }).click()
    await dialog.getByRole('alert').getByText('no longer exists', { exact: false }).waitFor()
    expect(await page.getByText('raw text').count()).toBe(0)
    await page.unroute('**/v1/contacts/bulk')
    await dialog.getByRole('button', { name: 'Delete 2 contacts' }).click()
    await page.getByText('No matching contacts').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await link(page, 'Grace Hopper').waitFor()
    await page.goto(`/app${contacts()}?others=${encodeURIComponent(JSON.stringify([{ key: 'nickname', eq: 'x' }]))}`)
    await page.getByText('The list cannot be shown with these filters', { exact: false }).waitFor()
    expectNoFaults(page)
    await page.context().close()
  })

  test('on a phone, active filters stay closed until the user opens them; on a wide screen, they are open until the user closes them', async () => {
    const page = await at.open(`${contacts()}?tag=vip`, { width: 'phone' })
    const button = page.getByRole('button', { name: 'Filters, 1 active' })
    const field = page.getByRole('combobox', { name: 'Tags (match all)' })
    const isOpen = (): Promise<string | null> => button.getAttribute('aria-expanded')
    const resize = (width: number): Promise<void> => page.setViewportSize({ width, height: 800 })
    await link(page, 'Ada Lovelace').waitFor()
    expect(await isOpen()).toBe('false')
    expect(await field.count()).toBe(0)
    await resize(1280)
    await field.waitFor()
    await resize(360)
    await field.waitFor({ state: 'detached' })
    expect(await button.innerText()).toBe('1')
    expect(await link(page, 'Ada Lovelace').evaluate((row) => row.getBoundingClientRect().bottom)).toBeLessThan(800)
    await screenshot(page, 'contacts-filters-active')
    await activate(page, button)
    await field.waitFor()
    await resize(1280)
    await activate(page, button)
    await field.waitFor({ state: 'detached' })
    await resize(360)
    await resize(1280)
    expect(await isOpen()).toBe('false')
    // A filter that is cleared does not close the filters in which the user is working.
    await page.reload()
    await tabTo(page, field)
    await page.keyboard.press('Backspace')
    await page.getByRole('button', { name: 'Filters', exact: true }).waitFor()
    expect(await field.and(page.locator(':focus')).count()).toBe(1)
    expectNoFaults(page)
  })

  test('two filters that are set before the page is drawn again both apply', async () => {
    const page = await at.open(`${contacts()}?from=2020-01-01&until=2040-01-01`)
    await page.getByLabel('Created on or after').waitFor()
    await page.evaluate(`{
      const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set
      const [from, until] = document.querySelectorAll('input[type=date]')
      for (const [input, day] of [[from, '2021-02-03'], [until, '2041-05-06']]) {
        set.call(input, day)
        input.dispatchEvent(new Event('input', { bubbles: true }))
      }
    }`)
    const days = (): unknown => ['from', 'until'].map((key) => new URL(page.url()).searchParams.get(key))
    await expect.poll(days).toEqual(['2021-02-03', '2041-05-06'])
    expectNoFaults(page)
    await page.context().close()
  })

  test('by keyboard: filters by company, consent, language, source and a custom field, and selects all beside a search', async () => {
    const { id: companyId } = await at.api.companies.create({ name: 'Navy Yard' })
    const { id: fieldId } = await at.api.customFields.create({
      entity: 'contact',
      name: 'Rides',
      type: 'select',
      options: [
        { value: 'road', label: 'Road' },
        { value: 'gravel', label: 'Gravel' },
      ],
    })
    const make = async (firstName: string, more: object): Promise<void> => {
      const { id } = await at.api.contacts.create({ firstName, lastName: 'Filtered', email: `${firstName}@filtered.example`, ...more })
      await at.api.contacts.consent.create(id, { channel: 'email', state: 'granted', source: 'call' })
    }
    await make('Match', { companyId, language: 'de', source: 'fair', customFields: { [fieldId]: 'gravel' } })
    await make('Other', { companyId, language: 'de', source: 'fair', customFields: { [fieldId]: 'road' } })
    const page = await at.open(contacts())
    await link(page, 'Match Filtered').waitFor()
    await activate(page, page.getByRole('button', { name: 'Filters' }))
    const isApplied = (key: string) => (): boolean => (new URL(page.url()).searchParams.get('is') ?? '').includes(`"${key}"`)
    /** Repeats the keys until the option is applied: the list of options can be drawn again between them. */
    const choose = async (field: string, text: string, option: string, isDone: () => boolean | Promise<boolean>): Promise<void> => {
      await tabTo(page, page.getByRole('combobox', { name: field }))
      await page.keyboard.type(text)
      await page.getByRole('option', { name: option }).waitFor()
      const chosen = async (): Promise<boolean> => {
        if (await isDone()) return true
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('Enter')
        return false
      }
      await expect.poll(chosen, { interval: 1000 }).toBe(true)
    }
    await choose('Company', 'navy', 'Navy Yard', isApplied('companyId'))
    await page.getByText('2 contacts', { exact: true }).waitFor()
    await choose('Consent', 'email: gr', 'Email: Granted', isApplied('consent.email'))
    await page.keyboard.press('Escape')
    await choose('Language', 'german', 'German', isApplied('language'))
    await tabTo(page, page.getByRole('textbox', { name: 'Source' }))
    await page.keyboard.type('fair')
    await choose('Custom field', 'rid', 'Rides', () => page.getByRole('combobox', { name: 'Rides' }).isVisible())
    await choose('Rides', 'grav', 'Gravel', isApplied(`customFields.${fieldId}`))
    await page.getByText('1 contact', { exact: true }).waitFor()
    await link(page, 'Match Filtered').waitFor()
    expect(JSON.parse(new URL(page.url()).searchParams.get('is') ?? '{}')).toEqual({
      companyId,
      'consent.email': 'granted',
      language: 'de',
      source: 'fair',
      [`customFields.${fieldId}`]: 'gravel',
    })
    await expectAccessible(page)
    await screenshot(page, 'contacts-field-filters')
    await page.reload()
    await page.getByRole('button', { name: 'Filters, 5 active' }).waitFor()
    await page.getByText('1 contact', { exact: true }).waitFor()
    await page.goto(`/app${contacts()}?q=filtered`)
    await page.getByRole('checkbox', { name: 'Select: Other Filtered' }).check()
    await selection(page).getByRole('button', { name: 'Select all 2' }).click()
    await selection(page).getByText('2 selected').waitFor()
    await selection(page).getByRole('button', { name: 'Delete contacts' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete contacts' })
    await dialog.getByRole('button', { name: 'Delete 2 contacts' }).click()
    await page.getByText('No matching contacts').waitFor()
    expect(Object.keys(await tagsOf()).toSorted()).toEqual(['Ada', 'Edsger', 'Grace'])
    expectNoFaults(page)
    await at.api.companies.delete(companyId)
    await page.context().close()
  })

  test('hides changes that the role does not allow', async () => {
    const view = await at.api.contactViews.create({ name: 'Team', filter: { key: 'tags', eq: 'vip' }, columns: ['name', 'tags'] })
    const page = await at.open(`${contacts()}?view=${view.id}`)
    const enterAs = async (role: string, scopes: string[]): Promise<void> => {
      await page.unrouteAll()
      await page.route('**/v1/me', async (route) => {
        const answer = await route.fetch()
        const me = (await answer.json()) as { organizations: object[] }
        await route.fulfill({
          response: answer,
          json: { ...me, organizations: me.organizations.map((each) => ({ ...each, role, scopes })) },
        })
      })
      // The view of a colleague: the API lists it with the id of its owner.
      await page.route('**/v1/contact-views?*', (route) =>
        route.fulfill({ json: { data: [{ ...view, ownerId: 'usr_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8' }], nextCursor: null } }),
      )
      await page.reload()
      await link(page, 'Ada Lovelace').waitFor()
      await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
      await page.locator('th[aria-sort=ascending]').waitFor()
    }
    await enterAs('viewer', ['contacts:read'])
    await page.getByText('Unsaved changes').waitFor()
    expect(await page.getByRole('checkbox').count()).toBe(0)
    for (const name of ['Save changes', 'Save as view', 'Create contact', 'Actions for the view Team'])
      expect(await page.getByRole('button', { name }).count()).toBe(0)
    await page.getByRole('button', { name: 'Reset' }).click()

    await enterAs('member', ['contacts:read', 'contacts:write'])
    await page.getByRole('button', { name: 'Save as view' }).waitFor()
    for (const name of ['Save changes', 'Actions for the view Team']) expect(await page.getByRole('button', { name }).count()).toBe(0)
    await page.getByRole('checkbox', { name: 'Select: Ada Lovelace' }).check()
    await selection(page).getByRole('button', { name: 'Add tags' }).click()
    await page.getByRole('dialog').getByRole('combobox', { name: 'Add tags' }).fill('team')
    await page.keyboard.press('Enter')
    // Leaving the page asks about the typed tag.
    const asked = page.waitForEvent('dialog')
    await page.evaluate('setTimeout(() => location.reload())')
    await (await asked).dismiss()
    await page.getByRole('dialog').getByRole('button', { name: 'Preview change' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Change 1 contact' }).click()
    await page.getByText('1 contact was changed.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await at.api.contactViews.delete(view.id)
    expectNoFaults(page)
    await page.context().close()
  })

  test('lists duplicates; a pair is dismissed, and another one leads to the merge', async () => {
    const page = await at.open(contacts())
    await link(page, 'Ada Lovelace').waitFor()
    for (const [lastName, email] of [
      ['Byron', 'ada.byron@example.com'],
      ['Byron', 'Ada.Byron@example.com'],
      ['Noether', 'emmy@example.com'],
      ['Nöther', 'emmy@example.com'],
    ] as const)
      await at.api.contacts.create({ firstName: email.startsWith('emmy') ? 'Emmy' : 'Ada', lastName, email })
    await expect.poll(async () => (await at.api.contacts.duplicates.list().page()).data.length).toBe(2)
    // The number needs no list of pairs.
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.reload()
    await page.getByRole('link', { name: 'Duplicates (2)' }).waitFor()
    expect(asked).toContain('/v1/contacts/duplicates/count')
    expect(asked).not.toContain('/v1/contacts/duplicates')
    await activate(page, page.getByRole('link', { name: 'Duplicates (2)' }))
    await page.getByText('2 pairs').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'contacts-duplicates')
    const byron = page.getByRole('listitem', { name: 'Ada Byron and Ada Byron' })
    await activate(page, byron.getByRole('button', { name: 'Not the same' }))
    await activate(page, page.getByRole('dialog').getByRole('button', { name: 'Not the same' }))
    await byron.waitFor({ state: 'hidden' })
    await page.setViewportSize({ width: 360, height: 740 })
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await activate(page, page.getByRole('link', { name: 'Compare and merge' }))
    await page.getByRole('heading', { level: 1, name: 'Merge contacts' }).waitFor()
    await page.getByRole('region', { name: 'Fields' }).getByText('Nöther').first().waitFor()
    expect((await at.api.contacts.duplicates.list({ status: 'dismissed' }).page()).data).toHaveLength(1)
    expectNoFaults(page)
    await page.context().close()
  })

  test('by keyboard: creates, edits, finds, deletes and restores a company', async () => {
    const page = await at.open(`/${at.slug}/companies`)
    await page.getByText('No companies yet').waitFor()
    await expectAccessible(page)
    const size = (await at.api.customFields.create({ entity: 'company', name: 'Employees', type: 'number' })).id
    await at.api.customFields.create({ entity: 'company', name: 'Partner', type: 'boolean' })
    await activate(page, page.getByRole('button', { name: 'Create company' }).first())
    const create = page.getByRole('dialog', { name: 'Create company' })
    const type = async (field: string, text: string): Promise<void> => {
      await tabTo(page, page.getByRole('dialog').getByLabel(field))
      await page.keyboard.press('Control+A')
      await page.keyboard.type(text)
    }
    await type('Name', 'Analytical Engines')
    await type('Phone', '12')
    await type('VAT ID', 'DE123456789')
    await activate(page, create.getByRole('button', { name: 'Create company' }))
    await create.getByText('Enter a valid phone number', { exact: false }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'company-refused')
    await type('Phone', '+44 20 7946 0018')
    await type('City', 'London')
    await type('Employees', 'many')
    await activate(page, create.getByRole('button', { name: 'Create company' }))
    await create.getByText('Enter a value that matches the field type.').waitFor()
    await type('Employees', '12')
    await activate(page, create.getByRole('button', { name: 'Create company' }))
    await page.getByRole('heading', { level: 1, name: 'Analytical Engines' }).waitFor()
    const [company] = (await at.api.companies.list().page()).data
    expect(company).toMatchObject({
      vatId: 'DE123456789',
      phone: '+442079460018',
      address: { city: 'London' },
      customFields: { [size]: 12 },
    })
    await at.api.contacts.create({ firstName: 'Charles', lastName: 'Babbage', companyId: company?.id ?? null })
    await link(page, 'Charles Babbage').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'company')
    await activate(page, page.getByRole('button', { name: 'Edit company' }))
    await type('Name', 'Difference Engines')
    await activate(page, page.getByRole('dialog').getByRole('button', { name: 'Save company' }))
    await page.getByRole('heading', { level: 1, name: 'Difference Engines' }).waitFor()
    await at.api.companies.create({ name: 'Acme', domains: ['acme.example'] })
    await activate(page, page.getByRole('button', { name: 'Delete company' }))
    await link(page, 'Acme').waitFor()
    await link(page, 'Difference Engines').waitFor({ state: 'hidden' })
    await activate(page, page.getByRole('button', { name: 'Undo' }))
    await link(page, 'Difference Engines').waitFor()
    await page.setViewportSize({ width: 360, height: 740 })
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await screenshot(page, 'companies')
    await tabTo(page, page.getByRole('searchbox', { name: 'Search companies' }))
    await page.keyboard.type('engines diff')
    await link(page, 'Acme').waitFor({ state: 'hidden' })
    await link(page, 'Difference Engines').waitFor()
    await at.api.companies.delete(company?.id ?? '')
    await activate(page, page.getByRole('link', { name: 'Deleted companies' }))
    await tabTo(page, page.getByRole('searchbox', { name: 'Search deleted companies' }))
    await page.keyboard.type('differ')
    await screenshot(page, 'companies-deleted')
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await activate(page, page.getByRole('button', { name: 'Restore Difference Engines' }))
    await page.getByText('No deleted companies found').waitFor()
    expect(await at.api.companies.get(company?.id ?? '')).toMatchObject({ name: 'Difference Engines' })
    expectNoFaults(page)
    await page.context().close()
  })

  test('by keyboard: merges a company into another one, and undoes it', async () => {
    const old = await at.api.companies.create({ name: 'Old Works', domains: ['old.example'] })
    const target = await at.api.companies.create({ name: 'New Works', domains: ['new.example'] })
    const page = await at.open(`/${at.slug}/companies/${old.id}`)
    await activate(page, page.getByRole('button', { name: 'Merge into…' }))
    const dialog = page.getByRole('dialog', { name: 'Merge Old Works into another company' })
    await activate(page, dialog.getByRole('button', { name: 'Merge companies' }))
    await dialog.getByText('Choose the company to merge into.').waitFor()
    await expectAccessible(page)
    await tabTo(page, dialog.getByRole('combobox', { name: 'Merge into' }))
    await page.keyboard.type('New Works')
    await page.getByRole('option', { name: 'New Works' }).waitFor()
    expect(await page.getByRole('option', { name: 'Old Works' }).count()).toBe(0)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await activate(page, dialog.getByRole('button', { name: 'Merge companies' }))
    await page.getByRole('heading', { level: 1, name: 'New Works' }).waitFor()
    await page.getByText('new.example, old.example').waitFor()
    expect(await at.api.companies.get(target.id)).toMatchObject({ mergedIds: [old.id] })
    await activate(page, page.getByRole('button', { name: 'Undo' }))
    await page.getByText('Old Works is a separate company again.').waitFor()
    expect(await at.api.companies.get(old.id)).toMatchObject({ domains: ['old.example'] })
    expectNoFaults(page)
    await page.context().close()
  })

  test('by keyboard: lists duplicates of companies; a pair is dismissed, and another one is merged', async () => {
    for (const name of ['Northwind Traders', 'Northwind Traders Ltd', 'Valdemarsen', 'Valdemarsen ApS'])
      await at.api.companies.create({ name })
    await expect.poll(async () => (await at.api.companies.duplicates.list().page()).data.length).toBe(2)
    const page = await at.open(`/${at.slug}/companies`)
    await activate(page, page.getByRole('link', { name: 'Duplicates (2)' }))
    await page.getByText('2 pairs').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'companies-duplicates')
    const traders = page.getByRole('listitem', { name: 'Northwind Traders and Northwind Traders Ltd' })
    await activate(page, traders.getByRole('button', { name: 'Not the same' }))
    await activate(page, page.getByRole('dialog').getByRole('button', { name: 'Not the same' }))
    await traders.waitFor({ state: 'hidden' })
    await page.setViewportSize({ width: 360, height: 740 })
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await activate(page, page.getByRole('button', { name: 'Merge…' }))
    await activate(page, page.getByRole('dialog').getByRole('button', { name: 'Merge companies' }))
    await page.getByRole('heading', { level: 1, name: 'Valdemarsen' }).waitFor()
    expect((await at.api.companies.duplicates.list().page()).data).toEqual([])
    expectNoFaults(page)
    await page.context().close()
  })
})
