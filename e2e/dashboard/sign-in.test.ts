import type { Page } from 'playwright-core'
import { URI, type TOTP } from 'otpauth'
import { describe, expect, onTestFinished, test } from 'vitest'
import { program } from '../program.ts'
import { chromiumPath, dashboard, expectAccessible, expectNoFaults, expectNoSidewaysScroll, screenshot } from './browser.ts'
import { linkIn, messageTo } from './mail-folder.ts'
import { owner } from './signed-in.ts'

const at = dashboard()
const newPassword = 'another long pass phrase'

async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel('Email address').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Creates an invitation and opens its link. */
async function invite(email: string, role: 'admin' | 'member' | 'viewer'): Promise<Page> {
  await at.api.invitations.create({ email, role })
  return at.visit(linkIn(await messageTo(at.program, email)))
}

/** Sends an API request from a page and returns the status. */
const statusFrom = (page: Page, path: string, method: string, organization?: string): Promise<number> =>
  page.evaluate(
    async ([url, verb, organizationId]) => {
      const headers = { ...(organizationId && { 'groundwork-organization': organizationId }), 'content-type': 'application/json' }
      return (await fetch(url, { method: verb, headers, ...(verb !== 'GET' && { body: JSON.stringify({ email: 'a@example.com' }) }) }))
        .status
    },
    [path, method, organization ?? ''] as const,
  )

const codeOf = (secret: string): string => (URI.parse(`otpauth://totp/x?secret=${secret}`) as TOTP).generate()

/** Returns how often the browser asked whether to leave the page. */
function questionsOnLeaving(page: Page): () => number {
  let asked = 0
  page.on('dialog', (dialog) => {
    asked += 1
    void dialog.accept()
  })
  return () => asked
}

