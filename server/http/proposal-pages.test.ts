import { describe, expect, it } from 'vitest'
import { createHash } from 'node:crypto'
import { testApp, type Caller } from '../testing/app.ts'
import { browserAgent, pageClient, sendProposalTo, type Sent } from '../testing/proposal-page.ts'

let time: Date | undefined
const { app, organization, database } = await testApp({ now: () => time ?? new Date() })
const page = pageClient(app)

const recordOf = async ({ call }: Caller, { id }: Sent) => (await call('GET', `/v1/proposals/${id}`)).body
const eventsOf = async ({ call }: Caller, { id }: Sent): Promise<string[]> =>
  (await call('GET', '/v1/events?limit=100')).body.data
    .filter((event: { type: string; data: { id: string } }) => event.type.startsWith('proposal.') && event.data.id === id)
    .map(({ type }: { type: string }) => type)
    .toReversed()
const viewsOf = async ({ organizationId }: Caller) =>
  (
    await database.pool.query('select kind, user_agent as agent from proposal_view where organization_id = $1 order by seen_at, id', [
      organizationId,
    ])
  ).rows

describe('the page of a proposal', () => {
  it('shows the seller, the offer and the forms, in the language of the organization', async () => {
    const caller = await organization()
    const items = [
      { description: 'Design', quantity: '2.5', unitPrice: '80', taxRate: '19', discount: '10' },
      { description: 'Training', unitPrice: '500', optional: true },
    ]
    const sent = await sendProposalTo(caller, { items, totalAmount: undefined, message: 'First.\n\nSecond\nline.' })
    const english = await page.get(sent.url)
    expect(english.status).toBe(200)
    for (const text of ['Website', 'P-1001', 'Ada Lovelace', 'First.', 'Second\nline.', 'Design', '2.5 × €80.00', '€226.10', 'Optional']) {
      expect(english.html).toContain(text)
    }
    expect(english.html).toContain(`name="contentHash" value="${sent.contentHash}"`)
    expect(english.html).toContain('for a total of €226.10 and sign it electronically')
    const profile = { legalName: 'Räder GmbH', address: 'Ring 1\n10115 Berlin', taxId: 'DE123', color: '#225577', language: 'de' }
    expect((await caller.call('PATCH', '/v1/organization', { ...profile, timeZone: 'Europe/Berlin' })).status).toBe(200)
    const german = await page.get(sent.url)
    for (const text of ['lang="de"', 'Räder GmbH', 'Ring 1\n10115 Berlin', 'DE123', '226,10\u00A0€', '?accent=225577']) {
      expect(german.html).toContain(text)
    }
    const styles = await page.get('/p/assets/page.css?accent=225577')
    expect(styles.html).toContain('--accent: #1f5f8b')
  })

  it('has headers against scripts, storage, indexing, framing and referrers, and few bytes', async () => {
    const caller = await organization()
    const sent = await sendProposalTo(caller)
    const { headers, html } = await page.get(sent.url)
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'x-content-type-options': 'nosniff',
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    })
    expect(html).not.toMatch(/<script(?! type="module" src="\/p\/assets\/page\.js">)|<style| style=| on\w+=|https?:/)
    const paths = ['/p/assets/page.css', '/p/assets/page.js', '/p/assets/live-totals.js', '/p/assets/signature-pad.js']
    const assets = await Promise.all(paths.map((path) => page.get(path)))
    expect(assets.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const options = Array.from({ length: 20 }, (_, index) => ({ description: `Option ${index}`, unitPrice: '1', optional: true }))
    const longer = await page.get((await sendProposalTo(caller, { items: options, totalAmount: undefined })).url)
    const bytes = [longer.html, ...assets.map((asset) => asset.html)].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
    expect(bytes).toBeLessThan(80_000)
  })

  it('escapes everything and leaves out characters that override directions, as the messages do', async () => {
    const caller = await organization()
    const hostile = `<script>alert(1)</script>"'&\u202E<img src=x onerror=alert(1)> \u2066{{7*7}} #set \${x}`
    const items = [{ description: hostile, unitPrice: '1' }]
    await caller.call('PATCH', '/v1/organization', { legalName: hostile, address: hostile, taxId: 'x' })
    const sent = await sendProposalTo(caller, { title: hostile, message: hostile, items, totalAmount: undefined })
    const { html } = await page.get(sent.url)
    expect(html).not.toMatch(/<script>|<img|onerror=alert\(1\)>/)
    expect(html).toContain('<bdi>&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;&lt;img')
    const directions = /[\u202A-\u202E\u2066-\u2069]/
    expect(html).not.toMatch(directions)
    const { html: again } = await page.accept(sent, { name: hostile, consent: '' })
    expect(again).not.toMatch(/<script>|<img/)
    expect(again).not.toMatch(directions)
    const { rows: mails } = await database.pool.query('select subject, text, html from mail where proposal_id = $1', [sent.id.slice(4)])
    expect(mails).toHaveLength(1)
    expect(mails[0].text).toContain('<img src=x')
    expect(Object.values(mails[0]).join()).not.toMatch(directions)
  })

  it('shows 200 lines of 500 characters', async () => {
    const caller = await organization()
    const items = Array.from({ length: 200 }, (_, index) => ({ description: `${index} ${'w'.repeat(495)}`, unitPrice: '1' }))
    const { html } = await page.get((await sendProposalTo(caller, { items, totalAmount: undefined })).url)
    expect(html.match(/<li>/g)).toHaveLength(200)
  })

  it('is the same 404 for wrong, foreign, outdated and draft links', async () => {
    const caller = await organization()
    const sent = await sendProposalTo(caller)
    const path = new URL(sent.url).pathname
    const unknown = await page.get('/p/x')
    expect([unknown.status, unknown.html]).toEqual([404, expect.stringContaining('Invalid link')])
    for (const wrong of [`${path}x`, path.slice(0, -1), `${path.slice(0, -2)}AA`, `/p/${'A'.repeat(67)}`, `/p/${'é'.repeat(300)}`]) {
      expect([wrong, await page.get(wrong).then(({ status, html }) => [status, html])]).toEqual([wrong, [404, unknown.html]])
    }
    for (const action of ['view', 'accept', 'decline']) expect((await page.post('/p/x', action)).status).toBe(404)
    expect((await page.get('/p/x', { 'accept-language': 'de-AT' })).html).toContain('lang="de"')
    await database.pool.query('update proposal_recipient set link_version = 1 where organization_id = $1', [caller.organizationId])
    expect((await page.get(path)).status).toBe(404)
    expect((await page.get((await recordOf(caller, sent)).url)).status).toBe(200)
  })

  it('says what happened to a voided, expired, declined or accepted proposal, without forms', async () => {
    const caller = await organization()
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
    const [voided, expired, declined, accepted] = [
      await sendProposalTo(caller, { title: 'Secret title' }),
      await sendProposalTo(caller, { expiresAt }),
      await sendProposalTo(caller),
      await sendProposalTo(caller),
    ]
    await caller.call('POST', `/v1/proposals/${voided.id}/void`, { reason: 'internal reason' })
    await page.decline(declined)
    await page.accept(accepted)
    const see = async (sent: Sent, heading: string) => {
      const { status, html } = await page.get(sent.url)
      expect([status, html]).toEqual([200, expect.stringContaining(`<h2>${heading}</h2>`)])
      expect(html).not.toContain('<form')
      return html
    }
    expect(await see(voided, 'Withdrawn')).not.toMatch(/internal reason|1,200/)
    await see(declined, 'Declined')
    const pdf = await page.get(`${accepted.url}/pdf`)
    expect([pdf.status, pdf.headers['content-type'], pdf.html.slice(0, 5)]).toEqual([200, 'application/pdf', '%PDF-'])
    expect((await page.get(`${voided.url}/pdf`)).status).toBe(404)
    expect(await see(accepted, 'Accepted')).toContain('Signed by Ada Lovelace on')
    time = new Date(Date.parse(expiresAt) + 1)
    await see(expired, 'Expired')
    // The job that expires it has not run yet.
    expect((await page.accept(expired)).status).toBe(409)
    time = undefined
    expect((await recordOf(caller, expired)).status).toBe('pending')
  })
})

