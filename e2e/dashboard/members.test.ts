import { describe, expect, test } from 'vitest'
import {
  chromiumPath,
  dashboard,
  expectAccessible,
  expectListNearTop,
  expectNoFaults,
  expectNoSidewaysScroll,
  screenshot,
} from './browser.ts'

describe.skipIf(chromiumPath === undefined)('members, organization and system', () => {
  const at = dashboard()

  /** Accepts the invitation in the newest message to the address. */
  const accept = async (email: string, name: string): Promise<{ cookie: string }> => {
    const { data } = await at.api.mails.list().page()
    const token = /\/app\/invitation#(\S+)/.exec(data.find(({ to }) => to === email)?.text ?? '')?.[1]
    const response = await fetch(`${at.program.url}/v1/invitations/accept`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: at.program.url },
      body: JSON.stringify({ token, name, password: 'a password of five words' }),
    })
    expect(response.status).toBe(200)
    return { cookie: response.headers.getSetCookie().join().split(';')[0] ?? '' }
  }

  test('invites a member, shows the invitation link without a mail server, and keeps the last owner', async () => {
    const page = await at.open(`/${at.slug}/settings/members`)
    const own = page.getByRole('row', { name: /Olivia Owner/ })
    await own.getByTitle('An organization needs at least one owner', { exact: false }).waitFor()
    expect(await own.getByRole('combobox').count()).toBe(0)
    expect(await own.getByRole('button').count()).toBe(0)
    await page.getByRole('button', { name: 'Invite member' }).click()
    const form = page.getByRole('dialog', { name: 'Invite member' })
    await form.getByLabel('Email address').fill('no address')
    await form.getByRole('button', { name: 'Send invitation' }).click()
    await form.locator('[aria-invalid=true]').waitFor()
    await expectAccessible(page)
    await form.getByLabel('Email address').fill('robin@example.com')
    await form.getByLabel('Role').selectOption('Admin')
    await form.getByRole('button', { name: 'Send invitation' }).click()
    const linkDialog = page.getByRole('dialog', { name: 'Invitation link for robin@example.com' })
    const link = async (): Promise<string> => {
      await linkDialog.getByRole('button', { name: 'Copy: Invitation link' }).waitFor()
      return linkDialog.getByRole('region', { name: 'Invitation link' }).innerText()
    }
    const isOpen = async (url: string): Promise<boolean> => {
      const answer = await fetch(`${at.program.url}/v1/invitations/look`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: at.program.url },
        body: JSON.stringify({ token: new URL(url).hash.slice(1) }),
      })
      return answer.ok
    }
    const first = await link()
    expect(await isOpen(first)).toBe(true)
    await screenshot(page, 'invitation-link')
    await expectAccessible(page)
    await linkDialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('row', { name: /robin@example.com.*Admin.*Pending/ }).waitFor()
    await page.getByRole('button', { name: 'New link: robin@example.com' }).click()
    await page.getByRole('button', { name: 'Create link' }).click()
    await expect.poll(link).not.toBe(first)
    expect([await isOpen(first), await isOpen(await link())]).toEqual([false, true])
    await linkDialog.getByRole('button', { name: 'Done' }).click()
    await expectAccessible(page)
    await screenshot(page, 'members')
    await page.getByRole('link', { name: 'View messages' }).click()
    await page.getByRole('heading', { level: 1, name: 'System' }).waitFor()
    await page
      .getByRole('button', { name: /robin@example.com/ })
      .first()
      .click()
    await page.getByText('/app/invitation#', { exact: false }).waitFor()
    await page.getByText('Bundled model', { exact: false }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'system')
    expectNoFaults(page)
    await page.context().close()
  })

  test('changes a role, removes a member after a confirmation, and revokes an invitation', async () => {
    const page = await at.open(`/${at.slug}/settings/members`)
    const invitation = page.getByRole('row', { name: /robin@example.com.*Pending/ })
    await invitation.waitFor()
    const robin = await accept('robin@example.com', 'Robin Admin')
    // As if the user came back to the tab.
    await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`)
    await page.getByRole('row', { name: /Robin Admin/ }).waitFor()
    await invitation.waitFor({ state: 'hidden' })
    const made = await fetch(`${at.program.url}/v1/tokens`, {
      method: 'POST',
      headers: {
        ...robin,
        'content-type': 'application/json',
        origin: at.program.url,
        'groundwork-organization': (await at.api.organization.get()).id,
      },
      body: JSON.stringify({ name: 'Phone agent', scopes: ['search:read'] }),
    })
    expect(made.status).toBe(201)
    await at.api.invitations.create({ email: 'kim@example.com', role: 'viewer' })
    await expectListNearTop(page)
    await page.keyboard.press('/')
    await page.keyboard.type('robin@')
    await page.getByRole('row', { name: /Olivia Owner/ }).waitFor({ state: 'hidden' })
    await expect.poll(() => new URL(page.url()).search).toBe('?q=robin%40')
    await page.getByRole('searchbox', { name: 'Search members' }).fill('')
    await page.getByRole('row', { name: /Olivia Owner/ }).waitFor()
    await page.getByRole('columnheader', { name: 'Member', exact: true }).getByRole('button').click()
    await expect.poll(() => page.getByRole('table', { name: 'Members' }).getByRole('row').nth(1).innerText()).toContain('Olivia Owner')
    await page.getByLabel('Role for Robin Admin').selectOption('Member')
    await page.getByText('Robin Admin’s role is now Member.').waitFor()
    const { data } = await at.api.members.list().page()
    expect(data.map(({ name, role }) => [name, role])).toContainEqual(['Robin Admin', 'member'])
    await page.getByRole('button', { name: 'Revoke: kim@example.com' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke invitation' }).click()
    await page.getByText('No pending invitations.').waitFor()
    await page.getByRole('button', { name: 'Actions for Robin Admin' }).click()
    await page.getByRole('menuitem', { name: 'Remove member' }).click()
    const warning = page.getByRole('dialog', { name: 'Remove Robin Admin?' })
    await warning.getByText('1 API token created by this member keeps working', { exact: false }).waitFor()
    await screenshot(page, 'member-removed')
    await expectAccessible(page)
    const tokens = await at.open(
      (await warning.getByRole('link', { name: 'View tokens' }).getAttribute('href'))?.slice('/app'.length) ?? '',
    )
    await tokens.getByText('Created by Robin Admin').waitFor()
    await screenshot(tokens, 'tokens-of-creator')
    await expectAccessible(tokens)
    await expect.poll(() => tokens.getByRole('row').allTextContents()).toEqual([expect.anything(), expect.stringContaining('Phone agent')])
    await tokens.getByRole('link', { name: 'Show all tokens' }).click()
    await tokens.getByRole('cell', { name: 'Command line', exact: true }).waitFor()
    expectNoFaults(tokens)
    await tokens.context().close()
    await warning.getByRole('button', { name: 'Remove member' }).click()
    await page.getByRole('row', { name: /Robin Admin/ }).waitFor({ state: 'hidden' })
    expect((await at.api.members.list().page()).data).toHaveLength(1)
    expectNoFaults(page)
    await page.context().close()
  })

  test('changes the roles of selected members, and removes them after a confirmation', async () => {
    for (const name of ['Alex Bulk', 'Billie Bulk']) {
      const email = `${name.split(' ')[0]}@example.com`.toLowerCase()
      await at.api.invitations.create({ email, role: 'viewer' })
      await accept(email, name)
    }
    const roles = async (): Promise<string[]> =>
      (await at.api.members.list().page()).data
        .filter(({ name }) => name.endsWith('Bulk'))
        .map(({ name, role }) => `${name}: ${role}`)
        .toSorted()
    const page = await at.open(`/${at.slug}/settings/members`)
    for (const name of ['Alex Bulk', 'Billie Bulk', 'Olivia Owner']) await page.getByRole('checkbox', { name: `Select: ${name}` }).check()
    // The own row is left out.
    await page.getByRole('button', { name: 'Make members (2)', exact: true }).click()
    await page.getByText('The roles of 2 members were changed.').waitFor()
    expect(await roles()).toEqual(['Alex Bulk: member', 'Billie Bulk: member'])
    await page.getByRole('checkbox', { name: 'Select: Alex Bulk' }).check()
    await page.getByRole('button', { name: 'Make admins', exact: true }).click()
    await page.getByText('The role of 1 member was changed.').waitFor()
    expect(await roles()).toEqual(['Alex Bulk: admin', 'Billie Bulk: member'])
    for (const name of ['Alex Bulk', 'Billie Bulk']) await page.getByRole('checkbox', { name: `Select: ${name}` }).check()
    await page.getByRole('button', { name: 'Remove members', exact: true }).click()
    const question = page.getByRole('dialog', { name: 'Remove 2 members?' })
    await question.getByText('“Alex Bulk”', { exact: false }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'members-removed')
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'hidden' })
    expect(await roles()).toHaveLength(2)
    await page.getByRole('button', { name: 'Remove members', exact: true }).click()
    await question.getByRole('button', { name: 'Remove members' }).click()
    await page.getByText('2 members were removed.').waitFor()
    await page.getByRole('row', { name: /Bulk/ }).first().waitFor({ state: 'hidden' })
    expect(await roles()).toEqual([])
    expectNoFaults(page)
    await page.context().close()
  })

  test('renames the organization and follows its new URL', async () => {
    const page = await at.open(`/${at.slug}/settings/organization`, { width: 'phone' })
    await page.getByLabel('Name in URLs').fill('Acme Harbour')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Use lowercase letters, digits and hyphens', { exact: false }).first().waitFor()
    await expectAccessible(page)
    await page.getByRole('combobox', { name: 'Country' }).fill('United K')
    await page.getByRole('option', { name: 'United Kingdom' }).click()
    await page.getByRole('combobox', { name: 'Default currency' }).fill('GBP')
    await page.getByRole('option', { name: /^GBP/ }).click()
    await page.getByLabel('Name', { exact: false }).first().fill('Acme Harbour')
    await page.getByLabel('Name in URLs').fill('acme-harbour')
    await page.getByLabel('Address', { exact: true }).fill('1 Quay Road\nHarbour Town')
    await page.getByLabel('Color').fill('#1f5f8b')
    await page.getByLabel('Language').selectOption('German')
    await page.getByRole('combobox', { name: 'Time zone' }).fill('Europe/Berlin')
    await page.getByRole('option', { name: 'Europe/Berlin' }).click()
    await at.api.organization.update({ taxId: 'GB123' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL('**/app/acme-harbour/settings/organization')
    await page.getByText('The organization settings were saved.').waitFor()
    await expect.poll(() => page.title()).toBe('Organization · Acme Harbour · Groundwork')
    const profile = {
      legalName: null,
      taxId: 'GB123',
      address: '1 Quay Road\nHarbour Town',
      color: '#1f5f8b',
      language: 'de',
      timeZone: 'Europe/Berlin',
    }
    const named = { name: 'Acme Harbour', slug: 'acme-harbour', country: 'GB', defaultCurrency: 'GBP' }
    expect(await at.api.organization.get()).toMatchObject({ ...named, ...profile })
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await screenshot(page, 'organization')
    expectNoFaults(page)
    await page.context().close()
  })
})
