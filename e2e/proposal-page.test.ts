import type { Proposal } from '@groundwork/api'
import { Groundwork, parseSigningKeys, verifyCertificates } from '@groundwork/sdk'
import { source as axeSource, type AxeResults } from 'axe-core'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, startChromium } from './chromium.ts'
import { owner, signedIn } from './dashboard/signed-in.ts'
import { openMailbox, type Mailbox, type ReceivedMail } from './mailbox.ts'
import { freePort, program } from './program.ts'
import { openReceiver, type Receiver } from './receiver.ts'

/** The folder for screenshots. Unset: no screenshots. */
const screenshots = process.env['PAGE_SCREENSHOTS']

const phone = { viewport: { width: 360, height: 740 } }
const desktop = { viewport: { width: 1280, height: 900 } }
/** The page does not count views of headless browsers. */
const userAgent = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'

let api: Groundwork
let browser: Browser
let origin: string
let mailbox: Mailbox
let hook: Receiver
const cleanups: (() => Promise<void>)[] = []

beforeAll(async () => {
  if (chromiumPath === undefined) return
  const atEnd = (end: () => Promise<void>): void => void cleanups.push(end)
  mailbox = await openMailbox(atEnd)
  hook = await openReceiver((end) => atEnd(async () => end()))
  const port = String(await freePort())
  const settings = { PORT: port, BASE_URL: `http://127.0.0.1:${port}`, SMTP_URL: mailbox.url, FETCH_ALLOW_HOSTS: hook.host }
  const server = await program(atEnd, settings)
  await server.start()
  origin = server.url
  api = (await signedIn(server)).api
  browser = await startChromium()
  cleanups.push(() => browser.close())
})
afterAll(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup()
})

async function send(fields: object = {}): Promise<Proposal> {
  const contact = await api.contacts.create({ firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' })
  const items = [
    { description: 'Cargo bicycle with a box for children', quantity: '3', unitPrice: '2100', discount: '300', taxRate: '19' },
    { description: 'Child seat', quantity: '3', unitPrice: '80', optional: true },
  ]
  const message = 'Thank you for your visit.\n\nThis is our offer as discussed. It includes delivery\nand a first inspection.'
  return api.proposals.create({ title: 'Three cargo bicycles', contactId: contact.id, currency: 'EUR', items, message, ...fields })
}

/** Opens the page of a proposal and expects it to be usable: no script errors, no blocked content, nothing wider than the screen. */
async function open({ url }: Pick<Proposal, 'url'>, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ userAgent, reducedMotion: 'reduce', ...options })
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (line) => {
    // Refused forms are answered with a page.
    if (line.type() === 'error' && !line.text().startsWith('Failed to load resource')) faults.push(line.text())
  })
  page.on('request', (request) => request.url().startsWith(origin) || faults.push(request.url()))
  await page.goto(url ?? '')
  return page
}

/** A black PNG of 3000 × 4 pixels. */
const wideImage = 'iVBORw0KGgoAAAANSUhEUgAAC7gAAAAEAQAAAAA2YU8gAAAAFElEQVR42mNgGAWjYBSMglEwHAEABeAAAV4Y+u8AAAAASUVORK5CYII='

const faults: string[] = []

async function expectUsable(page: Page, name: string): Promise<void> {
  if (screenshots !== undefined) {
    await mkdir(screenshots, { recursive: true })
    await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true })
  }
  expect(faults).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0)
  await page.evaluate(axeSource)
  const { violations } = await page.evaluate<AxeResults>('axe.run(document)')
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
}

const viewedAt = async ({ id }: Proposal): Promise<string | null> => (await api.proposals.get(id)).viewedAt