describe('accepting', () => {
  it('completes the proposal once, with the content, the signature and events', async () => {
    const caller = await organization()
    const sent = await sendProposalTo(caller)
    const answer = await page.accept(sent, { name: '  Ada   Lovelace ' })
    expect([answer.status, answer.headers['location']]).toEqual([303, new URL(sent.url).pathname])
    const record = await recordOf(caller, sent)
    expect(record).toMatchObject({
      status: 'completed',
      viewedAt: record.completedAt,
      allowedTransitions: [],
      contentHash: sent.contentHash,
    })
    expect(record.recipients[0]).toMatchObject({ status: 'signed', signedAt: record.completedAt, viewedAt: record.completedAt })
    expect(await eventsOf(caller, sent)).toEqual(['proposal.created', 'proposal.sent', 'proposal.viewed', 'proposal.completed'])
    const { rows } = await database.pool.query(
      `select content, content_hash, name, method, drawing, wording, user_agent, address from proposal_acceptance
       join proposal_signature using (organization_id) where organization_id = $1`,
      [caller.organizationId],
    )
    expect(rows).toEqual([
      {
        content: expect.stringContaining('"title":"Website","totalAmount":"1200.00"}'),
        content_hash: createHash('sha256').update(rows[0].content).digest('hex'),
        name: 'Ada Lovelace',
        method: 'typed',
        drawing: null,
        wording: expect.stringMatching(/^I accept this proposal from .* for a total of €1,200\.00 and sign it electronically\.$/),
        user_agent: browserAgent,
        address: '127.0.0.1',
      },
    ])
    expect(rows[0].content_hash).toBe(sent.contentHash)
    const certificate = await caller.call('GET', `/v1/proposals/${sent.id}/certificate`)
    const { contentHash, signers } = certificate.body.certificate
    expect([certificate.status, contentHash, signers]).toEqual([
      200,
      sent.contentHash,
      [expect.objectContaining({ name: 'Ada Lovelace', email: 'ada@example.com', method: 'typed', wording: rows[0].wording })],
    ])
    const audit = (await caller.call('GET', `/v1/audit?targetId=${sent.id}`)).body.data
    expect(audit[0]).toMatchObject({
      action: 'proposal.completed',
      actor: { type: 'recipient', id: record.recipients[0].id, name: 'Ada Lovelace' },
      address: '127.0.0.1',
    })
    const again = await page.accept(sent)
    expect([again.status, again.html]).toEqual([409, expect.stringContaining('can no longer be accepted or declined')])
    expect((await page.decline(sent)).status).toBe(409)
    expect((await recordOf(caller, sent)).updatedAt).toBe(record.updatedAt)
  })

  it('takes a drawn signature, encoded anew on the server', async () => {
    const caller = await organization()
    const drawn = (drawing: unknown) => ({ method: 'drawn', drawing: JSON.stringify(drawing) })
    const refused = [
      [],
      { width: 300, height: 150, strokes: [] },
      { width: 300, height: 150, strokes: [[[1, 1]]] },
      { width: 300, height: 150, strokes: [[[1, '2"/><script>']]] },
      { width: 1e9, height: 150, strokes: [[[1, 2], [3, 4]]] }, // prettier-ignore
      { width: 300, height: 150, strokes: [Array.from({ length: 10_001 }, () => [1, 1])] },
    ]
    const sent = await sendProposalTo(caller)
    for (const drawing of refused) {
      const { status, html } = await page.accept(sent, drawn(drawing))
      expect([status, html]).toEqual([422, expect.stringContaining('Draw your signature or type your name.')])
      expect(html).toContain('value="Ada Lovelace"')
    }
    expect((await page.accept(sent, { method: 'drawn', drawing: '{' })).status).toBe(422)
    const strokes = [[[0, 0], [150.04, 75], [9000, -5]], [[10, 10]]] // prettier-ignore
    expect((await page.accept(sent, drawn({ width: 300, height: 150, strokes }))).status).toBe(303)
    const { html } = await page.get(sent.url)
    expect(html).toContain('viewBox="0 0 600 300"><path d="M0 0L300.1 150L600 0M20 20h0" fill="none"')
  })

  it('needs a name, consent and the content that the page showed', async () => {
    const caller = await organization()
    const sent = await sendProposalTo(caller)
    const cases: [Record<string, string>, number, string][] = [
      [{ name: '  ' }, 422, 'Enter your full name.'],
      [{ name: 'x'.repeat(201) }, 422, 'Enter your full name.'],
      ...['a\u0000b', 'a\u0007b', 'Eve\u202eada', '\u200b', '\u2800', '-'].map((name): [Record<string, string>, number, string] => [
        { name },
        422,
        'Enter your full name.',
      ]),
      [{ consent: '' }, 422, 'Confirm that you accept the proposal.'],
      [{ contentHash: '0'.repeat(64) }, 409, 'This proposal has changed.'],
      [{ contentHash: '' }, 409, 'This proposal has changed.'],
    ]
    for (const [changes, status, message] of cases) {
      const answer = await page.accept(sent, changes)
      expect([changes, answer.status, answer.html]).toEqual([changes, status, expect.stringContaining(message)])
    }
    expect(await recordOf(caller, sent)).toMatchObject({ status: 'pending', viewedAt: null })
  })
})

