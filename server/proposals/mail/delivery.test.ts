import { describe, expect, it } from 'vitest'
import { sendMailWork } from '../../mail/send.ts'
import { testApp, type Caller } from '../../testing/app.ts'
import { mailServer } from '../../testing/mail-server.ts'
import { unitEmbedder } from '../../testing/fixtures.ts'
import { person } from '../../testing/people.ts'
import { acceptProposal } from '../answer.ts'
import { expireProposalWork } from '../expiry.ts'
import { remindProposalWork } from './reminders.ts'

const server = await mailServer()
let time: Date | undefined
const service = await testApp({ smtpUrl: server.url, embedder: unitEmbedder, now: () => time ?? new Date() })
const { organization, database } = service
const files = await testApp()
const dayMs = 86_400_000

/** Returns functions of an organization with a contact. Jobs run only when the test runs them. */
async function seller(contact: object = {}, fields: object = {}) {
  const caller = await organization()
  const email = `${caller.organizationId}@example.com`
  const client = (await caller.call('POST', '/v1/contacts', { firstName: 'Ada', email, ...contact })).body
  const offer = { title: 'Three days of bicycles', contactId: client.id, totalAmount: '1260', currency: 'EUR', ...fields }
  const propose = async (more: object = {}) => (await caller.call('POST', '/v1/proposals', { ...offer, ...more })).body
  const read = async ({ id }: { id: string }) => (await caller.call('GET', `/v1/proposals/${id}`)).body
  return { ...caller, client, email, propose, read, own: () => server.received.filter(({ to }) => to.includes(email)) }
}

/** Makes the attempts of all queued messages of an organization, and returns their kinds. */
async function sendQueued({ ctx, organizationId }: Caller): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: string; kind: string }>(
    `select id, kind from mail where organization_id = $1 and state = 'queued' order by created_at, id`,
    [organizationId],
  )
  for (const { id } of rows) await sendMailWork.run(ctx, { mailId: id }).catch(() => undefined)
  return rows.map(({ kind }) => kind)
}

const longAgo = '2026-01-01T00:00:00.000Z'
const age = ({ id }: { id: string }) => database.pool.query('update proposal set updated_at = $1 where id = $2', [longAgo, id.slice(4)])

const eventsOf = async ({ call }: Caller, type: string) => (await call('GET', `/v1/events?type=${type}`)).body.data