describe.skipIf(chromiumPath === undefined)('the page of a proposal', () => {
  it('is opened on a phone by the mailed link and accepted; the webhook and both sides learn it, with PDF and certificate', async () => {
    const { id: webhook, secret } = await api.webhooks.create({ url: hook.url })
    hook.secret = secret
    const contact = await api.contacts.create({ firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' })
    const { id } = await api.proposals.create({ title: 'Six e-bikes', contactId: contact.id, totalAmount: '1260.00', currency: 'GBP' })
    const mailTo = async (address: string, subject: string): Promise<ReceivedMail | undefined> =>
      (await mailbox.received()).find((mail) => mail.to === address && mail.subject.startsWith(subject))
    await expect.poll(() => mailTo('grace@example.com', 'Proposal from Acme')).toBeDefined()
    const [link = null] = /http:\S+\/p\/\S+/.exec((await mailTo('grace@example.com', 'Proposal from Acme'))?.text ?? '') ?? []
    const page = await open({ url: link }, { ...phone, hasTouch: true })
    await page.getByLabel('Your full name').fill('Grace Hopper')
    await page.getByRole('checkbox', { name: 'for a total of £1,260.00' }).check()
    await page.getByRole('button', { name: 'Accept proposal' }).click()
    await page.getByRole('heading', { name: 'Accepted', exact: true }).waitFor()
    await expectUsable(page, 'phone-mailed-accepted')
    expect(await api.proposals.get(id)).toMatchObject({ status: 'completed', number: 'P-1001', totalAmount: '1260.00' })

    const completed: string[] = []
    for await (const event of api.events.list({ limit: 100 })) {
      if (event.type === 'proposal.completed' && event.data.id === id) completed.push(event.id)
    }
    expect(completed).toHaveLength(1)
    await expect.poll(() => completed.filter((event) => !hook.accepted.has(event))).toEqual([])
    await api.webhooks.delete(webhook)
    const keys = await parseSigningKeys(await (await fetch(`${origin}/.well-known/groundwork-keys.json`)).text())
    for (const address of ['grace@example.com', owner.email]) {
      await expect.poll(() => mailTo(address, 'Accepted: Six e-bikes')).toBeDefined()
      const { attachments = [] } = (await mailTo(address, 'Accepted: Six e-bikes')) ?? {}
      expect(attachments.map(({ name }) => name)).toEqual(['P-1001.pdf', 'certificate.json'])
      const checks = await verifyCertificates(attachments, { keys })
      // A proposal without lines has none to add up.
      expect(checks.filter(({ holds, check }) => holds !== true && check !== 'totals')).toEqual([])
      expect(checks).toContainEqual(expect.objectContaining({ check: 'seal', holds: true }))
    }
  })

  it('on a phone counts a view after two seconds and a key, and takes a drawn signature', async () => {
    const proposal = await send()
    const page = await open(proposal, { ...phone, hasTouch: true })
    await expectUsable(page, 'phone-pending')
    await page.getByLabel('Draw your signature').first().check()
    const canvas = page.locator('canvas')
    const [box] = [await canvas.boundingBox()]
    if (box === null) throw new Error('the canvas is not visible')
    await expect.poll(() => viewedAt(proposal)).not.toBeNull()
    // The drawing area gets its size once its script is loaded.
    await expect.poll(() => canvas.evaluate((element) => (element as unknown as { width: number }).width)).toBe(Math.round(box.width))
    await page.mouse.move(box.x + 20, box.y + 80)
    await page.mouse.down()
    for (const [x, y] of [[60, 20], [100, 110], [140, 30], [200, 90]] as const) await page.mouse.move(box.x + x, box.y + y, { steps: 5 }) // prettier-ignore
    await page.mouse.up()
    await page.getByLabel('Your full name').fill('Ada Lovelace')
    await page.getByRole('checkbox', { name: 'I accept this proposal' }).check()
    await expectUsable(page, 'phone-drawn')
    await page.getByRole('button', { name: 'Accept proposal' }).click()
    await page.getByRole('heading', { name: 'Accepted', exact: true }).waitFor()
    await expectUsable(page, 'phone-accepted')
    expect(await page.locator('.drawn svg path').getAttribute('d')).toMatch(/^M\d+(\.\d+)? \d+(\.\d+)?L/)
    expect((await api.proposals.get(proposal.id)).recipients).toEqual([expect.objectContaining({ status: 'signed' })])
  })

  it('counts no view without an action, however long it is visible', async () => {
    const proposal = await send()
    const context = await browser.newContext({ userAgent, ...phone })
    const page = await context.newPage()
    await page.clock.install()
    const sent: string[] = []
    page.on('request', (request) => request.method() === 'POST' && sent.push(new URL(request.url()).pathname))
    const path = new URL(proposal.url ?? '').pathname
    await page.goto(origin + path)
    await page.clock.runFor(60_000)
    expect(sent).toEqual([])
    await page.keyboard.press('Tab')
    await expect.poll(() => sent).toEqual([`${path}/view`])
    await expect.poll(() => viewedAt(proposal)).not.toBeNull()
    await context.close()
  })

  it.each([
    { scanner: 'a headless browser', agent: undefined },
    { scanner: 'a scanner with the user agent of a person', agent: userAgent },
  ])('does not change, and lists a robot, when $scanner runs its scripts and follows every link', async ({ agent }) => {
    const { storageUrl } = await api.uploads.create(new Blob([Buffer.from(wideImage, 'base64')]), { name: 'a.png' })
    const { id } = await send({ sections: [{ type: 'image', storageUrl, alt: 'A bicycle' }] })
    await expect.poll(async () => (await api.proposals.get(id)).delivery?.state).toBe('sent')
    const before = await api.proposals.get(id)
    const context = await browser.newContext({ ...(agent && { userAgent: agent }), ...desktop })
    const page = await context.newPage()
    await page.clock.install()
    await page.goto(before.url ?? '')
    await page.clock.runFor(60_000)
    const followed = await page.evaluate<string[]>(
      `[...document.querySelectorAll('[href], [src], form')].map((element) => element.href ?? element.src ?? element.action)`,
    )
    const actions = ['accept', 'decline', 'view', 'choose', 'ask'].map((action) => `${before.url}/${action}`)
    const links = [...new Set([before.url ?? '', ...followed, ...actions])].filter((link) => link.startsWith(origin))
    expect(links.filter((link) => /\/(pdf|files\/\w+|accept|decline|view)$/.test(link))).toHaveLength(5)
    for (const link of links) {
      const statuses = [(await context.request.get(link)).status(), (await context.request.head(link)).status()]
      const isAction = actions.includes(link.replace(/#.*/, ''))
      expect([link, statuses]).toEqual([link, isAction ? [405, 405] : [200, 200]])
    }
    await context.close()
    expect(await api.proposals.get(id)).toEqual(before)
    const views = (await api.proposals.views.list(id).page()).data
    expect([...new Set(views.map(({ kind }) => kind))]).toEqual(['robot'])
  })

  it('on a desktop is accepted with the keyboard alone', async () => {
    const proposal = await send({ title: 'Accepted with the keyboard' })
    const page = await open(proposal, desktop)
    await expectUsable(page, 'desktop-pending')
    const tabTo = async (selector: string): Promise<void> => {
      for (let keys = 0; keys < 30; keys += 1) {
        if (await page.evaluate(`document.activeElement.matches('${selector}')`)) return
        await page.keyboard.press('Tab')
      }
      throw new Error(`Tab does not reach ${selector}`)
    }
    await tabTo('#name')
    await page.keyboard.type('Ada Lovelace')
    await tabTo('input[name=consent]')
    await page.keyboard.press('Space')
    await tabTo('form[action$="/accept"] button[type=submit]')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Accepted', exact: true }).waitFor()
    await expectUsable(page, 'desktop-accepted')
    expect((await api.proposals.get(proposal.id)).status).toBe('completed')
  })

  it('with the keyboard chooses options and a quantity, and shows and announces their total at once', async () => {
    const items = [
      { description: 'Bicycle', unitPrice: '50', quantity: '2', taxRate: '19', quantityRange: { min: '1', max: '6' } },
      { description: 'Basic insurance', unitPrice: '5', group: 'Insurance', preselected: true },
      { description: 'Full insurance', unitPrice: '12', group: 'Insurance' },
      { description: 'Trailer', unitPrice: '30', optional: true },
    ]
    const proposal = await send({ title: 'A week with bicycles', items, discountPercent: '10' })
    const page = await open(proposal, phone)
    const total = page.locator('.totals .total dd')
    await expect.poll(() => page.getByRole('button', { name: 'Update total' }).isVisible()).toBe(false)
    expect(await total.textContent()).toBe('€111.60')
    await page.getByLabel('Quantity: Bicycle').focus()
    await page.keyboard.press('ArrowUp')
    expect(await total.textContent()).toBe('€165.15')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    expect(await page.getByLabel('Full insurance').isChecked()).toBe(true)
    // 150 + 12 + 30, less 10 %, and 19 % of 135.
    expect([await total.textContent(), await page.locator('.lines .amount').first().textContent()]).toEqual(['€198.45', '€150.00'])
    await expect.poll(() => page.locator('form [role=status]').textContent()).toBe('Total: €198.45')
    await expectUsable(page, 'phone-choices')
    await page.getByLabel('Quantity: Bicycle').fill('9')
    expect(await total.textContent()).toBe('–')
    await page.getByLabel('Quantity: Bicycle').fill('3')
    await page.setViewportSize(desktop.viewport)
    await expectUsable(page, 'desktop-choices')
    await page.getByLabel('Your full name').fill('Ada Lovelace')
    await page.getByRole('checkbox', { name: 'for a total of €198.45' }).check()
    await page.getByRole('button', { name: 'Accept proposal' }).click()
    await page.getByRole('heading', { name: 'Accepted', exact: true }).waitFor()
    expect(await api.proposals.get(proposal.id)).toMatchObject({ status: 'completed', totalAmount: '198.45' })
  })

  it('without JavaScript confirms a view, shows mistakes, and is declined with a reason', async () => {
    const proposal = await send()
    const page = await open(proposal, { ...phone, javaScriptEnabled: false })
    await page.getByRole('button', { name: 'Confirm that you have read this proposal' }).click()
    await expect.poll(() => viewedAt(proposal)).not.toBeNull()
    await page.getByLabel('Your full name').fill('   ')
    await page.getByRole('checkbox', { name: 'I accept this proposal' }).check()
    await page.getByRole('button', { name: 'Accept proposal' }).click()
    expect(await page.getByRole('alert').textContent()).toBe('Enter your full name.')
    await page.getByText('Decline', { exact: true }).click()
    await page.getByLabel('Reason (optional)').fill('Too late for us')
    await page.getByRole('button', { name: 'Decline proposal' }).click()
    await page.getByRole('heading', { name: 'Declined' }).waitFor()
    expect(await api.proposals.get(proposal.id)).toMatchObject({ status: 'rejected', rejectReason: 'Too late for us' })
  })

  it('is signed by two signers one after the other, and by the organization', async () => {
    const recipients = [
      { role: 'signer', name: 'Charles Babbage', email: 'charles@example.com' },
      { role: 'copy', name: 'Mary Somerville', email: 'mary@example.com' },
    ] as const
    const sent = await send({ recipients, signingOrder: 'sequential', counterSignature: true })
    const pageOf = (position: number, options: BrowserContextOptions): Promise<Page> =>
      open({ ...sent, url: sent.recipients[position]?.url ?? null }, options)
    const sign = async (page: Page, name: string): Promise<void> => {
      await page.getByLabel('Your full name').fill(name)
      await page.getByRole('checkbox', { name: 'I accept this proposal' }).check()
      await page.getByRole('button', { name: 'Accept proposal' }).click()
      await page.getByRole('heading', { name: 'Signed', exact: true }).waitFor()
    }
    const second = await pageOf(1, phone)
    await second.getByRole('heading', { name: 'Waiting for another signature' }).waitFor()
    await expectUsable(second, 'phone-waiting')
    const first = await pageOf(0, { ...phone, javaScriptEnabled: false })
    await first.getByLabel('Optional: Child seat').check()
    await first.getByRole('button', { name: 'Update total' }).click()
    await sign(first, 'Ada Lovelace')
    await second.reload()
    await expectUsable(second, 'phone-second-signer')
    expect(await second.getByLabel('Optional: Child seat').count()).toBe(0)
    await sign(second, 'Charles Babbage')
    await expectUsable(second, 'phone-signed')
    const copy = await pageOf(2, desktop)
    await copy.getByText('Only its signers can accept or decline it.', { exact: false }).waitFor()
    await expectUsable(copy, 'desktop-copy')
    expect((await api.proposals.get(sent.id)).status).toBe('pending')
    const completed = await api.proposals.countersign(sent.id, { name: 'Grace Hopper' })
    expect(completed).toMatchObject({ status: 'completed', counterSignedBy: 'Grace Hopper' })
    await second.reload()
    await second.getByRole('heading', { name: 'Accepted', exact: true }).waitFor()
    await expectUsable(second, 'phone-all-signed')
    expect(await second.locator('.signature').count()).toBe(3)
    const pdf = new Uint8Array(await (await api.proposals.pdf(sent.id)).arrayBuffer())
    const { certificate } = JSON.parse(await (await api.proposals.certificate(sent.id)).text())
    expect(certificate.signers.map(({ name }: { name: string }) => name)).toEqual(['Ada Lovelace', 'Charles Babbage', 'Grace Hopper'])
    expect(certificate.contentHash).toBe(completed.contentHash)
    if (screenshots !== undefined) await writeFile(join(screenshots, 'all-signed.pdf'), pdf)
  })

  it('shows hostile content without clipping or executing it', async () => {
    const mixed = 'Ünïcödé Ελληνικά Русский עברית العربية हिन्दी ไทย 日本語 한국어 👩‍🚒🏳️‍🌈 \u202Eoverridden\u202C'
    const items = [
      { description: `${mixed} <script>alert(1)</script>`, unitPrice: '999999999.99', quantity: '1' },
      { description: 'w'.repeat(500), unitPrice: '1' },
      ...Array.from({ length: 198 }, (_, index) => ({ description: `${index} ${'line '.repeat(99)}`.slice(0, 500), unitPrice: '1' })),
    ]
    const markup = '<script>alert(1)</script> ![x](https://evil.example/x.png) [y](javascript:alert(1)) <iframe src="https://evil.example">'
    const table = (cell: string, columns: number): string => `|${`${cell}|`.repeat(columns)}`
    const tables = [8, 30].map((columns) => [table('a', columns), table('-', columns), table('W'.repeat(40), columns)].join('\n'))
    const { storageUrl } = await api.uploads.create(new Blob([Buffer.from(wideImage, 'base64')]), { name: 'a.png' })
    const sections = [
      {
        type: 'text',
        text: [`# ${mixed}`, markup, `${'- '.repeat(10)}${'w'.repeat(500)}`, ...tables, `\`${'c'.repeat(500)}\``].join('\n\n'),
      },
      { type: 'image', storageUrl, alt: markup },
      { type: 'terms', text: Array.from({ length: 30 }, () => 'line '.repeat(99)).join('\n') },
    ]
    const proposal = await send({ title: mixed, message: `${'x'.repeat(500)}\n\n**bold** <b>html</b> #set page`, items, sections })
    const page = await open(proposal, phone)
    await expectUsable(page, 'phone-hostile')
    await page.setViewportSize(desktop.viewport)
    await expectUsable(page, 'desktop-hostile')
    expect(await page.locator('.lines li').count()).toBe(200)
    await page.locator('img').scrollIntoViewIfNeeded()
    await expect.poll(() => page.evaluate('document.querySelector("main img").naturalWidth')).toBe(3000)
    expect(await page.locator('script, iframe').count()).toBe(1)
  })

  it('explains voided and unknown links', async () => {
    const proposal = await send()
    await api.proposals.void(proposal.id, { reason: 'x' })
    const page = await open(proposal, phone)
    await expectUsable(page, 'phone-voided')
    await page.goto(`${origin}/p/unknown`)
    await expectUsable(page, 'phone-unknown')
    expect(await page.getByRole('heading').textContent()).toBe('Invalid link')
  })
})