it('stores only the sentence that the page showed', async () => {
  const caller = await organization()
  const sent = await sendProposalTo(caller)
  const hashIn = async (): Promise<string> => /name="wordingHash" value="(\w+)"/.exec((await page.get(sent.url)).html)?.[1] ?? ''
  const former = await hashIn()
  await caller.call('PATCH', '/v1/organization', { legalName: 'Moss Bicycles GmbH', language: 'de' })
  const refused = await page.accept(sent, { wordingHash: former })
  expect([refused.status, refused.html]).toEqual([409, expect.stringContaining('Dieses Angebot')])
  expect(refused.html).toContain('value="Ada Lovelace"')
  expect(await recordOf(caller, sent)).toMatchObject({ status: 'pending' })
  expect((await page.accept(sent, { wordingHash: await hashIn() })).status).toBe(303)
})

describe('declining', () => {
  it('rejects the proposal with a reason', async () => {
    const caller = await organization()
    const sent = await sendProposalTo(caller)
    expect((await page.decline(sent, { contentHash: 'x' })).status).toBe(409)
    expect((await page.decline(sent, { reason: '  Too late for us ' })).status).toBe(303)
    const record = await recordOf(caller, sent)
    expect(record).toMatchObject({ status: 'rejected', rejectReason: 'Too late for us', completedAt: null, viewedAt: record.rejectedAt })
    expect(record.recipients[0]).toMatchObject({ status: 'declined', signedAt: null })
    expect(await eventsOf(caller, sent)).toEqual(['proposal.created', 'proposal.sent', 'proposal.viewed', 'proposal.rejected'])
    expect((await page.accept(sent)).status).toBe(409)
  })
})