describe('the delivery of a proposal', () => {
  it('is queued, then sent, with the link in the mail and in the record', async () => {
    const at = await seller({}, { message: 'See you soon' })
    const created = await at.propose()
    expect(created).toMatchObject({ status: 'pending', delivery: { state: 'queued', reason: null }, deliveredAt: null })
    await age(created)
    expect(await sendQueued(at)).toEqual(['sent'])
    const sent = await at.read(created)
    expect(sent.updatedAt).not.toBe(longAgo)
    expect((await at.call('GET', '/v1/overview')).body.attention.undelivered.count).toBe(0)
    expect(sent).toMatchObject({ delivery: { state: 'sent', reason: null }, deliveredAt: expect.any(String), sentAt: created.sentAt })
    expect(sent.recipients[0]).toMatchObject({ delivery: sent.delivery, deliveredAt: sent.deliveredAt })
    const [mail, ...more] = at.own()
    expect(more).toEqual([])
    expect(mail?.text).toContain('Content-Type: multipart/alternative')
    // Quoted-printable breaks long lines.
    expect(mail?.text.replaceAll('=\r\n', '')).toContain(sent.url)
    const { rows } = await database.pool.query('select text, html from mail where organization_id = $1', [at.organizationId])
    expect(rows).toEqual([{ text: '', html: null }])
    expect((await at.call('GET', '/v1/proposals')).body.data).toEqual([sent])
  })

  it('is failed with the answer of the mail server, and emits an event', async () => {
    const at = await seller()
    const created = await at.propose()
    await age(created)
    server.answer = () => ({ code: 550, text: 'no such user' })
    await sendQueued(at)
    server.answer = () => null
    const failed = await at.read(created)
    expect(failed.updatedAt).not.toBe(longAgo)
    expect(failed).toMatchObject({ status: 'pending', delivery: { state: 'failed', reason: '550 no such user' }, deliveredAt: null })
    const { undelivered } = (await at.call('GET', '/v1/overview')).body.attention
    expect(undelivered).toMatchObject({ count: 1, data: [{ id: created.id, delivery: failed.delivery, url: failed.url }] })
    expect(await eventsOf(at, 'proposal.delivery_failed')).toEqual([expect.objectContaining({ data: failed })])
    await at.call('POST', `/v1/proposals/${created.id}/void`, { reason: 'x' })
    expect(await sendQueued(at)).toEqual([])
  })

  it('is withheld without an address, which requireDelivery refuses', async () => {
    const at = await seller({ email: undefined, phone: '+442071838750' })
    const { status, delivery } = await at.propose()
    expect([status, delivery]).toEqual(['pending', { state: 'withheld', reason: 'The recipient has no email address.' }])
    expect((await at.propose({ requireDelivery: true })).error).toMatchObject({ code: 'validation_error', field: 'requireDelivery' })
    expect((await at.propose({ requireDelivery: true, draft: true })).status).toBe('draft')
    expect((await at.call('GET', '/v1/proposals?status=pending')).body.data).toHaveLength(1)
    expect((await at.call('GET', '/v1/overview')).body.attention.undelivered.count).toBe(1)
  })

  it('is withheld without a mail server, although the message is stored', async () => {
    const { call, ctx } = await files.organization()
    const { id: contactId } = (await call('POST', '/v1/contacts', { email: 'ada@example.com' })).body
    const offer = { title: 'T', contactId, totalAmount: '1' }
    expect((await call('POST', '/v1/proposals', { ...offer, requireDelivery: true })).status).toBe(422)
    const { id, url } = (await call('POST', '/v1/proposals', offer)).body
    const [mail] = (await call('GET', `/v1/mails?proposalId=${id}`)).body.data
    expect(mail).toMatchObject({ kind: 'sent', to: 'ada@example.com', text: expect.stringContaining(url), proposalId: id })
    await sendMailWork.run(ctx, { mailId: mail.id.slice(4) })
    const { delivery, deliveredAt } = (await call('GET', `/v1/proposals/${id}`)).body
    expect([delivery, deliveredAt]).toEqual([{ state: 'withheld', reason: expect.stringContaining('No mail server') }, null])
  })

  it('is null for a draft', async () => {
    const at = await seller()
    const draft = await at.propose({ draft: true })
    expect([draft.delivery, draft.deliveredAt, draft.recipients[0].delivery]).toEqual([null, null, null])
    expect(await sendQueued(at)).toEqual([])
  })
})

describe('messages about the end of a proposal', () => {
  it('a recipient of the proposal learns that it was voided; a queued message is withdrawn instead', async () => {
    const at = await seller()
    const [mailed, queued] = [await at.propose(), await at.propose({ draft: true })]
    await sendQueued(at)
    await at.call('POST', `/v1/proposals/${queued.id}/send`)
    for (const { id } of [mailed, queued]) await at.call('POST', `/v1/proposals/${id}/void`, { reason: 'The dates have changed' })
    expect(await sendQueued(at)).toEqual(['voided'])
    expect(at.own()).toHaveLength(2)
    expect(at.own()[1]?.text).toContain('The dates have changed')
    expect(await at.read(queued)).toMatchObject({ status: 'voided', delivery: { state: 'withheld' } })
  })

  it('is in the language of the organization', async () => {
    const at = await seller()
    await at.call('PATCH', '/v1/organization', { language: 'de', timeZone: 'Europe/Berlin' })
    await at.propose()
    await sendQueued(at)
    expect(at.own()[0]?.text).toContain('Subject: Angebot von')
    expect(at.own()[0]?.text).toContain('1.260,00')
  })

  it('a deleted contact gets no further messages, and those before are not listed', async () => {
    const at = await seller()
    const proposal = await at.propose()
    await sendQueued(at)
    expect((await at.call('GET', '/v1/mails')).body.data).toHaveLength(1)
    await at.call('DELETE', `/v1/contacts/${at.client.id}`)
    await at.call('POST', `/v1/proposals/${proposal.id}/void`, { reason: 'x' })
    expect(await sendQueued(at)).toEqual([])
    expect((await at.call('GET', '/v1/mails')).body.data).toEqual([])
  })
})

