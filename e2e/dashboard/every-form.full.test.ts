import type { Locator, Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { chromiumPath, dashboard, expectLoaded, expectNoFaults } from './browser.ts'
import { closedHost, emptyPages, extremeRecords, type ShownPage } from './extreme-data.ts'
import { publicForms } from './public-forms.ts'
import { fieldsOfForms, fillAll, inputs, sentencesIn } from './refused-forms.ts'
import { dialogsOf } from './shown-dialogs.ts'

/** Names of the pages to show; all by default. */
const chosen = process.env['FORM_PAGES']?.split(',')

describe.skipIf(chromiumPath === undefined)('every form of every page', () => {
  const at = dashboard(() => ({ FETCH_ALLOW_HOSTS: closedHost }))

  test('shows no sentence of the API and no name of a setting', async () => {
    const { pages: records } = await extremeRecords(at)
    const pages = [...emptyPages(at.slug), ...records]
    // The name of the organization is in the path of its pages.
    const last = pages.filter(({ name }) => name === 'settings-organization')
    const faults = await crawled(await at.open('/'), [
      // Forms of pages change the records that the dialogs need.
      ...dialogsOf(pages, at.api),
      ...pages.filter((page) => !last.includes(page)),
      ...last,
    ])
    faults.push(...(await crawled(await at.visit('/app/sign-in'), (await publicForms(at, onTestFinished)).pages)))
    expect(faults).toEqual([])
  }, 3_600_000)

  /** Submits the forms of the pages. Returns what they should not show. */
  async function crawled(page: Page, pages: readonly ShownPage[]): Promise<string[]> {
    const faults: string[] = []
    const sentences = new Set<string>()
    let refusals = 0
    // Read before the page gets them: the body of a response whose page is left can stay pending forever.
    await page.route(/\/(v1|auth)\//, async (route) => {
      if (route.request().headers()['accept']?.includes('text/event-stream')) return route.continue()
      const response = await route.fetch().catch(() => null)
      // The page was left.
      if (response === null) return route.abort()
      if (!response.ok() && route.request().method() !== 'GET') refusals += 1
      for (const sentence of await sentencesIn(response)) sentences.add(sentence)
      await route.fulfill({ response })
    })
    for (const { name, path, open } of pages.filter((each) => chosen?.includes(each.name) ?? true)) {
      const shown = async (): Promise<Locator> => {
        await page.goto('about:blank')
        await page.goto(path.startsWith('/') ? `/app${path}` : path)
        await expectLoaded(page)
        await open?.(page)
        const dialogs = page.getByRole('dialog')
        // A question above the dialog of a form has the focus, and the form is out of reach.
        const dialog = (await dialogs.count()) > 1 ? page.locator('[role=dialog]:focus-within') : dialogs
        const scope = open === undefined ? page.locator('body') : dialog
        return scope.locator('form, [role=search]').filter({ has: page.locator(fieldsOfForms) })
      }
      const forms = await shown().catch((error: unknown) => {
        faults.push(`${name}: ${String(error).slice(0, 200)}`)
        return null
      })
      const count = (await forms?.count()) ?? 0
      for (let index = 0; index < count; index++) {
        for (const [kind, input] of Object.entries(inputs)) {
          const where = `${name}, form ${index + 1}, ${kind}`
          // The former input was accepted, and the form does not exist any more.
          const form = (await shown().catch(() => null))?.nth(index)
          if (form === undefined) continue
          const before = new Set(await errorsOn(page))
          refusals = 0
          await fillAll(form, input)
          const submit = form.locator('button[type=submit]').first()
          if ((await submit.count()) > 0 && (await submit.isEnabled()))
            await submit.click().catch((error: unknown) => faults.push(`${where}: ${String(error).slice(0, 200)}`))
          await quiet(page)
          const text = (await page.locator('body').innerText()).toLowerCase()
          faults.push(...[...sentences].filter((sentence) => text.includes(sentence)).map((sentence) => `${where}: ${sentence}`))
          const setting = /\b[A-Z]{2,}_[A-Z_]+\b/.exec(await proseOf(page))
          if (setting !== null && !name.startsWith('settings-system')) faults.push(`${where}: ${setting[0]}`)
          if (refusals > 0 && (await errorsOn(page)).every((error) => before.has(error))) faults.push(`${where}: refused without a message`)
        }
      }
    }
    expectNoFaults(page)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.context().close()
    return faults
  }
})

/** Waits until no request of a form is under way, and what it changes is shown. */
async function quiet(page: Page): Promise<void> {
  await page.waitForTimeout(700)
  await expect.poll(() => page.locator('[data-loading=true], .mantine-Skeleton-root, .mantine-Loader-root').count()).toBe(0)
}

/** Returns the text of the page without code to copy. */
async function proseOf(page: Page): Promise<string> {
  const code = await page.locator('code, pre').allInnerTexts()
  return code.reduce((text, each) => text.replace(each, ''), await page.locator('body').innerText())
}

/** Returns the errors that the page shows. */
const errorsOn = (page: Page): Promise<string[]> =>
  page.locator('[role=alert], .mantine-InputWrapper-error, .mantine-Notification-root').allInnerTexts()