describe('a view', () => {
  it('counts once, when a person confirms it, and not by GET or HEAD', async () => {
    const caller = await organization()
    const sent = await sendProposalTo(caller)
    const before = await recordOf(caller, sent)
    const { html } = await page.get(sent.url)
    expect(html).toContain(`data-view="${new URL(sent.url).pathname}/view"`)
    await page.get(sent.url, {}, 'HEAD')
    await page.get(sent.url, { 'sec-purpose': 'prefetch' })
    expect(await recordOf(caller, sent)).toEqual(before)
    expect(await viewsOf(caller)).toEqual([{ kind: 'robot', agent: browserAgent }])
    expect((await page.post(sent.url, 'view')).status).toBe(303)
    const viewed = await recordOf(caller, sent)
    expect(viewed).toMatchObject({ viewedAt: viewed.updatedAt, recipients: [{ status: 'viewed', viewedAt: viewed.viewedAt }] })
    await page.post(sent.url, 'view')
    expect(await recordOf(caller, sent)).toEqual(viewed)
    expect(await eventsOf(caller, sent)).toEqual(['proposal.created', 'proposal.sent', 'proposal.viewed'])
    expect((await viewsOf(caller)).map(({ kind }) => kind)).toEqual(['robot', 'person'])
    // Later openings are counted too, but need no button.
    const later = (await page.get(sent.url)).html
    expect([later.includes('data-view'), html.includes('<noscript'), later.includes('<noscript')]).toEqual([true, true, false])
  })

  it.each([
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'facebookexternalhit/1.1',
    'WhatsApp/2.23.20.0',
    'TelegramBot (like TwitterBot)',
    'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
    'LinkedInBot/1.0',
    'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Mozilla/5.0 (compatible; bingbot/2.0)',
    'Barracuda Sentinel (EE)',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/120.0.0.0 Safari/537.36',
    'python-requests/2.31',
    'curl/8.0',
    'Go-http-client/2.0',
    '',
  ])('does not count for %s, which is listed as a robot', async (agent) => {
    const caller = await organization()
    const sent = await sendProposalTo(caller)
    const before = await recordOf(caller, sent)
    await page.get(sent.url, { 'user-agent': agent })
    await page.get(sent.url, { 'user-agent': agent })
    await page.post(sent.url, 'view', {}, { 'user-agent': agent })
    expect(await recordOf(caller, sent)).toEqual(before)
    expect(await viewsOf(caller)).toEqual([{ kind: 'robot', agent }])
  })
})

