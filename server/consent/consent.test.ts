import { describe, expect, it } from 'vitest'
import type { Mail } from '@groundwork/api'
import { sendMailWork } from '../mail/send.ts'
import { remindProposalWork } from '../proposals/mail/reminders.ts'
import { testApp, type Caller } from '../testing/app.ts'
import { newProposalQuestion } from '../testing/fixtures.ts'
import { mailServer } from '../testing/mail-server.ts'
import { pageClient } from '../testing/proposal-page.ts'

const server = await mailServer()
let daysLater = 0
const { app, organization, database } = await testApp({ smtpUrl: server.url, now: () => new Date(Date.now() + daysLater * 86_400_000) })
const page = pageClient(app)
const unknown = { email: 'unknown', phone: 'unknown', sms: 'unknown', post: 'unknown' }

async function seller(contact: object = {}) {
  const caller = await organization()
  const email = `${caller.organizationId}@example.com`
  const { id } = (await caller.call('POST', '/v1/contacts', { firstName: 'Ada', email, ...contact })).body
  const path = `/v1/contacts/${id}`
  const record = (body: object) => caller.call('POST', `${path}/consent`, body)
  const propose = (more: object = {}) => caller.call('POST', '/v1/proposals', { title: 'T', contactId: id, totalAmount: '5', ...more })
  const read = async ({ id: proposalId }: { id: string }) => (await caller.call('GET', `/v1/proposals/${proposalId}`)).body
  /** Returns kind, error and text of the messages in a state, newest first. */
  const mails = async (state: string): Promise<string[][]> =>
    (await caller.call('GET', `/v1/mails?state=${state}`)).body.data.map(({ kind, error, text }: Mail) => [kind, error, text])
  return {
    ...caller,
    id,
    email,
    path,
    record,
    propose,
    read,
    mails,
    received: () => server.received.filter(({ to }) => to.includes(email)),
  }
}

/** Makes the attempts of all queued messages of an organization, and returns their kinds. */
async function sendQueued({ ctx, organizationId }: Caller): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: string; kind: string }>(
    `select id, kind from mail where organization_id = $1 and state = 'queued' order by created_at, id`,
    [organizationId],
  )
  for (const { id } of rows) await sendMailWork.run(ctx, { mailId: id })
  return rows.map(({ kind }) => kind)
}

const withheld = { state: 'withheld', reason: 'do_not_contact' }

