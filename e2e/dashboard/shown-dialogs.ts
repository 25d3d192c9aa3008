import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { mergedContact, namedContact, type ShownPage } from './extreme-data.ts'
import { owner, type SignedIn } from './signed-in.ts'

type Step = string | RegExp | ((page: Page) => Promise<void>)

/** After this, a step has failed: the test names its dialog and continues. */
const stepMs = 60_000

const pressed =
  (keys: string): Step =>
  async (page) => {
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.keyboard.press(keys)
  }

/**
 * Shows the filters, unless there is enough width to show them always. The button is pressed again if the list was still loading,
 * which hides them.
 */
const filters: Step = async (page) => {
  await page.getByRole('search').first().waitFor({ timeout: stepMs })
  const show = page.getByRole('button', { name: 'Filters' }).first()
  if ((await show.count()) === 0) return
  const hide = page.locator('[role=search] [aria-expanded=true]')
  await expect
    .poll(
      async () => {
        if ((await hide.count()) === 0) await show.click({ timeout: stepMs })
        return hide.count()
      },
      { interval: 500, timeout: stepMs },
    )
    .toBeGreaterThan(0)
}

/** Opens the menu of the first row. */
const firstMenu = /^Actions for/

/** Presses a button that an earlier step shows. */
const button =
  (name: string | RegExp): Step =>
  (page) =>
    page.getByRole('button', { name }).first().click({ timeout: stepMs })

/** Presses a button of the open dialog. */
const inDialog =
  (name: string | RegExp): Step =>
  (page) =>
    page.getByRole('dialog').getByRole('button', { name }).first().click({ timeout: stepMs })

/** Fills in a field of the page or of the open dialog. */
const filled =
  (label: string, text: string | (() => string)): Step =>
  async (page) => {
    const value = typeof text === 'string' ? text : text()
    await (await shownIn(page)).getByLabel(label).first().fill(value, { timeout: stepMs })
  }

/** Waits for a dialog that an action opens after a while. */
const titled =
  (title: RegExp): Step =>
  (page) =>
    page.getByRole('dialog', { name: title }).waitFor({ timeout: stepMs })

/** Selects the first rows of a list. */
const selected =
  (rows: number): Step =>
  async (page) => {
    const boxes = page.getByRole('checkbox', { name: /^Select: / })
    await boxes.first().waitFor({ timeout: stepMs })
    for (const box of (await boxes.all()).slice(0, rows)) await box.check({ timeout: stepMs })
  }
const oneSelected = selected(1)

/** Presses a button of the selection, which is in a menu on a phone if there are several. */
const selectionAction =
  (name: string | RegExp): Step =>
  async (page) => {
    const bar = page.getByRole('region', { name: /^Selected/ })
    const [action, more] = [bar.getByRole('button', { name }), bar.getByRole('button', { name: /^More actions/ })]
    await action.or(more).first().waitFor({ timeout: stepMs })
    if ((await action.count()) > 0) return action.first().click({ timeout: stepMs })
    await more.click({ timeout: stepMs })
    return page.getByRole('menuitem', { name }).click({ timeout: stepMs })
  }

/** Chooses an option of the open list. */
const option =
  (name: string): Step =>
  (page) =>
    page.getByRole('option', { name, exact: true }).click({ timeout: stepMs })

/** Opens the list of a field with options, of the page or of the open dialog. */
const options =
  (label: string | RegExp): Step =>
  async (page) => {
    await (await shownIn(page)).getByRole('combobox', { name: label }).first().click({ timeout: stepMs })
    await page.getByRole('listbox').first().waitFor({ timeout: stepMs })
  }

/** Opens the record of the first row in a dialog. */
const firstRow: Step = (page) => page.locator('button.row-link').first().click({ timeout: stepMs })

/** Follows a link to another page, which asks about unsaved changes. */
const left: Step = (page) => page.locator('main a:not([target])').first().click({ timeout: stepMs })

/** Opens another contact from the page of a contact. */
const openContact = (page: Page, id: string) => page.goto(new URL(id, page.url()).href)