describe('forms', () => {
  it('of other sites are refused, with Sec-Fetch-Site or Origin', async () => {
    const caller = await organization()
    const sent = await sendProposalTo(caller)
    const form = { name: 'Ada', method: 'typed', consent: 'yes', contentHash: sent.contentHash }
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'cross-site', origin: 'http://groundwork.test' },
      { origin: 'https://evil.example' },
    ]
    for (const headers of foreign) expect([headers, (await page.post(sent.url, 'accept', form, headers)).status]).toEqual([headers, 403])
    expect((await recordOf(caller, sent)).status).toBe('pending')
    expect((await page.post(sent.url, 'view', {}, { 'sec-fetch-site': 'same-origin', origin: 'null' })).status).toBe(303)
    expect((await page.post(sent.url, 'view', {}, { origin: 'http://groundwork.test' })).status).toBe(303)
  })

  it('of another content type, too large, or too many are refused with a page', async () => {
    const caller = await organization()
    const sent = await sendProposalTo(caller)
    const json = await page.post(sent.url, 'accept', {}, { 'content-type': 'application/json' })
    expect([json.status, json.headers['content-type']]).toEqual([415, 'text/html; charset=utf-8'])
    expect((await page.accept(sent, { drawing: 'x'.repeat(300_000) })).status).toBe(413)
    // All within one minute.
    time = new Date(Math.floor(Date.now() / 60_000) * 60_000 + 60_000)
    const statuses: number[] = []
    for (let count = 0; count < 22; count += 1) statuses.push((await page.accept(sent, { consent: '' })).status)
    expect([statuses.includes(422), statuses.at(-1)]).toEqual([true, 429])
    expect(await page.accept(sent)).toMatchObject({ html: expect.stringContaining('Too many requests') })
    expect((await page.get(sent.url)).status).toBe(200)
    time = new Date(time.getTime() + 60_000)
    expect((await page.accept(sent)).status).toBe(303)
    time = undefined
  })
})
