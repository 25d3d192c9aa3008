import { expect, it } from 'vitest'
import { testApp, type Caller } from '../testing/app.ts'
import { pageClient, sendProposalTo, type Sent } from '../testing/proposal-page.ts'
import { statementsOf } from '../testing/statements.ts'

// Two processes with one database: the first keeps pages that the second changes.
let time: Date | undefined
const now = (): Date => time ?? new Date()
const { app, organization, database, platform } = await testApp({ now })
const store = { database, files: platform.storage, secretKey: platform.secretKey, close: async () => undefined }
const other = await testApp({ now, store })
const page = pageClient(app)
const otherPage = pageClient(other.app)

const items = [
  { description: 'Design', unitPrice: '80' },
  { description: 'Training', unitPrice: '500', optional: true },
]
const twoSigners = { signingOrder: 'sequential', recipients: [{ role: 'signer', name: 'Grace Hopper', email: 'grace@example.com' }] }

interface Opened extends Caller {
  readonly sent: Sent
  /** The page of the first signer. */
  readonly shown: () => Promise<string>
  readonly viaOther: Caller['call']
}

async function opened(fields: object = {}): Promise<Opened> {
  const caller = await organization()
  const sent = await sendProposalTo(caller, { items, totalAmount: undefined, ...fields })
  const viaOther: Caller['call'] = async (method, url, body) => {
    const headers = { authorization: `Bearer ${caller.token}`, ...(body !== undefined && { 'content-type': 'application/json' }) }
    const options = { method: method as 'POST', url, headers, ...(body !== undefined && { payload: JSON.stringify(body) }) }
    const { statusCode: status, body: text, headers: answered } = await other.app.inject(options)
    expect([url, status < 300, text]).toEqual([url, true, text])
    return { status, body: text === '' ? undefined : JSON.parse(text), headers: answered }
  }
  return { ...caller, sent, viaOther, shown: async () => (await page.get(sent.url)).html }
}

/** Returns the text that a page must show after a change of another process. */
const changes: Record<string, (opened: Opened) => Promise<string>> = {
  'is accepted': async ({ sent }) => {
    await otherPage.accept(sent)
    return 'Signed by Ada Lovelace on'
  },
  'is declined': async ({ sent }) => {
    await otherPage.decline(sent)
    return '<h2>Declined</h2>'
  },
  'is voided': async ({ viaOther, sent }) => {
    await viaOther('POST', `/v1/proposals/${sent.id}/void`, { reason: 'Mistake' })
    return '<h2>Withdrawn</h2>'
  },
  'gets a question': async ({ sent }) => {
    await otherPage.post(sent.url, 'ask', { question: 'Is the tour guided?' })
    return 'Is the tour guided?'
  },
  'gets an answer': async ({ viaOther, sent, shown }) => {
    await otherPage.post(sent.url, 'ask', { question: 'Is the tour guided?' })
    await shown()
    const { body } = await viaOther('GET', `/v1/proposals/${sent.id}/questions`)
    await viaOther('POST', `/v1/proposals/${sent.id}/questions/${body.data[0].id}/answer`, { answer: 'Yes, by a local.' })
    return 'Yes, by a local.'
  },
  'has an organization with another name': async ({ viaOther }) => {
    await viaOther('PATCH', '/v1/organization', { legalName: 'Wheels Ltd' })
    return 'Wheels Ltd'
  },
  'is replaced': async ({ viaOther, sent }) => {
    const { body } = await viaOther('POST', `/v1/proposals/${sent.id}/revise`)
    await viaOther('POST', `/v1/proposals/${body.id}/send`, {})
    return '<h2>Replaced<'
  },
}

it.each(Object.entries(changes))('a page shows at once that the proposal %s', async (_what, change) => {
  const proposal = await opened()
  const before = await proposal.shown()
  expect(await proposal.shown()).toBe(before)
  const text = await change(proposal)
  expect(before).not.toContain(text)
  expect(await proposal.shown()).toContain(text)
})

it('a page shows at once that another signer has signed, and hides a deleted contact', async () => {
  const { sent, call, viaOther } = await opened(twoSigners)
  const record = (await call('GET', `/v1/proposals/${sent.id}`)).body
  const second = async (): Promise<string> => (await page.get(record.recipients[1].url)).html
  expect(await second()).toContain('Waiting for Ada Lovelace')
  await viaOther('DELETE', `/v1/contacts/${record.contactId}`)
  expect(await second()).not.toContain('Ada Lovelace')
  const both = await opened(twoSigners)
  const signers = (await both.call('GET', `/v1/proposals/${both.sent.id}`)).body.recipients
  const waiting = (await page.get(signers[1].url)).html
  expect(waiting).not.toContain('/accept"')
  await otherPage.accept(both.sent)
  const turn = (await page.get(signers[1].url)).html
  expect([turn.includes('/accept"'), turn.includes('Signed by Ada Lovelace on')]).toEqual([true, true])
})

it('a page shows at once that its proposal has expired, or that another process has expired it', async () => {
  const expiresAt = new Date(Date.now() + 3_600_000)
  const { shown } = await opened({ expiresAt: expiresAt.toISOString() })
  time = new Date(expiresAt.getTime() - 1)
  expect(await shown()).not.toContain('<h2>Expired</h2>')
  time = expiresAt
  expect(await shown()).toContain('<h2>Expired</h2>')
  time = new Date(expiresAt.getTime() - 1)
  expect(await shown()).not.toContain('<h2>Expired</h2>')
  const { sent } = await opened({ expiresAt: expiresAt.toISOString() })
  await page.get(sent.url)
  await database.pool.query(`update proposal set status = 'expired' where id = $1`, [sent.id.slice(-36)])
  expect((await page.get(sent.url)).html).toContain('<h2>Expired</h2>')
  time = undefined
})

it('a link that another process has replaced or deleted is unknown at once', async () => {
  const { sent, organizationId } = await opened()
  expect((await page.get(sent.url)).status).toBe(200)
  await database.pool.query('update proposal_recipient set link_version = 1 where organization_id = $1', [organizationId])
  expect((await page.get(sent.url)).status).toBe(404)
})

it('an unchanged page needs one statement, which reads no content', async () => {
  const { sent } = await opened()
  const first = await page.get(sent.url)
  let again = first
  const statements = await statementsOf(async () => (again = await page.get(sent.url)))
  expect(again.html).toBe(first.html)
  expect(statements.map(({ text, scope }) => [text.includes('"items"') || text.includes('"proposal".*'), scope?.setting])).toEqual([
    [false, 'app.organization_id'],
  ])
})

it('pages for the sender and for the recipient differ', async () => {
  const { sent } = await opened()
  const [recipient, sender] = [await page.get(sent.url), await page.get(`${sent.url}?preview`)]
  expect([recipient.html, sender.html].map((html) => html.includes('data-view'))).toEqual([true, false])
  expect([(await page.get(sent.url)).html, (await page.get(`${sent.url}?preview`)).html]).toEqual([recipient.html, sender.html])
})
