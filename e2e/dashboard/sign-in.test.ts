import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { URI, type TOTP } from 'otpauth'
import { describe, expect, onTestFinished, test } from 'vitest'
import { program } from '../program.ts'
import { chromiumPath, dashboard, expectAccessible, expectNoFaults, expectNoSidewaysScroll, screenshot } from './browser.ts'
import { owner } from './signed-in.ts'

const at = dashboard()
const newPassword = 'another long pass phrase'

async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** The text of the newest message to the address, once it is written. */
async function messageTo(email: string): Promise<string> {
  const folder = join(at.program.env['DATA_DIR'] ?? '', 'mail')
  const read = async (): Promise<string> => {
    for (const name of (await readdir(folder).catch(() => [])).toSorted().toReversed()) {
      const text = await readFile(join(folder, name), 'utf8')
      // Lines are cut where they are long.
      if (text.includes(`To: ${email}`)) return text.replaceAll('=\r\n', '')
    }
    return ''
  }
  await expect.poll(read, { timeout: 15_000 }).not.toBe('')
  return read()
}

const linkIn = (text: string): string => /http:\S+\/app\/\S+#\S+/.exec(text)?.[0] ?? ''

/** Invites somebody, and opens the link of the message. */
async function invite(email: string, role: 'admin' | 'member' | 'viewer'): Promise<Page> {
  await at.api.invitations.create({ email, role })
  return at.visit(linkIn(await messageTo(email)))
}

/** What the browser of a page may do with the API, as a page of its own would ask. */
const asked = (page: Page, path: string, method: string, organization?: string): Promise<number> =>
  page.evaluate(
    async ([to, how, of]) => {
      const headers = { ...(of && { 'groundwork-organization': of }), 'content-type': 'application/json' }
      return (await fetch(to, { method: how, headers, ...(how !== 'GET' && { body: JSON.stringify({ email: 'a@example.com' }) }) })).status
    },
    [path, method, organization ?? ''] as const,
  )

const codeOf = (secret: string): string => (URI.parse(`otpauth://totp/x?secret=${secret}`) as TOTP).generate()

