import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { URI, type TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { program } from '../program.ts'
import { chromiumPath, dashboard } from './browser.ts'
import { keyboardOf, type Keyboard } from './keyboard.ts'
import { linkIn, messageTo } from './mail-folder.ts'
import { owner } from './signed-in.ts'

const newPassword = 'another long pass phrase'

describe.skipIf(chromiumPath === undefined)('with the keyboard alone', () => {
  /** A website, and the receiver of webhooks. */
  let site: Server
  const host = (): string => `127.0.0.1:${(site.address() as AddressInfo).port}`
  const requests: string[] = []
  beforeAll(async () => {
    site = createServer((request, response) => {
      requests.push(`${request.method} ${request.url}`)
      response.setHeader('content-type', 'text/html').end('<title>Wheels</title><h1>Wheels</h1><p>Wheel 3 is filled to 22 pounds.</p>')
    }).listen(0, '127.0.0.1')
    await once(site, 'listening')
  })
  afterAll(() => void site.close())
  const at = dashboard(() => ({ FETCH_ALLOW_HOSTS: host() }))

  /** Opens a page of the organization as its owner, and moves to its content. */
  const opened = async (path: string): Promise<Keyboard> => {
    const keyboard = keyboardOf(await at.open(`/${at.slug}${path}`))
    await keyboard.page.getByRole('heading', { level: 1 }).waitFor()
    await keyboard.press('link', 'Skip to content')
    return keyboard
  }
  const visited = async (address: string): Promise<Keyboard> => keyboardOf(await at.visit(address))

  const signIn = async (keyboard: Keyboard, { email, password }: { email: string; password: string }): Promise<void> => {
    await keyboard.fill('Email address', email)
    await keyboard.fill('Password', password)
    await keyboard.press('button', 'Sign in')
  }

  /** Accepts an invitation. Returns the page of the new member. */
  const joined = async (email: string, name: string): Promise<Keyboard> => {
    await at.api.invitations.create({ email, role: 'member' })
    const keyboard = await visited(linkIn(await messageTo(at.program, email)))
    await keyboard.fill('Your name', name)
    await keyboard.fill('Password', newPassword)
    await keyboard.press('button', 'Accept invitation')
    await keyboard.page.waitForURL(`**/app/${at.slug}`)
    return keyboard
  }

  test('creates the first user, signs out, and signs in', async () => {
    const fresh = await program(onTestFinished)
    await fresh.start()
    await expect.poll(() => linkIn(fresh.output())).not.toBe('')
    const keyboard = await visited(linkIn(fresh.output()))
    await keyboard.fill('Organization', 'Harbour Cycles')
    await keyboard.choose('Country', 'Switz', 'Switzerland')
    await keyboard.fill('Your name', owner.name)
    await keyboard.fill('Email address', owner.email)
    await keyboard.fill('Password', owner.password)
    await keyboard.press('button', 'Create organization')
    await keyboard.page.waitForURL('**/app/harbour-cycles')
    await keyboard.menu(/account menu/, 'Sign out')
    await keyboard.page.waitForURL('**/app/sign-in')
    await signIn(keyboard, { email: owner.email, password: newPassword })
    await keyboard.page.getByText('The email address or password is incorrect.').waitFor()
    await signIn(keyboard, owner)
    await keyboard.page.waitForURL('**/app/harbour-cycles')
    await keyboard.page.getByRole('button', { name: `${owner.name}, account menu` }).waitFor()
    await keyboard.end()
  })

  test('accepts an invitation, resets the password, and signs in with the new one', async () => {
    const email = 'forgetful@example.com'
    const before = await joined(email, 'Fay Forgetful')
    expect((await at.api.members.list().page()).data.map(({ name }) => name)).toContain('Fay Forgetful')
    await before.end()
    const keyboard = await visited('/app/sign-in')
    await keyboard.press('link', 'Forgot your password?')
    await keyboard.page.getByRole('heading', { level: 1, name: 'Forgot your password?' }).waitFor()
    await keyboard.fill('Email address', email)
    await keyboard.press('button', 'Send link')
    await keyboard.page.getByText('you will receive an email').waitFor()
    await keyboard.to('link', 'Go to sign-in')
    await expect.poll(() => messageTo(at.program, email)).toContain('/app/reset-password#')
    await keyboard.visit(linkIn(await messageTo(at.program, email)))
    await keyboard.fill('New password', owner.password)
    await keyboard.press('button', 'Set password')
    await keyboard.page.getByText('Your password was changed.').waitFor()
    await signIn(keyboard, { email, password: owner.password })
    await keyboard.page.waitForURL(`**/app/${at.slug}`)
    await keyboard.end()
  })

  test('sets up two-factor authentication, signs in with a backup code, and turns it off', async () => {
    const email = 'careful@example.com'
    const keyboard = await joined(email, 'Cat Careful')
    const { page } = keyboard
    await keyboard.menu(/account menu/, 'Your account')
    await keyboard.press('button', 'Set up two-factor authentication')
    await keyboard.fill('Password', newPassword)
    await keyboard.press('button', 'Continue')
    const section = page.getByRole('region', { name: 'Two-factor authentication' })
    const uri = (await section.locator('code').textContent()) ?? ''
    const code = (): string => (URI.parse(`otpauth://totp/x?secret=${uri}`) as TOTP).generate()
    await keyboard.fill('Code', code())
    await keyboard.press('button', 'Turn on two-factor authentication')
    await section.getByRole('heading', { name: 'Backup codes' }).waitFor()
    const [backupCode = ''] = await section.locator('li code').allTextContents()
    expect(backupCode).not.toBe('')
    await keyboard.press('button', 'I’ve saved them')
    await section.getByText('On. Signing in requires a code').waitFor()
    const other = await visited('/app/sign-in')
    await signIn(other, { email, password: newPassword })
    await other.press('button', 'Use a backup code')
    await other.fill('Backup code', backupCode)
    await other.press('button', 'Continue')
    await other.page.waitForURL(`**/app/${at.slug}`)
    await other.end()
    await keyboard.press('button', 'Turn off two-factor authentication')
    await keyboard.fill('Password', newPassword)
    await keyboard.press('button', 'Continue')
    await section.getByText('Off. Turn it on').waitFor()
    await keyboard.to('button', 'Set up two-factor authentication')
    await keyboard.end()
  })

  test('sets a field of selected contacts from a menu, and exports them', async () => {
    const { id } = await at.api.contacts.create({ firstName: 'Edsger', lastName: 'Dijkstra', tags: ['menu'] })
    const keyboard = await opened('/contacts?tag=menu')
    await keyboard.page.setViewportSize({ width: 360, height: 740 })
    await keyboard.press('checkbox', 'Select: Edsger Dijkstra', 'Space')
    await keyboard.menu('More actions for the selection', 'Set field')
    await keyboard.choose('Field', 'job', 'Job title')
    await keyboard.fill('Job title', 'Buyer')
    await keyboard.press('button', 'Preview change')
    await keyboard.answer('Change 1 contact')
    await keyboard.closed('Set field')
    await expect.poll(async () => (await at.api.contacts.get(id)).jobTitle).toBe('Buyer')
    await keyboard.press('checkbox', 'Select: Edsger Dijkstra', 'Space')
    await keyboard.menu('More actions for the selection', 'Export contacts')
    await keyboard.choose('Format', '', 'JSON Lines')
    const download = keyboard.page.waitForEvent('download')
    await keyboard.press('button', 'Export contacts')
    expect((await download).suggestedFilename()).toBe('contacts.jsonl')
    await keyboard.closed('Export contacts')
    await keyboard.end()
  })

  test('creates a contact, logs a note, completes a task, and records consent', async () => {
    const keyboard = await opened('/contacts')
    await keyboard.press('button', 'Create contact')
    await keyboard.fill('First name', 'Ada')
    await keyboard.fill('Last name', 'Lovelace')
    await keyboard.fill('Email', 'ada@example.com')
    await keyboard.fill('Tags', 'vip', 'combobox')
    await keyboard.keys('Enter')
    await keyboard.press('button', 'Create contact')
    await keyboard.closed('Create contact')
    await keyboard.press('link', 'Ada Lovelace')
    await keyboard.page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor()
    const [contact] = (await at.api.contacts.list({ q: 'lovelace' }).page()).data
    expect(contact).toMatchObject({ firstName: 'Ada', email: 'ada@example.com', tags: ['vip'] })
    const id = contact?.id ?? ''

    await keyboard.press('button', 'Log note')
    await keyboard.fill('Text', 'Asked for six bicycles.')
    await keyboard.press('button', 'Save activity')
    await keyboard.closed('Log activity')
    await keyboard.press('button', 'Add task')
    await keyboard.fill('Text', 'Send the quote.')
    await keyboard.press('button', 'Save activity')
    await keyboard.closed('Log activity')
    await keyboard.press('checkbox', 'Send the quote.', 'Space')
    await expect
      .poll(async () => (await at.api.contacts.activities.list(id).page()).data.map(({ text, doneAt }) => [text, doneAt !== null]))
      .toEqual(
        expect.arrayContaining([
          ['Send the quote.', true],
          ['Asked for six bicycles.', false],
        ]),
      )
    await keyboard.menu('Actions for Asked for six bicycles.', 'Delete activity')
    await keyboard.answer('Delete activity')
    await keyboard.closed(/^Delete/)
    await expect.poll(async () => (await at.api.contacts.activities.list(id).page()).data.length).toBe(1)

    await keyboard.press('button', 'Record consent')
    await keyboard.choose('Status', '', 'Denied')
    await keyboard.fill('Source', 'Call')
    await keyboard.press('button', 'Save consent')
    await keyboard.closed('Record consent')
    await expect.poll(async () => (await at.api.contacts.get(id)).consent?.email).toBe('denied')
    await keyboard.press('button', 'Consent history')
    await keyboard.page.getByRole('dialog').getByText('Email: Denied').waitFor()
    await keyboard.keys('Escape')
    await keyboard.closed('Consent history')
    await keyboard.press('switch', /^Do not contact/, 'Space')
    await expect.poll(async () => (await at.api.contacts.get(id)).doNotContact).toBe(true)
    await keyboard.end()
  })

  test('creates, edits, sends and deletes proposals', async () => {
    await at.api.contacts.create({ firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' })
    const keyboard = await opened('/proposals')
    await keyboard.press('link', 'Create proposal')
    await keyboard.fill('Title', 'Three days of bicycles')
    await keyboard.choose('Contact', 'hopper', /^Grace Hopper/)
    await keyboard.choose('Currency', 'EUR', /^EUR/)
    await keyboard.fill('Description', 'Bicycle, a day')
    await keyboard.fill('Quantity', '3')
    await keyboard.fill('Unit price', '33')
    await keyboard.press('button', 'Add line item')
    await keyboard.press('button', 'Remove line item 2')
    await keyboard.press('button', 'Save draft')
    const all = async () => (await at.api.proposals.list().page()).data
    await keyboard.press('link', 'Edit draft')
    await keyboard.fill('Title', 'Four days of bicycles')
    await keyboard.fill('Quantity', '4')
    await keyboard.press('button', 'Send proposal')
    await keyboard.answer('Send proposal')
    await keyboard.page.getByRole('heading', { level: 1, name: 'Four days of bicycles' }).waitFor()
    await expect.poll(all).toMatchObject([{ title: 'Four days of bicycles', status: 'pending', totalAmount: '132.00', currency: 'EUR' }])
    await keyboard.end()

    const draft = await at.api.proposals.create({
      title: 'A draft',
      contactId: (await all())[0]?.contactId ?? '',
      totalAmount: '10',
      currency: 'EUR',
      draft: true,
    })
    const second = await opened(`/proposals/${draft.id}`)
    await second.press('button', 'Delete draft')
    await second.answer('Cancel')
    await second.closed(/^Delete the draft/)
    await second.press('button', 'Delete draft')
    await second.answer('Delete draft')
    await second.page.getByRole('heading', { level: 1, name: 'Proposals' }).waitFor()
    await second.to('link', 'Create proposal')
    expect((await all()).map(({ title }) => title)).toEqual(['Four days of bicycles'])
    await second.end()
  })

  test('a client accepts and declines proposals', async () => {
    const { id: contactId } = await at.api.contacts.create({ firstName: 'Hedy', lastName: 'Lamarr', email: 'hedy@example.com' })
    const sent = (title: string) => at.api.proposals.create({ title, contactId, totalAmount: '10', currency: 'EUR' })
    const [good, bad] = [await sent('A good offer'), await sent('A bad offer')]
    const accepting = await visited(good.url ?? '')
    await accepting.fill('Your full name', 'Hedy Lamarr')
    await accepting.press('checkbox', /total of/, 'Space')
    await accepting.press('button', 'Accept proposal')
    await accepting.page.getByRole('heading', { name: 'Accepted', exact: true }).waitFor()
    expect((await at.api.proposals.get(good.id)).status).toBe('completed')
    await accepting.end()
    const declining = await visited(bad.url ?? '')
    await declining.reach(declining.page.locator('summary', { hasText: 'Decline' }))
    await declining.keys('Enter')
    await declining.fill('Reason (optional)', 'Too expensive')
    await declining.press('button', 'Decline proposal')
    await declining.page.getByRole('heading', { name: 'Declined', exact: true }).waitFor()
    expect((await at.api.proposals.get(bad.id)).status).toBe('rejected')
    await declining.end()
  })

  test('creates a knowledge base, adds a URL, changes settings, re-indexes, evaluates, and deletes the knowledge base', async () => {
    const keyboard = await opened('/knowledge')
    const { page } = keyboard
    await keyboard.press('button', 'Create knowledge base')
    await keyboard.fill('Name', 'Wheels')
    await keyboard.press('button', 'Create knowledge base')
    await page.getByRole('heading', { level: 1, name: 'Wheels' }).waitFor()
    const section = async (name: string): Promise<void> => {
      await keyboard.reach(page.getByRole('navigation', { name: 'Knowledge base' }).getByRole('link', { name, exact: true }))
      await keyboard.keys('Enter')
    }
    const baseId = /kb_[\w-]+/.exec(page.url())?.[0] ?? ''
    await keyboard.press('button', 'Add URL')
    await keyboard.fill('URL', `http://${host()}/wheels`)
    await keyboard.press('button', 'Add URL')
    await keyboard.closed('Add URL')
    await expect.poll(async () => (await at.api.bases.sources.list(baseId).page()).data.map(({ status }) => status)).toEqual(['completed'])

    await section('Settings')
    await keyboard.fill('Description', 'Pressures of wheels')
    await keyboard.press('button', 'Save')
    await expect.poll(async () => (await at.api.bases.get(baseId)).description).toBe('Pressures of wheels')

    await section('Evaluation')
    await keyboard.press('button', 'Add question')
    await keyboard.fill('Question', 'How many pounds does wheel 3 take?')
    await keyboard.fill('Expected text', 'Wheel 3 is filled to 22 pounds')
    await keyboard.press('button', 'Save')
    await keyboard.closed('Add question')
    await keyboard.press('button', 'Run evaluation')
    await page.getByText('Completed', { exact: true }).waitFor()
    expect((await at.api.bases.evaluations.list(baseId).page()).data).toMatchObject([{ status: 'completed' }])

    await section('Re-index')
    await keyboard.press('button', 'Start re-index')
    await keyboard.fill('Max chunk size', '96')
    await keyboard.fill('Overlap', '10')
    await keyboard.press('button', 'Start re-index')
    await keyboard.closed('Start re-index')
    await keyboard.press('button', 'Switch to new index')
    await page.getByText('Switched', { exact: true }).waitFor()
    await keyboard.press('button', 'Roll back')
    await keyboard.answer('Roll back')
    await page.getByText('Rolled back', { exact: true }).waitFor()
    expect((await at.api.bases.get(baseId)).ragSettings.chunkSize).toBe(512)

    await section('Settings')
    await keyboard.press('button', 'Delete knowledge base')
    await keyboard.fill(/to confirm$/, 'Wheels')
    await keyboard.press('button', 'Delete knowledge base')
    await page.getByRole('heading', { level: 1, name: 'Knowledge' }).waitFor()
    await keyboard.to('button', 'Create knowledge base')
    expect((await at.api.bases.list().page()).data).toEqual([])
    await keyboard.end()
  })

  test('connects an application', async () => {
    const { id } = await at.api.bases.create({ name: 'Front desk' })
    const keyboard = await opened(`/knowledge/${id}/connect`)
    await keyboard.press('button', 'Create token')
    await keyboard.page.getByText('Waiting for the first request').waitFor()
    await keyboard.to('tab', 'REST')
    await keyboard.keys('ArrowRight', 'ArrowRight', 'Enter')
    await keyboard.page.getByRole('tab', { name: 'MCP', selected: true }).waitFor()
    await keyboard.to('button', 'Copy: MCP')
    expect((await at.api.tokens.list().page()).data.map(({ name }) => name)).toContain('Connect: Front desk')
    await keyboard.end()
  })

  test('creates, renames, rotates and revokes an API token', async () => {
    const keyboard = await opened('/settings/tokens')
    await keyboard.press('button', 'Create token')
    await keyboard.fill('Name', 'Importer')
    await keyboard.press('checkbox', 'Contacts: Read', 'Space')
    await keyboard.select('Expires', 'Never')
    await keyboard.press('button', 'Create token')
    await keyboard.press('button', 'I’ve saved it')
    await keyboard.closed('Token created')
    const stored = async () => (await at.api.tokens.list().page()).data.find(({ name }) => /import/i.test(name))
    const created = await stored()
    expect(created).toMatchObject({ name: 'Importer', expiresAt: null, scopes: expect.arrayContaining(['contacts:read']) })
    await keyboard.menu('Actions for Importer', 'Rename token')
    await keyboard.fill('Name', 'Nightly import')
    await keyboard.press('button', 'Save')
    await keyboard.closed('Rename token')
    await keyboard.menu('Actions for Nightly import', 'Rotate secret')
    await keyboard.select('Current secret', 'Expires in 1 hour')
    await keyboard.press('button', 'Rotate secret')
    await keyboard.press('button', 'I’ve saved it')
    await keyboard.closed('Secret rotated')
    expect((await stored())?.hint).not.toBe(created?.hint)
    await keyboard.menu('Actions for Nightly import', 'Revoke token')
    await keyboard.answer('Revoke token')
    await keyboard.closed(/^Revoke/)
    await expect.poll(async () => (await stored())?.revokedAt).not.toBeNull()
    await keyboard.to('button', 'Create token', { back: true })
    await keyboard.end()
  })

  test('creates a webhook endpoint, sends a test event, resends it, and deletes the endpoint', async () => {
    const keyboard = await opened('/settings/webhooks')
    const { page } = keyboard
    await keyboard.press('button', 'Create endpoint')
    await keyboard.fill('URL', `http://${host()}/hook`)
    await keyboard.press('button', 'Create endpoint')
    await keyboard.press('button', 'I’ve saved it')
    await keyboard.closed('Endpoint created')
    await keyboard.press('link', `http://${host()}/hook`)
    await keyboard.press('button', 'Send test event')
    await page.getByRole('row', { name: /Test event.*Delivered/ }).waitFor()
    await keyboard.press('button', 'Test event')
    await keyboard.press('button', 'Resend event')
    await expect.poll(() => requests.filter((each) => each === 'POST /hook').length).toBe(2)
    await keyboard.keys('Escape')
    await keyboard.closed('Delivery')
    await keyboard.to('button', 'Test event')
    await keyboard.menu('More actions', 'Delete endpoint')
    await keyboard.answer('Delete endpoint')
    await page.getByText('No endpoints yet').waitFor()
    await keyboard.to('button', 'Create endpoint')
    expect((await at.api.webhooks.list().page()).data).toEqual([])
    await keyboard.end()
  })

  test('filters the audit log and the request log', async () => {
    await at.api.contacts.get('ctc_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8').catch(() => undefined)
    const audit = await opened('/settings/audit')
    await audit.choose('Activity', 'deleted a webhook', 'deleted a webhook endpoint')
    await audit.select('Performed by', owner.name)
    await audit.page.getByRole('row', { name: /deleted a webhook endpoint/ }).waitFor()
    await expect.poll(() => new URL(audit.page.url()).searchParams.get('actions')).toBe('["webhook_endpoint.deleted"]')
    await audit.reach(audit.page.getByLabel('To', { exact: true }))
    await audit.type('01012020')
    await audit.page.getByText('No entries match these filters.').waitFor()
    await audit.press('button', 'Clear filters')
    await expect.poll(() => new URL(audit.page.url()).search).toBe('')
    await audit.to('combobox', 'Performed by')
    await audit.end()
    const log = await opened('/settings/requests')
    await log.select('Made by', 'All API tokens')
    await log.fill('Path', '/v1/contacts/{id}')
    await log.select('Status', 'Client errors (4xx)')
    const rows = log.page.getByRole('table', { name: 'Requests' }).getByRole('row')
    await expect.poll(() => rows.count()).toBe(2)
    await log.press('button', 'Clear filters')
    await expect.poll(() => rows.count()).toBeGreaterThan(2)
    await log.to('combobox', 'Made by')
    await log.end()
  })

  test('invites a member, and revokes the invitation; changes the role of a member and removes the member', async () => {
    const keyboard = await opened('/settings/members')
    await keyboard.press('button', 'Invite member')
    await keyboard.fill('Email address', 'robin@example.com')
    await keyboard.select('Role', 'Admin')
    await keyboard.press('button', 'Send invitation')
    await keyboard.press('button', 'Done')
    await keyboard.closed(/^Invitation link/)
    const invited = async () => (await at.api.invitations.list().page()).data.map(({ email, role }) => [email, role])
    expect(await invited()).toEqual([['robin@example.com', 'admin']])
    await keyboard.press('button', 'Revoke: robin@example.com')
    await keyboard.answer('Revoke invitation')
    await keyboard.page.getByText('No pending invitations.').waitFor()
    expect(await invited()).toEqual([])
    await keyboard.to('button', 'Invite member', { back: true })
    await keyboard.end()
    await (await joined('kim@example.com', 'Kim Member')).end()

    const second = await opened('/settings/members')
    const members = async () => (await at.api.members.list().page()).data.find(({ name }) => name === 'Kim Member')
    await second.select('Role for Kim Member', 'Viewer')
    await expect.poll(async () => (await members())?.role).toBe('viewer')
    await second.menu('Actions for Kim Member', 'Remove member')
    await second.answer('Remove member')
    await second.closed(/^Remove Kim/)
    await expect.poll(members).toBeUndefined()
    await second.to('button', 'Invite member', { back: true })
    await second.end()
  })

  test('changes the settings of the organization', async () => {
    const keyboard = await opened('/settings/organization')
    await keyboard.choose('Country', 'United K', 'United Kingdom')
    await keyboard.choose('Default currency', 'GBP', /^GBP/)
    await keyboard.fill('Address', '1 Quay Road')
    await keyboard.fill('Color', '#1f5f8b')
    await keyboard.select('Language', 'German')
    await keyboard.press('button', 'Save')
    const profile = { country: 'GB', defaultCurrency: 'GBP', address: '1 Quay Road', color: '#1f5f8b', language: 'de' }
    await expect.poll(() => at.api.organization.get()).toMatchObject(profile)
    // The button is disabled until the next change.
    await keyboard.to('textbox', 'Name')
    await keyboard.end()
  })
})