describe('the consent of a contact', () => {
  it('is recorded for each channel, with its history', async () => {
    const { call, path, record, id } = await seller()
    expect((await call('GET', path)).body.consent).toEqual(unknown)
    const granted = {
      channel: 'email',
      state: 'granted',
      source: 'website form',
      wording: 'Yes, send me offers.',
      at: '2026-01-01T10:00:00+01:00',
    }
    const { status, body } = await record(granted)
    expect([status, body.id, body.consent]).toEqual([200, id, { ...unknown, email: 'granted' }])
    expect((await record({ channel: 'sms', state: 'denied' })).body.consent).toEqual({ ...unknown, email: 'granted', sms: 'denied' })
    expect((await call('GET', path)).body.consent).toEqual({ ...unknown, email: 'granted', sms: 'denied' })
    const { data, nextCursor } = (await call('GET', `${path}/consent/history`)).body
    expect(nextCursor).toBeNull()
    expect(data).toEqual([
      expect.objectContaining({ channel: 'sms', state: 'denied', source: null, wording: null }),
      {
        ...granted,
        id: expect.stringMatching(/^cns_/),
        reference: null,
        contactId: id,
        at: '2026-01-01T09:00:00.000Z',
        createdBy: { type: 'token', id: expect.any(String), name: expect.any(String) },
        createdAt: expect.any(String),
      },
    ])
    expect((await call('GET', `${path}/consent`)).body).toEqual({ email: data[1], phone: null, sms: data[0], post: null })
    const first = (await call('GET', `${path}/consent/history?limit=1`)).body
    expect((await call('GET', `${path}/consent/history?limit=1&cursor=${first.nextCursor}`)).body.data).toEqual([data[1]])
    expect((await call('GET', '/v1/events?type=contact.updated')).body.data).toHaveLength(2)
  })

  it('is the entry with the latest time, not the latest record', async () => {
    const { record } = await seller()
    await record({ channel: 'phone', state: 'denied', at: '2026-03-01T00:00:00Z' })
    const older = { channel: 'phone', state: 'granted', at: '2026-02-01T00:00:00Z' }
    expect((await record(older)).body.consent.phone).toBe('denied')
    expect((await record({ channel: 'phone', state: 'unknown' })).body.consent.phone).toBe('unknown')
  })

  it('is never of the future: a time up to five minutes ahead is stored as the present', async () => {
    const { call, path, record } = await seller()
    const granted = { channel: 'email', state: 'granted', at: new Date(Date.now() + 4 * 60_000).toISOString() }
    await record(granted)
    await record(granted)
    const { at, createdAt } = (await call('GET', `${path}/consent`)).body.email
    expect(new Date(at) <= new Date(createdAt)).toBe(true)
    expect((await call('GET', `${path}/consent/history`)).body.data).toHaveLength(1)
    expect((await record({ channel: 'email', state: 'denied' })).body.consent.email).toBe('denied')
  })

  it('is recorded only if the contact has the version of If-Match', async () => {
    const { call, path } = await seller()
    const { etag } = (await call('GET', path)).headers
    const record = (state: string) => call('POST', `${path}/consent`, { channel: 'email', state }, { 'if-match': String(etag) })
    expect([(await record('granted')).status, (await record('denied')).status]).toEqual([200, 412])
    expect((await call('GET', path)).body.consent.email).toBe('granted')
  })

  it('gets no second entry from a repeated request, also at the same time', async () => {
    const { call, path, record } = await seller()
    const entry = { channel: 'post', state: 'granted', source: 'call' }
    const answers = await Promise.all([1, 2, 3].map(() => record(entry)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await call('GET', `${path}/consent/history`)).body.data).toHaveLength(1)
    await record({ ...entry, wording: 'By letter.' })
    expect((await call('GET', `${path}/consent/history`)).body.data).toHaveLength(2)
  })

  it.each<[string, object]>([
    ['channel', { channel: 'fax', state: 'granted' }],
    ['state', { channel: 'email', state: 'maybe' }],
    ['at', { channel: 'email', state: 'granted', at: '2999-01-01T00:00:00Z' }],
    ['wording', { channel: 'email', state: 'granted', wording: 'x'.repeat(5001) }],
  ])('is refused with an invalid %s', async (field, body) => {
    const { call, path, record } = await seller()
    const answer = await record(body)
    expect([answer.status, answer.body.error.field]).toEqual([422, field])
    expect((await call('GET', `${path}/consent/history`)).body.data).toEqual([])
  })

  it('is 404 for a deleted contact, and erased with the contact', async () => {
    const { call, path, record, organizationId } = await seller()
    await record({ channel: 'email', state: 'granted' })
    await call('DELETE', path)
    for (const answer of [await record({ channel: 'email', state: 'denied' }), await call('GET', `${path}/consent/history`)])
      expect(answer.status).toBe(404)
    expect((await call('POST', `${path}/erase`)).body.erased).toContainEqual({ kind: 'consents', count: 1 })
    expect((await database.pool.query('select from consent_change where organization_id = $1', [organizationId])).rows).toEqual([])
  })
})