/** Erases a new contact, and shows the receipt. */
const erased =
  (api: SignedIn['api']): Step =>
  async (page) => {
    const { id, firstName, lastName } = await namedContact(api)
    await openContact(page, id)
    await page.getByRole('button', { name: 'Erase contact' }).click({ timeout: stepMs })
    await page.getByRole('dialog').getByRole('textbox').fill(`${firstName} ${lastName}`, { timeout: stepMs })
    await page.getByRole('dialog').getByRole('button', { name: 'Erase permanently' }).click({ timeout: stepMs })
    await page.getByRole('dialog', { name: 'Erasure receipt' }).waitFor({ timeout: stepMs })
  }

/** Undoes a merge, and shows what the contact keeps. */
const unmerged =
  (api: SignedIn['api']): Step =>
  async (page) => {
    await openContact(page, await mergedContact(api))
    await page.getByRole('button', { name: /^Undo merge of/ }).click({ timeout: stepMs })
    await page.getByRole('dialog').getByRole('button', { name: 'Undo merge' }).click({ timeout: stepMs })
    await page.getByRole('dialog', { name: 'The merge was undone' }).waitFor({ timeout: stepMs })
  }

/** Shows an import as if it were running: a real one would end before its dialog is checked. */
const running: Step = async (page) => {
  await page.route(/\/v1\/contact-imports\/imp_[^/]+$/, async (route) => {
    const response = await route.fetch()
    const record = (await response.json()) as object
    await route.fulfill({ response, json: { ...record, status: 'running', progress: { done: 12_345, total: 30_000 } } })
  })
  await page.reload()
}

/** Returns the open dialog; the page if there is none. */
async function shownIn(page: Page): Promise<Page | Locator> {
  const dialog = page.getByRole('dialog')
  return (await dialog.count()) > 0 ? dialog : page
}

/** Opens the navigation, which only phones have in a drawer. */
const navigation: Step = async (page) => {
  await page.getByRole('heading', { level: 1 }).first().waitFor({ timeout: stepMs })
  const burger = page.getByRole('button', { name: 'Open navigation' })
  if (!(await burger.isVisible())) return
  await burger.click({ timeout: stepMs })
  await page.getByRole('dialog').waitFor({ timeout: stepMs })
}

/** These show no dialog at every width. */
const inPage = new Set<Step>([filters, navigation, oneSelected])

const switcher = button(/, switch organization$/)
const userMenu = /, account menu$/
const newEmail = (): string => `invited-${crypto.randomUUID()}@example.com`

/**
 * Returns the pages with a dialog, drawer or menu open.
 * @param pages the pages of the organization and its records
 */
