import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { URI, type TOTP } from 'otpauth'
import { afterAll, describe, expect, test } from 'vitest'
import { chromiumPath, dashboard, expectAccessible, expectNoFaults, expectNoSidewaysScroll, screenshot } from './browser.ts'
import { loopbackIssuer } from './oidc-issuer.ts'
import { owner } from './signed-in.ts'

const issuer = await loopbackIssuer()
afterAll(() => issuer.close())
const at = dashboard(() => issuer.settings)

const continueWithIssuer = (page: Page): Promise<void> => page.getByRole('button', { name: `Continue with ${issuer.host}` }).click()

async function enter(page: Page, email: string): Promise<void> {
  await page.getByLabel('Who are you?').fill(email)
  await page.getByRole('button', { name: 'Enter' }).click()
}

/** Invites the email address and returns the link in the invitation. */
async function invitationTo(email: string): Promise<string> {
  await at.api.invitations.create({ email, role: 'member' })
  const folder = join(at.program.env['DATA_DIR'] ?? '', 'mail')
  const link = async (): Promise<string> => {
    const texts = await Promise.all((await readdir(folder).catch(() => [])).map((name) => readFile(join(folder, name), 'utf8')))
    const text = texts.find((message) => message.includes(`To: ${email}`))?.replaceAll('=\r\n', '') ?? ''
    return /http:\S+\/app\/invitation#\S+/.exec(text)?.[0] ?? ''
  }
  await expect.poll(link).not.toBe('')
  return link()
}

describe.skipIf(chromiumPath === undefined)('sign-in with an identity provider', () => {
  test('returns to the requested page', async () => {
    const page = await at.visit(`/app/${at.slug}/knowledge`)
    await page.getByRole('button', { name: `Continue with ${issuer.host}` }).waitFor()
    await screenshot(page, 'oidc-sign-in')
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await continueWithIssuer(page)
    await enter(page, owner.email)
    await page.waitForURL(`**/app/${at.slug}/knowledge`)
    await page.getByRole('button', { name: `${owner.name}, account menu` }).waitFor()
    await page.goto('/app/account')
    await page.getByText(`Do you sign in with ${issuer.host}`).waitFor()
    await expectAccessible(page)
    expectNoFaults(page)
    await page.context().close()
  })

  test('accepts an invitation', async () => {
    const email = 'ida@example.com'
    const link = await invitationTo(email)
    const page = await at.visit(link)
    await page.getByRole('button', { name: `Continue with ${issuer.host}` }).waitFor()
    await screenshot(page, 'oidc-invitation')
    await expectAccessible(page)
    await continueWithIssuer(page)
    await enter(page, email)
    await page.waitForURL(`**/app/${at.slug}`)
    await page.getByRole('button', { name: 'Ida Issued, account menu' }).waitFor()
    const roles = new Map<string, string>()
    for await (const member of at.api.members.list()) roles.set(`${member.name} ${member.email}`, member.role)
    expect(roles.get(`Ida Issued ${email}`)).toBe('member')
    expectNoFaults(page)
    await page.context().close()
  })

  test('explains a refused sign-in and links back to the invitation', async () => {
    const page = await at.visit('/app/sign-in')
    await continueWithIssuer(page)
    await enter(page, 'stranger@example.com')
    await page.getByText('No account uses the email address').waitFor()
    await screenshot(page, 'oidc-refused')
    await expectAccessible(page)
    await continueWithIssuer(page)
    await page.getByRole('button', { name: 'Turn back' }).click()
    await page.getByText('rejected the sign-in').waitFor()
    const invited = await at.visit(await invitationTo('una@example.com'))
    await continueWithIssuer(invited)
    await invited.getByLabel('Verified').uncheck()
    await enter(invited, 'una@example.com')
    await invited.getByText('did not return a verified email address').waitFor()
    await invited.getByRole('link', { name: 'Back to the invitation' }).click()
    await invited.getByRole('heading', { level: 1, name: 'Join Acme' }).waitFor()
    for (const each of [page, invited]) {
      expectNoFaults(each)
      await each.context().close()
    }
  })

  test('asks for a two-factor code, then returns to the requested page', async () => {
    const page = await at.visit(`/app/${at.slug}/playground`)
    await continueWithIssuer(page)
    await enter(page, owner.email)
    await page.getByRole('heading', { level: 1, name: 'Playground' }).waitFor()
    const post = (path: string, body: object): Promise<{ totpURI: string }> =>
      page.evaluate(
        async ([to, text]) => {
          const response = await fetch(to, { method: 'POST', headers: { 'content-type': 'application/json' }, body: text })
          return (await response.json()) as { totpURI: string }
        },
        [path, JSON.stringify(body)] as const,
      )
    const { totpURI } = await post('/auth/two-factor/enable', { password: owner.password })
    const codeAt = (timestamp: number): string => (URI.parse(totpURI) as TOTP).generate({ timestamp })
    await post('/auth/two-factor/verify-totp', { code: codeAt(Date.now()) })
    const again = await at.visit(`/app/${at.slug}/playground`)
    await continueWithIssuer(again)
    await enter(again, owner.email)
    await again.getByRole('heading', { name: 'Two-factor authentication' }).waitFor()
    await again.getByRole('textbox', { name: 'Code', exact: true }).fill(codeAt(Date.now() + 30_000))
    await again.getByRole('button', { name: 'Continue' }).click()
    await again.waitForURL(`**/app/${at.slug}/playground`)
    for (const each of [page, again]) {
      expectNoFaults(each)
      await each.context().close()
    }
  })

  test('explains that the provider is not available', async () => {
    await issuer.close()
    // The restart clears the cached endpoints of the provider.
    await at.program.stop()
    await at.program.start()
    const page = await at.visit('/app/sign-in')
    await continueWithIssuer(page)
    await page.getByText('Your identity provider is unavailable.').waitFor()
    await screenshot(page, 'oidc-unavailable')
    await expectAccessible(page)
    expectNoFaults(page)
    await page.context().close()
  })
})