describe('a proposal to a contact that refuses email', () => {
  it('is sent without an email, and can be accepted on its page', async () => {
    const at = await seller()
    await at.record({ channel: 'email', state: 'denied' })
    const { status, body } = await at.propose()
    expect([status, body.status, body.delivery]).toEqual([201, 'pending', withheld])
    expect(await sendQueued(at)).toEqual([])
    const { undelivered } = (await at.call('GET', '/v1/overview')).body.attention
    expect(undelivered).toMatchObject({ count: 1, data: [{ id: body.id, delivery: withheld }] })
    daysLater = 4
    await remindProposalWork.run(at.ctx, { proposalId: body.id.slice(4), day: 3 })
    daysLater = 0
    expect(await sendQueued(at)).toEqual([])
    expect((await page.accept(body)).status).toBeLessThan(400)
    await sendQueued(at)
    expect((await at.read(body)).status).toBe('completed')
    expect(at.received()).toEqual([])
    expect(await at.mails('withheld')).toEqual([
      ['accepted', 'do_not_contact', ''],
      ['sent', 'do_not_contact', ''],
    ])
    expect((await at.call('GET', '/v1/mails?state=failed')).body.data).toEqual([])
    const { withheld: messages } = (await at.call('GET', '/v1/overview')).body.attention
    expect(messages).toMatchObject({
      count: 1,
      data: [{ kind: 'accepted', reason: 'do_not_contact', proposalId: body.id, title: body.title }],
    })
  })

  it('has its answers and reminders withheld if the contact refuses email later, as Home shows', async () => {
    const at = await seller()
    const { body } = await at.propose()
    await sendQueued(at)
    const questionId = await newProposalQuestion(at.ctx, body.id)
    await at.record({ channel: 'email', state: 'denied' })
    const answered = await at.call('POST', `/v1/proposals/${body.id}/questions/${questionId}/answer`, { answer: 'Yes.' })
    expect([answered.status, answered.body.delivery]).toEqual([200, withheld])
    expect((await at.call('GET', `/v1/proposals/${body.id}/questions`)).body.data[0].delivery).toEqual(withheld)
    daysLater = 4
    await remindProposalWork.run(at.ctx, { proposalId: body.id.slice(4), day: 3 })
    daysLater = 0
    expect((await at.mails('withheld')).map(([kind]) => kind).toSorted()).toEqual(['answer', 'reminder'])
    expect((await at.call('GET', '/v1/events?type=proposal.reminded')).body.data).toEqual([])
    const { undelivered, withheld: messages } = (await at.call('GET', '/v1/overview')).body.attention
    expect([undelivered.count, messages.count]).toEqual([0, 2])
    expect(await sendQueued(at)).toEqual([])
  })

  it('is on Home if only the recipient of a copy refuses email', async () => {
    const at = await seller()
    const other = (await at.call('POST', '/v1/contacts', { email: `other-${at.email}` })).body
    await at.record({ channel: 'email', state: 'denied' })
    const copy = { role: 'copy', name: 'Ada', email: at.email }
    const { body } = await at.propose({ contactId: other.id, recipients: [copy] })
    await sendQueued(at)
    const { undelivered } = (await at.call('GET', '/v1/overview')).body.attention
    expect(undelivered).toMatchObject({ count: 1, data: [{ id: body.id, delivery: withheld, url: body.recipients[1].url }] })
  })

  it('is also withheld from another contact or recipient with the address', async () => {
    const at = await seller()
    await at.record({ channel: 'email', state: 'denied' })
    const twin = (await at.call('POST', '/v1/contacts', { email: at.email })).body
    const other = (await at.call('POST', '/v1/contacts', { email: `other-${at.email}` })).body
    expect((await at.propose({ contactId: twin.id })).body.delivery).toEqual(withheld)
    const copy = { role: 'copy', name: 'Ada', email: at.email.toUpperCase() }
    const { recipients } = (await at.propose({ contactId: other.id, recipients: [copy] })).body
    expect(recipients.map(({ delivery }: { delivery: { state: string } }) => delivery.state)).toEqual(['queued', 'withheld'])
  })

  it('is withheld while doNotContact is set, also if it was queued before, and from another address of the contact', async () => {
    const at = await seller({ emails: [{ value: 'first@example.com' }, { value: 'second@example.com' }], email: undefined })
    const queued = (await at.propose()).body
    expect(queued.delivery.state).toBe('queued')
    await at.call('PATCH', at.path, { doNotContact: true })
    await sendQueued(at)
    expect((await at.read(queued)).delivery).toEqual(withheld)
    expect(server.received.filter(({ to }) => to.includes('first@example.com'))).toEqual([])
    const other = (await at.call('POST', '/v1/contacts', { email: 'second@example.com' })).body
    expect((await at.propose({ contactId: other.id })).body.delivery).toEqual(withheld)
    await at.call('PATCH', at.path, { doNotContact: false })
    expect((await at.propose()).body.delivery.state).toBe('queued')
  })

  it('is refused with requireDelivery', async () => {
    const at = await seller()
    await at.record({ channel: 'email', state: 'denied' })
    const { status, body } = await at.propose({ requireDelivery: true })
    expect([status, body.error.field]).toEqual([422, 'requireDelivery'])
    expect((await at.call('GET', '/v1/proposals')).body.data).toEqual([])
  })

  it('that was queued before is withdrawn', async () => {
    const at = await seller()
    const { body } = await at.propose()
    expect(body.delivery.state).toBe('queued')
    await at.record({ channel: 'email', state: 'denied' })
    expect(await sendQueued(at)).toEqual([])
    expect((await at.read(body)).delivery).toEqual(withheld)
    expect(at.received()).toEqual([])
  })

  it('is sent if email is granted, unknown, or only another channel is denied', async () => {
    const at = await seller()
    await at.record({ channel: 'sms', state: 'denied' })
    expect((await at.propose()).body.delivery.state).toBe('queued')
    await at.record({ channel: 'email', state: 'denied' })
    await at.record({ channel: 'email', state: 'granted' })
    expect((await at.propose()).body.delivery.state).toBe('queued')
    expect(await sendQueued(at)).toEqual(['sent'])
  })
})
