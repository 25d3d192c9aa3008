import { describe, expect, it } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { person } from '../../testing/people.ts'
import { pageClient, sendProposalTo, type Sent } from '../../testing/proposal-page.ts'
import { expireProposalWork } from '../expiry.ts'
import { remindProposalWork } from './reminders.ts'

let time: Date | undefined
const service = await testApp({ now: () => time ?? new Date() })
const { app, organization, database } = service
const page = pageClient(app)

/** Returns an organization with reminder days, and a function that runs the reminder of a day at a moment. */
async function seller(profile: object) {
  const caller = await organization()
  expect((await caller.call('PATCH', '/v1/organization', profile)).status).toBe(200)
  const at = async <T>(moment: string | Date, work: () => Promise<T>): Promise<T> => {
    time = new Date(moment)
    const result = await work()
    time = undefined
    return result
  }
  const reminders = async ({ id }: Sent): Promise<number[]> => {
    const { rows } = await database.pool.query<{ occurrence: number }>(
      `select occurrence from mail where proposal_id = $1 and kind = 'reminder' order by occurrence`,
      [id.slice(4)],
    )
    return rows.map(({ occurrence }) => occurrence)
  }
  /** Runs the reminder of a day, and returns the days of all reminders until now. */
  const remind = async (proposal: Sent, day: number, moment: string | Date): Promise<number[]> => {
    const data = { proposalId: proposal.id.slice(4), day }
    await at(moment, () => remindProposalWork.run({ ...caller.ctx, now: () => new Date(moment) }, data))
    // Queued messages are withdrawn when the proposal is closed.
    await database.pool.query(`update mail set state = 'sent' where proposal_id = $1`, [data.proposalId])
    return reminders(proposal)
  }
  return { ...caller, caller, at, remind }
}

/** Days for which a reminder was queued. */
async function queuedDays({ id }: Sent): Promise<number[]> {
  const { rows } = await database.pool.query<{ day: number }>(
    `select (data ->> 'day')::int as day from pgboss.job where data ->> 'handler' = $1 and data ->> 'proposalId' = $2 order by 1`,
    [remindProposalWork.name, id.slice(4)],
  )
  return rows.map(({ day }) => day)
}

const justBefore = (moment: string): Date => new Date(new Date(moment).getTime() - 1000)