describe.skipIf(chromiumPath === undefined)('signing in', () => {
  test('creates the first user with the setup link, signs out and signs in again', async () => {
    const fresh = await program(onTestFinished)
    await fresh.start()
    const early = await at.visit(`${fresh.url}/app/`)
    await early.getByText('Groundwork is not set up yet').waitFor()
    await screenshot(early, 'sign-in-nobody')
    const address = /http:\S+\/app\/setup#\S+/.exec(fresh.output())?.[0] ?? ''
    const page = await at.visit(address)
    const questions = questionsOnLeaving(page)
    await page.getByRole('heading', { level: 1, name: 'Welcome to Groundwork' }).waitFor()
    await page.getByRole('button', { name: 'Create organization' }).click()
    await page.getByText('This field is required.').first().waitFor()
    await screenshot(page, 'setup-refused')
    await expectAccessible(page)
    await page.getByLabel('Organization').fill('Harbour Cycles')
    await page.getByRole('combobox', { name: 'Country' }).fill('Switz')
    await page.getByRole('option', { name: 'Switzerland' }).click()
    await expect.poll(() => page.getByRole('combobox', { name: 'Default currency' }).inputValue()).toMatch(/^CHF/)
    await page.getByLabel('Your name').fill(owner.name)
    await page.getByLabel('Email address').fill(owner.email)
    await page.getByRole('textbox', { name: 'Password' }).fill(owner.password)
    await screenshot(page, 'setup')
    await expectNoSidewaysScroll(page)
    await page.getByRole('button', { name: 'Create organization' }).click()
    await page.waitForURL('**/app/harbour-cycles')
    expect(questions()).toBe(0)
    await page.getByRole('button', { name: /account menu/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL('**/app/sign-in')
    await signIn(page, { email: owner.email, password: 'the wrong pass phrase' })
    await page.getByText('The email address or password is incorrect.').waitFor()
    // It was disabled during the request.
    await page.getByRole('button', { name: 'Sign in', exact: true }).and(page.locator(':focus')).waitFor()
    await screenshot(page, 'sign-in-refused')
    await expectAccessible(page)
    await signIn(page, owner)
    await page.waitForURL('**/app/harbour-cycles')
    const again = await at.visit(address)
    await again.getByLabel('Organization').fill('Another')
    await again.getByLabel('Your name').fill('Kim')
    await again.getByLabel('Email address').fill('kim@example.com')
    await again.getByRole('textbox', { name: 'Password' }).fill(newPassword)
    await again.getByRole('button', { name: 'Create organization' }).click()
    await again.getByRole('heading', { name: 'Groundwork is already set up' }).waitFor()
    // Another link in the same tab.
    await again.goto(`${address}2`)
    await again.getByRole('heading', { name: 'Welcome to Groundwork' }).waitFor()
    expect(await again.getByLabel('Organization').inputValue()).toBe('Another')
    for (const each of [early, page, again]) {
      expectNoFaults(each)
      await each.context().close()
    }
    // It starts a program of its own.
  }, 600_000)

  test('returns to the requested page after sign-in', async () => {
    const page = await at.visit(`/app/${at.slug}/knowledge`)
    await page.waitForURL('**/app/sign-in?**')
    await signIn(page, owner)
    await page.waitForURL(`**/app/${at.slug}/knowledge`)
    expectNoFaults(page)
    await page.context().close()
  })

  test.each([
    ['invitation', 'This invitation is no longer valid'],
    ['reset-password', 'This link is incomplete.'],
    ['setup', 'This setup link is incomplete'],
  ])('a link to %s that was cut within a character says so', async (path, message) => {
    for (const secret of ['abc%', 'abc%zz', '%C3']) {
      const page = await at.visit(`/app/${path}#${secret}`)
      await page.getByText(message, { exact: false }).first().waitFor()
      expect(await page.getByRole('textbox').count()).toBe(0)
      expectNoFaults(page)
      await page.context().close()
    }
  })

  test('an invitation adds a member, and the server enforces the role', async () => {
    const email = 'viewer@example.com'
    const page = await invite(email, 'viewer')
    const link = page.url()
    await page.goto('/app/invitation#old')
    await page.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor()
    // The link in the same tab.
    await page.goto(link)
    await page.getByRole('heading', { level: 1, name: 'Join Acme' }).waitFor()
    const questions = questionsOnLeaving(page)
    await page.getByLabel('Your name').fill('Vic Viewer')
    await page.getByRole('textbox', { name: 'Password' }).fill(newPassword)
    await screenshot(page, 'invitation')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Accept invitation' }).click()
    await page.waitForURL(`**/app/${at.slug}`)
    expect(questions()).toBe(0)
    const { id } = await at.api.organization.get()
    expect(await statusFrom(page, '/v1/contacts', 'GET', id)).toBe(200)
    expect(await statusFrom(page, '/v1/contacts', 'POST', id)).toBe(403)
    expect(await statusFrom(page, '/v1/contacts', 'GET', 'org_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8')).toBe(404)
    const cookies = await page.context().cookies()
    expect(cookies.map(({ httpOnly, sameSite }) => [httpOnly, sameSite])).toEqual([[true, 'Lax']])
    const elsewhere = await fetch(`${at.url}/v1/contacts`, {
      method: 'POST',
      headers: {
        cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
        origin: 'https://elsewhere.example',
        'groundwork-organization': id,
        'content-type': 'application/json',
      },
      body: '{}',
    })
    expect(elsewhere.status).toBe(403)
    const over = await at.visit(linkIn(await messageTo(at.program, email)))
    await over.getByRole('heading', { level: 1, name: 'This invitation is no longer valid' }).waitFor()
    expectNoFaults(page)
    await page.context().close()
    await over.context().close()
  })

  test('resets a forgotten password with the link in the message, and ends existing sessions', async () => {
    const email = 'forgetful@example.com'
    const before = await invite(email, 'member')
    await before.getByLabel('Your name').fill('Fay Forgetful')
    await before.getByRole('textbox', { name: 'Password' }).fill(owner.password)
    await before.getByRole('button', { name: 'Accept invitation' }).click()
    await before.waitForURL(`**/app/${at.slug}`)
    const page = await at.visit('/app/sign-in')
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    // The previous page has a field with the same name.
    await page.getByRole('heading', { level: 1, name: 'Forgot your password?' }).waitFor()
    await page.getByLabel('Email address').fill(email)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Send link' }).click()
    await page.getByText('you will receive an email').waitFor()
    await expect.poll(() => messageTo(at.program, email)).toContain('/app/reset-password#')
    await page.goto('/app/reset-password#old')
    await page.getByRole('textbox', { name: 'New password' }).fill(newPassword)
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByRole('alert').waitFor()
    // The new link in the same tab.
    await page.goto(linkIn(await messageTo(at.program, email)))
    await page.getByRole('alert').waitFor({ state: 'detached' })
    await page.getByRole('textbox', { name: 'New password' }).fill('short')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByText('Use 12 to 128 characters for the new password.').waitFor()
    await page.getByRole('textbox', { name: 'New password' }).fill(newPassword)
    await screenshot(page, 'reset-password')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByText('Your password was changed.').waitFor()
    expect(await statusFrom(before, '/v1/me', 'GET')).toBe(401)
    await signIn(page, { email, password: newPassword })
    await page.waitForURL(`**/app/${at.slug}`)
    expectNoFaults(page)
    await page.context().close()
    await before.context().close()
  })

  test('sets up two-factor authentication, signs in with a backup code, and turns it off', async () => {
    const email = 'careful@example.com'
    const page = await invite(email, 'member')
    await page.getByLabel('Your name').fill('Cat Careful')
    await page.getByRole('textbox', { name: 'Password' }).fill(newPassword)
    await page.getByRole('button', { name: 'Accept invitation' }).click()
    await page.waitForURL(`**/app/${at.slug}`)
    await page.goto('/app/account')
    const section = page.getByRole('region', { name: 'Two-factor authentication' })
    await section.getByRole('button', { name: 'Set up two-factor authentication' }).click()
    await section.getByRole('textbox', { name: 'Password' }).fill('the wrong pass phrase')
    await section.getByRole('button', { name: 'Continue' }).click()
    await section.getByText('The current password is incorrect.').waitFor()
    await section.getByRole('textbox', { name: 'Password' }).fill(newPassword)
    await section.getByRole('button', { name: 'Continue' }).click()
    await section.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    await screenshot(page, 'two-factor-scan')
    await expectAccessible(page)
    const secret = (await section.locator('code').textContent()) ?? ''
    await section.getByRole('textbox', { name: 'Code', exact: true }).fill(codeOf(secret))
    await section.getByRole('button', { name: 'Turn on two-factor authentication' }).click()
    await section.getByRole('heading', { name: 'Backup codes' }).waitFor()
    await screenshot(page, 'backup-codes')
    const codes = await section.locator('li code').allTextContents()
    expect(codes).toHaveLength(10)
    await section.getByRole('button', { name: 'I’ve saved them' }).click()
    await section.getByText('On. Signing in requires a code').waitFor()

    const other = await at.visit('/app/sign-in')
    await signIn(other, { email, password: newPassword })
    await other.getByRole('heading', { name: 'Two-factor authentication' }).waitFor()
    await screenshot(other, 'code')
    await expectAccessible(other)
    await other.getByRole('textbox', { name: 'Code', exact: true }).fill('000000')
    await other.getByRole('button', { name: 'Continue' }).click()
    await other.getByText('The code is incorrect').waitFor()
    await other.getByRole('button', { name: 'Use a backup code' }).click()
    await other.getByLabel('Backup code').fill(codes[0] ?? '')
    await other.getByRole('button', { name: 'Continue' }).click()
    await other.waitForURL(`**/app/${at.slug}`)

    await section.getByRole('button', { name: 'Turn off two-factor authentication' }).click()
    await section.getByRole('textbox', { name: 'Password' }).fill(newPassword)
    await section.getByRole('button', { name: 'Continue' }).click()
    await section.getByText('Off. Turn it on').waitFor()
    for (const each of [page, other]) {
      expectNoFaults(each)
      await each.context().close()
    }
  })

  test('lists active sessions and ends other ones', async () => {
    const here = await at.open('/account')
    const other = await at.visit('/app/sign-in')
    await signIn(other, owner)
    await other.waitForURL(`**/app/${at.slug}`)
    const stolen = await other.context().cookies()
    await here.reload()
    const section = here.getByRole('region', { name: 'Active sessions' })
    await section.getByText('This browser').waitFor()
    await screenshot(here, 'account')
    await expectAccessible(here)
    await expectNoSidewaysScroll(here)
    await section.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await section.getByRole('button', { name: 'Sign out everywhere else' }).waitFor({ state: 'hidden' })
    const cookie = stolen.map(({ name, value }) => `${name}=${value}`).join('; ')
    expect((await fetch(`${at.url}/v1/me`, { headers: { cookie } })).status).toBe(401)
    await other.reload()
    await other.waitForURL('**/app/sign-in?**')

    const name = here.getByRole('region', { name: 'Name' })
    await name.getByLabel('Your name').fill('Olivia Renamed')
    await name.getByRole('button', { name: 'Save' }).click()
    await here.getByText('Your name was saved.').waitFor()
    await here.getByRole('link', { name: 'Back to the dashboard' }).click()
    await here.getByRole('button', { name: 'Olivia Renamed, account menu' }).waitFor()
    for (const each of [here, other]) {
      expectNoFaults(each)
      await each.context().close()
    }
  })

  test('creates another organization from the switcher', async () => {
    const page = await at.open(`/${at.slug}/knowledge`)
    await page.getByRole('button', { name: /switch organization/ }).click()
    await page.getByRole('menuitem', { name: 'Create organization' }).click()
    const questions = questionsOnLeaving(page)
    await page.getByLabel('Name').fill('Second Shop')
    await screenshot(page, 'new-organization')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Create organization' }).click()
    await page.waitForURL('**/app/second-shop')
    expect(questions()).toBe(0)
    // The form has no draft of the organization that was created.
    await page.goto('/app/organizations/new')
    expect(await page.getByLabel('Name').inputValue()).toBe('')
    expectNoFaults(page)
    await page.context().close()
  })
})