export function dialogsOf(pages: readonly ShownPage[], api: SignedIn['api']): ShownPage[] {
  const dialog = (of: string, name: string, ...steps: Step[]): ShownPage => {
    const page = pages.find((each) => each.name === of)
    if (page === undefined) throw new Error(`There is no page ${of}.`)
    return { name: `${of}-${name}`, path: page.path, open: (shown) => taken(shown, steps) }
  }
  return [
    dialog('home', 'palette', pressed('Control+K'), (page) => page.getByRole('dialog').getByRole('textbox').fill('Donau')),
    dialog('home', 'shortcuts', pressed('?')),
    dialog('home', 'user-menu', userMenu),
    dialog('home', 'navigation', navigation),
    dialog('home', 'organizations', navigation, switcher),
    dialog('contacts', 'create', 'Create contact'),
    dialog('contacts', 'filters', filters),
    dialog('contacts', 'display', 'Display'),
    dialog('contacts', 'view', filled('Search', 'Donau'), button('Save as view')),
    dialog('contacts', 'selection', oneSelected),
    ...['Add tags', 'Remove tags', 'Assign owner', 'Set field', 'Record consent', 'Export contacts', 'Delete contacts'].map((action) =>
      dialog('contacts', action.toLowerCase().replace(' ', '-'), oneSelected, selectionAction(action)),
    ),
    dialog('contacts', 'set-address', oneSelected, selectionAction('Set field'), options('Field'), option('Address')),
    dialog('contacts', 'export', 'Export contacts'),
    dialog('contacts', 'discard', 'Create contact', filled('First name', 'Ada'), inDialog('Cancel')),
    dialog('contacts', 'tags', filters, options(/^Tags/)),
    dialog('contact-long', 'consent-status', 'Record consent', options('Status')),
    dialog('contact-long', 'delete', 'Delete contact'),
    dialog('contact-long', 'erase', 'Erase contact'),
    dialog('contact-long', 'erased', erased(api)),
    dialog('contact-long', 'origin', /^History of Last name/),
    dialog('contact-long', 'address', /^Edit Address/),
    dialog('contact-long', 'emails', 'Edit all emails'),
    dialog('contact-long', 'consent', 'Record consent'),
    dialog('contact-long', 'consent-history', 'Consent history'),
    dialog('contact-long', 'task', 'Add task'),
    dialog('contact-long', 'note', 'Log note'),
    dialog('contact-long', 'activity-menu', firstMenu),
    dialog('contact-long', 'activity-delete', firstMenu, 'Delete activity'),
    dialog('contact-rtl', 'address', /^Edit Address/),
    dialog('contact-merge', 'confirm', 'Merge contacts'),
    dialog('contact-merged', 'undo', /^Undo merge of/),
    dialog('contact-merged', 'undone', unmerged(api)),
    dialog('import-result', 'cancel', running, button('Cancel import')),
    dialog('contacts-duplicates', 'dismiss', 'Not the same'),
    dialog('companies', 'create', 'Create company'),
    dialog('company', 'edit', 'Edit company'),
    dialog('company', 'merge', /^Merge into/),
    dialog('company', 'merge-options', /^Merge into/, options('Merge into')),
    dialog('proposals', 'view', filled('Search', 'Donau'), button('Save as view')),
    dialog('proposal-new', 'contacts', options('Contact')),
    dialog('proposal-new', 'currencies', options('Currency')),
    dialog('proposal-edit', 'leave', filled('Title', 'Changed'), left),
    dialog('proposal-edit', 'send', 'Send proposal'),
    dialog('proposal-signed', 'countersign', 'Countersign'),
    dialog('proposal-draft', 'send', 'Send proposal'),
    dialog('proposal-draft', 'delete', 'Delete draft'),
    dialog('proposal-sent', 'void', 'Void proposal'),
    // These come after the dialogs of single proposals, which they would end.
    withStatus('pending', dialog('proposals', 'void', oneSelected, selectionAction(/^Void proposals/))),
    withStatus('draft', dialog('proposals', 'delete', selected(4), selectionAction(/^Delete drafts/))),
    dialog('knowledge', 'create', 'Create knowledge base'),
    dialog('sources', 'add-url', 'Add URL'),
    dialog('sources', 'menu', firstMenu),
    dialog('sources', 'delete', firstMenu, 'Delete'),
    dialog('sources', 'delete-selected', oneSelected, selectionAction('Delete sources')),
    dialog('base-settings', 'delete', 'Delete knowledge base'),
    dialog('base-reindex', 'start', 'Start re-index'),
    dialog('base-reindex', 'roll-back', 'Roll back'),
    dialog('base-sample', 'remove', 'Remove sample'),
    dialog('base-evaluation', 'question', 'Add question'),
    dialog('base-evaluation', 'menu', firstMenu),
    dialog('base-evaluation', 'edit', firstMenu, 'Edit'),
    dialog('base-evaluation', 'delete', firstMenu, 'Delete'),
    dialog('base-evaluation', 'sources', 'Add question', options('Expected sources')),
    dialog('playground-answer', 'save', 'Save as evaluation question'),
    dialog('base-searches', 'filters', filters),
    dialog('settings-tokens', 'create', 'Create token'),
    dialog('settings-tokens', 'bases', 'Create token', options('Knowledge bases')),
    dialog('settings-tokens', 'created', 'Create token', filled('Name', 'Importer'), inDialog('Create token'), titled(/^Token created/)),
    dialog('settings-tokens', 'details', firstRow),
    dialog('settings-tokens', 'menu', firstMenu),
    dialog('settings-tokens', 'rename', firstMenu, 'Rename token'),
    dialog('settings-tokens', 'rotate', firstMenu, 'Rotate'),
    dialog('settings-tokens', 'revoke', firstMenu, 'Revoke'),
    dialog('settings-tokens', 'revoke-selected', oneSelected, selectionAction('Revoke tokens')),
    dialog('settings-webhooks', 'create', 'Create endpoint'),
    dialog('settings-webhooks', 'events', 'Create endpoint', options('Events')),
    dialog('webhook', 'menu', 'More actions'),
    dialog('webhook', 'rotate', 'More actions', 'Rotate secret'),
    dialog('webhook', 'rotated', 'More actions', 'Rotate secret', inDialog('Rotate secret'), titled(/rotated$/)),
    dialog('webhook-failing', 'delivery', firstRow),
    dialog('webhook', 'edit', 'More actions', 'Edit endpoint'),
    dialog('webhook', 'delete', 'More actions', 'Delete endpoint'),
    dialog('settings-custom-fields', 'create', 'Create field'),
    dialog('settings-custom-fields', 'edit', firstMenu, 'Edit field'),
    dialog('settings-custom-fields', 'convert', firstMenu, 'Change type'),
    dialog('settings-custom-fields', 'archive', firstMenu, 'Archive'),
    dialog('settings-members', 'invite', 'Invite member'),
    dialog(
      'settings-members',
      'link',
      'Invite member',
      filled('Email address', newEmail),
      inDialog('Send invitation'),
      titled(/^Invitation link/),
    ),
    dialog('settings-members', 'selection', oneSelected),
    dialog('settings-members', 'menu', firstMenu),
    dialog('settings-members', 'remove', /^Actions for Donau/, 'Remove member'),
    dialog('settings-members', 'remove-selected', selected(2), selectionAction(/^Remove members/)),
    dialog('settings-members', 'leave', new RegExp(`^Actions for ${owner.name}`), 'Leave organization'),
    dialog('settings-members', 'resend', /^(New link|Resend): /),
    dialog('settings-members', 'revoke', /^Revoke: /),
    dialog('settings-tags', 'rename', firstMenu, 'Rename tag'),
    dialog('settings-tags', 'delete', firstMenu, 'Delete'),
    dialog('settings-tags', 'merge', selected(2), button(/^Merge/)),
    dialog('settings-audit', 'activities', filters, options('Activity')),
    dialog('account', 'leave', filled('Your name', 'Another name'), left),
  ]
}

/** Shows the proposals of one status alone: forms that were sent before can have added others. */
const withStatus = (status: string, page: ShownPage): ShownPage => ({ ...page, path: `${page.path}?status=${status}` })

/** Presses the first button with the name, and then items of the menu that it opens. */
async function taken(page: Page, steps: readonly Step[]): Promise<void> {
  const pressedStep = async (step: Step, index: number): Promise<void> => {
    if (typeof step === 'function') return step(page)
    const role = index === 0 ? 'button' : 'menuitem'
    return page.getByRole(role, { name: step }).first().click({ timeout: stepMs })
  }
  for (const [index, step] of steps.entries()) await pressedStep(step, index)
  const last = steps.at(-1)
  if (last === undefined || inPage.has(last)) return
  const opened = page.getByRole('dialog').or(page.getByRole('menu')).or(page.getByRole('listbox')).first()
  if (typeof last === 'string' && steps.length === 1) {
    // A press does not reach a button that moves before it ends, because something above has grown.
    const isOpen = await opened.waitFor({ timeout: stepMs / 4 }).then(
      () => true,
      () => false,
    )
    if (!isOpen) await pressedStep(last, 0)
  }
  await opened.waitFor({ timeout: stepMs })
}