describe('reminder days of an organization', () => {
  it.each([
    // Clocks are put forward on 2027-03-28 and back on 2027-10-31.
    ['Europe/Berlin', '2027-03-26T09:30:00Z', ['2027-03-27T09:30:00Z', '2027-03-31T08:30:00Z', '2027-04-25T08:30:00Z']],
    ['Europe/Berlin', '2027-10-29T22:15:00Z', ['2027-10-30T22:15:00Z', '2027-11-03T23:15:00Z', '2027-11-28T23:15:00Z']],
    // On 2027-03-14 and 2027-11-07.
    ['America/New_York', '2027-03-13T04:30:00Z', ['2027-03-14T04:30:00Z', '2027-03-18T03:30:00Z', '2027-04-12T03:30:00Z']],
    ['America/New_York', '2027-11-06T12:00:00Z', ['2027-11-07T13:00:00Z', '2027-11-11T13:00:00Z', '2027-12-06T13:00:00Z']],
    // Back by half an hour on 2027-04-04, and forward on 2027-10-03.
    ['Australia/Lord_Howe', '2027-04-03T00:00:00Z', ['2027-04-04T00:30:00Z', '2027-04-08T00:30:00Z', '2027-05-03T00:30:00Z']],
    ['Australia/Lord_Howe', '2027-10-01T22:00:00Z', ['2027-10-02T21:30:00Z', '2027-10-06T21:30:00Z', '2027-10-31T21:30:00Z']],
  ])('in %s, sent at %s: the same time of day', async (timeZone, sentAt, [first = '', second = '', third = '']) => {
    const { caller, at, remind } = await seller({ timeZone, reminderDays: [30, 1, 5, 1] })
    const proposal = await at(sentAt, () => sendProposalTo(caller))
    expect(await queuedDays(proposal)).toEqual([1])
    expect(await remind(proposal, 1, justBefore(first))).toEqual([])
    expect(await remind(proposal, 1, first)).toEqual([1])
    expect(await remind(proposal, 5, justBefore(second))).toEqual([1])
    expect(await remind(proposal, 5, second)).toEqual([1, 5])
    await at(second, () => page.decline(proposal))
    expect(await remind(proposal, 30, third)).toEqual([1, 5])
    expect(new Set(await queuedDays(proposal))).toEqual(new Set([1, 5, 30]))
  })

  it.each([
    ['Europe/Berlin', '2027-10-31T22:59:59Z', 'October 31, 2027'],
    ['America/New_York', '2027-03-15T03:59:59Z', 'March 14, 2027'],
    ['Australia/Lord_Howe', '2027-04-04T13:29:59Z', 'April 4, 2027'],
  ])('in %s, a proposal expires at the end of the day of a clock change that its page names', async (timeZone, expiresAt, day) => {
    const { caller, call, at, remind } = await seller({ timeZone, reminderDays: [2, 365] })
    const proposal = await at('2027-03-01T00:00:00Z', () => sendProposalTo(caller, { expiresAt }))
    expect((await at(justBefore(expiresAt), () => page.get(proposal.url))).html).toContain(day)
    const expire = (now: Date) => expireProposalWork.run({ ...caller.ctx, now: () => now }, { proposalId: proposal.id.slice(4) })
    const statusOf = async () => (await call('GET', `/v1/proposals/${proposal.id}`)).body.status
    await expire(justBefore(expiresAt))
    expect(await statusOf()).toBe('pending')
    // The job of the expiry may run later than a reminder.
    expect(await remind(proposal, 2, expiresAt)).toEqual([])
    await expire(new Date(expiresAt))
    expect(await statusOf()).toBe('expired')
    expect(await remind(proposal, 365, '2028-03-01T00:00:00Z')).toEqual([])
  })

  it('can be none, and can change while a proposal is pending', async () => {
    const { caller, call, remind } = await seller({ reminderDays: [] })
    expect(await queuedDays(await sendProposalTo(caller))).toEqual([])
    await call('PATCH', '/v1/organization', { reminderDays: [2, 4] })
    const proposal = await sendProposalTo(caller)
    await call('PATCH', '/v1/organization', { reminderDays: [6] })
    const after = (days: number): Date => new Date(Date.now() + days * 86_400_000)
    expect(await remind(proposal, 2, after(2))).toEqual([])
    expect(await queuedDays(proposal)).toEqual([2, 6])
    expect(await remind(proposal, 6, after(6))).toEqual([6])
  })

  it('are 3, 7 and 14 by default, and at most 5 from 1 to 365', async () => {
    const { call } = await seller({})
    expect((await call('GET', '/v1/organization')).body).toMatchObject({ reminderDays: [3, 7, 14], replyTo: null })
    for (const reminderDays of [[0], [366], [1.5], [1, 2, 3, 4, 5, 6], null]) {
      expect([reminderDays, (await call('PATCH', '/v1/organization', { reminderDays })).status]).toEqual([reminderDays, 422])
    }
    expect((await call('PATCH', '/v1/organization', { reminderDays: [9, 2, 9] })).body.reminderDays).toEqual([2, 9])
  })
})

describe('replies to messages about a proposal', () => {
  const replyToOf = async (proposal: Sent): Promise<(string | null)[]> => {
    const { rows } = await database.pool.query<{ reply_to: string | null }>(
      'select reply_to from mail where proposal_id = $1 order by created_at, id',
      [proposal.id.slice(4)],
    )
    return rows.map(({ reply_to }) => reply_to)
  }

  it('go to the member who sent it, and to the address of the organization when the member has left', async () => {
    const { caller, call, remind, organizationId } = await seller({ reminderDays: [1], replyTo: 'Desk@example.com' })
    const member = await person(service, { [organizationId]: 'member' })
    const proposal = await sendProposalTo({ ...caller, call: member.of(organizationId) })
    expect(await replyToOf(proposal)).toEqual([member.email])
    const { data } = (await call('GET', '/v1/members')).body
    await call('DELETE', `/v1/members/${data[0].id}`)
    await remind(proposal, 1, new Date(Date.now() + 86_400_000))
    expect(await replyToOf(proposal)).toEqual([member.email, 'desk@example.com'])
  })

  it('of an API token go to the address of the organization, if it has one', async () => {
    const { caller, call } = await seller({})
    const owner = await person(service, { [caller.organizationId]: 'owner' })
    expect(await replyToOf(await sendProposalTo(caller))).toEqual([null])
    await call('PATCH', '/v1/organization', { replyTo: 'desk@example.com' })
    const draft = await sendProposalTo(caller, { draft: true })
    await owner.of(caller.organizationId)('POST', `/v1/proposals/${draft.id}/send`)
    expect(await replyToOf(draft)).toEqual([owner.email])
    const proposal = await sendProposalTo(caller)
    await page.decline(proposal)
    // The queued message is withdrawn, and the message to the owner has no address for replies.
    expect(await replyToOf(proposal)).toEqual(['desk@example.com', null])
  })
})