describe('the message about an acceptance', () => {
  it('goes to the recipient and to the owners, with PDF and certificate', async () => {
    const at = await seller()
    const owner = await person(service, { [at.organizationId]: 'owner' })
    const proposal = await at.propose()
    const signature = { name: 'Ada', drawing: null, wording: 'I accept.', contentHash: proposal.contentHash }
    await acceptProposal(at.ctx, proposal.recipients[0].id.slice(4), signature, { address: '192.0.2.7', userAgent: null })
    expect(await sendQueued(at)).toEqual(['accepted', 'accepted'])
    const received = server.received.filter(({ to }) => to.includes(at.email) || to.includes(owner.email))
    expect(received).toHaveLength(2)
    const numbers = received.map(({ text }) => [...text.matchAll(/filename="?([^";\r\n]+)/g)].map(([, name]) => name))
    expect(numbers).toEqual(received.map(() => [`${proposal.number}.pdf`, 'certificate.json']))
    for (const { text } of received) expect(text).toContain(Buffer.from('%PDF-').toString('base64').slice(0, 6))
  })
})

describe('reminders', () => {
  /** Runs the reminder of a day at a moment; returns the kinds of the messages that it sent. */
  async function remind(at: Caller, proposal: { id: string }, day: number, now: Date): Promise<string[]> {
    time = now
    await remindProposalWork.run({ ...at.ctx, now: () => now }, { proposalId: proposal.id.slice(4), day })
    const kinds = await sendQueued(at)
    time = undefined
    return kinds
  }
  const dueDays = async (proposal: { id: string }): Promise<number[]> => {
    const { rows } = await database.pool.query<{ day: number }>(
      `select (data ->> 'day')::int as day from pgboss.job where data ->> 'handler' = $1 and data ->> 'proposalId' = $2 order by 1`,
      [remindProposalWork.name, proposal.id.slice(4)],
    )
    return rows.map(({ day }) => day)
  }

  it('are sent once each after 3, 7 and 14 days, and emit events', async () => {
    const at = await seller()
    const proposal = await at.propose()
    await sendQueued(at)
    const sentAt = new Date(proposal.sentAt).getTime()
    expect(await remind(at, proposal, 3, new Date(sentAt + 3 * dayMs - 1000))).toEqual([])
    for (const day of [3, 7, 14]) {
      expect(await remind(at, proposal, day, new Date(sentAt + day * dayMs))).toEqual(['reminder'])
      expect(await remind(at, proposal, day, new Date(sentAt + day * dayMs))).toEqual([])
    }
    expect(at.own()).toHaveLength(4)
    expect(new Set(await dueDays(proposal))).toEqual(new Set([3, 7, 14]))
    expect(await eventsOf(at, 'proposal.reminded')).toHaveLength(3)
  })

  it('stop in every final state, and before an expiry that passed', async () => {
    const at = await seller()
    const [voided, expiring] = [await at.propose(), await at.propose({ expiresAt: new Date(Date.now() + 3 * dayMs).toISOString() })]
    await sendQueued(at)
    await at.call('POST', `/v1/proposals/${voided.id}/void`, { reason: 'x' })
    await sendQueued(at)
    const later = new Date(Date.now() + 3 * dayMs + 1000)
    expect(await remind(at, voided, 3, later)).toEqual([])
    expect(await remind(at, expiring, 3, later)).toEqual([])
    await expireProposalWork.run({ ...at.ctx, now: () => later }, { proposalId: expiring.id.slice(4) })
    expect(await sendQueued(at)).toEqual(['expired'])
    expect(await remind(at, expiring, 7, new Date(Date.now() + 7 * dayMs + 1000))).toEqual([])
    expect(await eventsOf(at, 'proposal.reminded')).toEqual([])
  })

  it('that were missed become one', async () => {
    const at = await seller()
    const proposal = await at.propose()
    await sendQueued(at)
    const late = new Date(new Date(proposal.sentAt).getTime() + 8 * dayMs)
    expect(await remind(at, proposal, 3, late)).toEqual([])
    expect(await remind(at, proposal, 7, late)).toEqual(['reminder'])
  })

  it('are not sent without a message before', async () => {
    const at = await seller({ email: undefined, phone: '+442071838750' })
    const proposal = await at.propose()
    expect(await remind(at, proposal, 3, new Date(Date.now() + 3 * dayMs + 1000))).toEqual([])
  })
})
