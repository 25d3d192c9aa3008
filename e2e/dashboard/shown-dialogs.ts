import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { ShownPage } from './extreme-data.ts'

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

/**
 * Returns the pages with a dialog, drawer or menu open.
 * @param pages the pages of the organization and its records
 */
export function dialogsOf(pages: readonly ShownPage[]): ShownPage[] {
  const dialog = (of: string, name: string, ...steps: Step[]): ShownPage => {
    const page = pages.find((each) => each.name === of)
    if (page === undefined) throw new Error(`There is no page ${of}.`)
    return { name: `${of}-${name}`, path: page.path, open: (shown) => taken(shown, steps) }
  }
  return [
    dialog('home', 'palette', pressed('Control+K'), (page) => page.getByRole('dialog').getByRole('textbox').fill('Donau')),
    dialog('home', 'shortcuts', pressed('?')),
    dialog('contacts', 'create', 'Create contact'),
    dialog('contacts', 'filters', filters),
    dialog('contacts', 'display', 'Display'),
    dialog('contact-long', 'delete', 'Delete contact'),
    dialog('contact-long', 'erase', 'Erase contact'),
    dialog('contact-long', 'origin', /^History of Last name/),
    dialog('contact-long', 'address', /^Edit Address/),
    dialog('contact-long', 'emails', 'Edit all emails'),
    dialog('contact-long', 'consent', 'Record consent'),
    dialog('contact-long', 'task', 'Add task'),
    dialog('contact-long', 'note', 'Log note'),
    dialog('contact-rtl', 'address', /^Edit Address/),
    dialog('contact-merge', 'confirm', 'Merge contacts'),
    dialog('contacts-duplicates', 'dismiss', 'Not the same'),
    dialog('companies', 'create', 'Create company'),
    dialog('company', 'edit', 'Edit company'),
    dialog('company', 'merge', /^Merge into/),
    dialog('proposal-draft', 'send', 'Send proposal'),
    dialog('proposal-draft', 'delete', 'Delete draft'),
    dialog('proposal-sent', 'void', 'Void proposal'),
    dialog('knowledge', 'create', 'Create knowledge base'),
    dialog('sources', 'add-url', 'Add URL'),
    dialog('sources', 'menu', firstMenu),
    dialog('sources', 'delete', firstMenu, 'Delete'),
    dialog('base-settings', 'delete', 'Delete knowledge base'),
    dialog('base-reindex', 'start', 'Start re-index'),
    dialog('base-evaluation', 'question', 'Add question'),
    dialog('base-searches', 'filters', filters),
    dialog('settings-tokens', 'create', 'Create token'),
    dialog('settings-tokens', 'menu', firstMenu),
    dialog('settings-tokens', 'rename', firstMenu, 'Rename token'),
    dialog('settings-tokens', 'rotate', firstMenu, 'Rotate'),
    dialog('settings-tokens', 'revoke', firstMenu, 'Revoke'),
    dialog('settings-webhooks', 'create', 'Create endpoint'),
    dialog('webhook', 'edit', 'More actions', 'Edit endpoint'),
    dialog('webhook', 'delete', 'More actions', 'Delete endpoint'),
    dialog('settings-custom-fields', 'create', 'Create field'),
    dialog('settings-custom-fields', 'edit', firstMenu, 'Edit field'),
    dialog('settings-custom-fields', 'archive', firstMenu, 'Archive'),
    dialog('settings-members', 'invite', 'Invite member'),
    dialog('settings-members', 'revoke', /^Revoke: /),
    dialog('settings-tags', 'rename', firstMenu, 'Rename tag'),
    dialog('settings-tags', 'delete', firstMenu, 'Delete'),
  ]
}

/** Presses the first button with the name, and then items of the menu that it opens. */
async function taken(page: Page, steps: readonly Step[]): Promise<void> {
  for (const [index, step] of steps.entries()) {
    if (typeof step === 'function') await step(page)
    else
      await page
        .getByRole(index === 0 ? 'button' : 'menuitem', { name: step })
        .first()
        .click({ timeout: stepMs })
  }
  if (steps.at(-1) === filters) return
  await page.getByRole('dialog').or(page.getByRole('menu')).first().waitFor({ timeout: stepMs })
}