describe.skipIf(chromiumPath === undefined)('signing in', () => {
  test('the first user is made by the printed address, signs out and in again', async () => {
    const fresh = await program(onTestFinished)
    await fresh.start()
    const early = await at.visit(`${fresh.url}/app/`)
    await early.getByText('Nobody can sign in yet').waitFor()
    await screenshot(early, 'sign-in-nobody')
    const address = /http:\S+\/app\/setup#\S+/.exec(fresh.output())?.[0] ?? ''
    const page = await at.visit(address)
    await page.getByRole('heading', { level: 1, name: 'Welcome to Groundwork' }).waitFor()
    await page.getByRole('button', { name: 'Begin' }).click()
    await page.getByText('This is needed.').first().waitFor()
    await screenshot(page, 'setup-refused')
    await expectAccessible(page)
    await page.getByLabel('Organization').fill('Harbour Cycles')
    await page.getByLabel('Your name').fill(owner.name)
    await page.getByLabel('E-mail address').fill(owner.email)
    await page.getByRole('textbox', { name: 'Password' }).fill(owner.password)
    await screenshot(page, 'setup')
    await expectNoSidewaysScroll(page)
    await page.getByRole('button', { name: 'Begin' }).click()
    await page.waitForURL('**/app/harbour-cycles')
    await page.getByRole('button', { name: /your menu/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL('**/app/sign-in')
    await signIn(page, { email: owner.email, password: 'the wrong pass phrase' })
    await page.getByText('The e-mail address or the password is wrong.').waitFor()
    await screenshot(page, 'sign-in-refused')
    await expectAccessible(page)
    await signIn(page, owner)
    await page.waitForURL('**/app/harbour-cycles')
    const again = await at.visit(address)
    await again.getByLabel('Organization').fill('Another')
    await again.getByLabel('Your name').fill('Kim')
    await again.getByLabel('E-mail address').fill('kim@example.com')
    await again.getByRole('textbox', { name: 'Password' }).fill(newPassword)
    await again.getByRole('button', { name: 'Begin' }).click()
    await again.getByRole('heading', { name: 'The first user is there already.' }).waitFor()
    for (const each of [early, page, again]) {
      expectNoFaults(each)
      await each.context().close()
    }
    // It starts a program of its own.
  }, 240_000)

  test('who is not signed in comes back to the page that was asked for', async () => {
    const page = await at.visit(`/app/${at.slug}/knowledge`)
    await page.waitForURL('**/app/sign-in?**')
    await signIn(page, owner)
    await page.waitForURL(`**/app/${at.slug}/knowledge`)
    expectNoFaults(page)
    await page.context().close()
  })

  test('an invitation makes a member, whose role the service holds', async () => {
    const email = 'viewer@example.com'
    const page = await invite(email, 'viewer')
    await page.getByRole('heading', { level: 1, name: 'Join Acme' }).waitFor()
    await page.getByLabel('Your name').fill('Vic Viewer')
    await page.getByRole('textbox', { name: 'Password' }).fill(newPassword)
    await screenshot(page, 'invitation')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Accept the invitation' }).click()
    await page.waitForURL(`**/app/${at.slug}`)
    const { id } = await at.api.organization.get()
    expect(await asked(page, '/v1/contacts', 'GET', id)).toBe(200)
    expect(await asked(page, '/v1/contacts', 'POST', id)).toBe(403)
    expect(await asked(page, '/v1/contacts', 'GET', 'org_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8')).toBe(404)
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
    const over = await at.visit(linkIn(await messageTo(email)))
    await over.getByRole('heading', { level: 1, name: 'This invitation is over' }).waitFor()
    expectNoFaults(page)
    await page.context().close()
    await over.context().close()
  })

  test('a forgotten password is set anew by the message, and ends the session of before', async () => {
    const email = 'forgetful@example.com'
    const before = await invite(email, 'member')
    await before.getByLabel('Your name').fill('Fay Forgetful')
    await before.getByRole('textbox', { name: 'Password' }).fill(owner.password)
    await before.getByRole('button', { name: 'Accept the invitation' }).click()
    await before.waitForURL(`**/app/${at.slug}`)
    const page = await at.visit('/app/sign-in')
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    // The page before it has a field of the same name.
    await page.getByRole('heading', { level: 1, name: 'Forgot your password?' }).waitFor()
    await page.getByLabel('E-mail address').fill(email)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await page.getByText('a message is on its way').waitFor()
    await expect.poll(() => messageTo(email), { timeout: 15_000 }).toContain('/app/reset-password#')
    await page.goto(linkIn(await messageTo(email)))
    await page.getByRole('textbox', { name: 'New password' }).fill('short')
    await page.getByRole('button', { name: 'Set the password' }).click()
    await page.getByText('The password needs at least 12 characters.').waitFor()
    await page.getByRole('textbox', { name: 'New password' }).fill(newPassword)
    await screenshot(page, 'reset-password')
    await page.getByRole('button', { name: 'Set the password' }).click()
    await page.getByText('Your password was changed.').waitFor()
    expect(await asked(before, '/v1/me', 'GET')).toBe(401)
    await signIn(page, { email, password: newPassword })
    await page.waitForURL(`**/app/${at.slug}`)
    expectNoFaults(page)
    await page.context().close()
    await before.context().close()
  })

  test('a second factor is set up by scanning, asked for, replaced by a backup code, and turned off', async () => {
    const email = 'careful@example.com'
    const page = await invite(email, 'member')
    await page.getByLabel('Your name').fill('Cat Careful')
    await page.getByRole('textbox', { name: 'Password' }).fill(newPassword)
    await page.getByRole('button', { name: 'Accept the invitation' }).click()
    await page.waitForURL(`**/app/${at.slug}`)
    await page.goto('/app/account')
    const section = page.getByRole('region', { name: 'Two-factor authentication' })
    await section.getByRole('button', { name: 'Set it up' }).click()
    await section.getByRole('textbox', { name: 'Password' }).fill('the wrong pass phrase')
    await section.getByRole('button', { name: 'Continue' }).click()
    await section.getByText('The password is wrong.').waitFor()
    await section.getByRole('textbox', { name: 'Password' }).fill(newPassword)
    await section.getByRole('button', { name: 'Continue' }).click()
    await section.getByRole('img', { name: /scanned/ }).waitFor()
    await screenshot(page, 'two-factor-scan')
    await expectAccessible(page)
    const secret = (await section.locator('code').textContent()) ?? ''
    await section.getByRole('textbox', { name: 'Code', exact: true }).fill(codeOf(secret))
    await section.getByRole('button', { name: 'Turn it on' }).click()
    await section.getByRole('heading', { name: 'Backup codes' }).waitFor()
    await screenshot(page, 'backup-codes')
    const codes = await section.locator('li code').allTextContents()
    expect(codes).toHaveLength(10)
    await section.getByRole('button', { name: 'I have kept them' }).click()
    await section.getByText('On. Signing in takes a code').waitFor()

    const other = await at.visit('/app/sign-in')
    await signIn(other, { email, password: newPassword })
    await other.getByRole('heading', { name: 'One more step' }).waitFor()
    await screenshot(other, 'code')
    await expectAccessible(other)
    await other.getByRole('textbox', { name: 'Code', exact: true }).fill('000000')
    await other.getByRole('button', { name: 'Continue' }).click()
    await other.getByText('The code is wrong').waitFor()
    await other.getByRole('button', { name: 'Use a backup code instead' }).click()
    await other.getByLabel('Backup code').fill(codes[0] ?? '')
    await other.getByRole('button', { name: 'Continue' }).click()
    await other.waitForURL(`**/app/${at.slug}`)

    await section.getByRole('button', { name: 'Turn it off' }).click()
    await section.getByRole('textbox', { name: 'Password' }).fill(newPassword)
    await section.getByRole('button', { name: 'Continue' }).click()
    await section.getByText('Off. A code').waitFor()
    for (const each of [page, other]) {
      expectNoFaults(each)
      await each.context().close()
    }
  })

  test('the account shows where one is signed in, and ends that elsewhere', async () => {
    const here = await at.open('/account')
    const other = await at.visit('/app/sign-in')
    await signIn(other, owner)
    await other.waitForURL(`**/app/${at.slug}`)
    const stolen = await other.context().cookies()
    await here.reload()
    const section = here.getByRole('region', { name: 'Where you are signed in' })
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
    await here.getByText('Saved.').waitFor()
    await here.getByRole('link', { name: 'Back to work' }).click()
    await here.getByRole('button', { name: 'Olivia Renamed, your menu' }).waitFor()
    for (const each of [here, other]) {
      expectNoFaults(each)
      await each.context().close()
    }
  })

  test('another organization is founded from the switcher', async () => {
    const page = await at.open(`/${at.slug}/knowledge`)
    await page.getByRole('button', { name: /switch organization/ }).click()
    await page.getByRole('menuitem', { name: 'New organization' }).click()
    await page.getByLabel('Name').fill('Second Shop')
    await screenshot(page, 'new-organization')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Create' }).click()
    await page.waitForURL('**/app/second-shop')
    expectNoFaults(page)
    await page.context().close()
  })
})
