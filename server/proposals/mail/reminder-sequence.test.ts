import { expect, it } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { pageClient, proposeTo } from '../../testing/proposal-page.ts'
import { remindProposalWork } from './reminders.ts'

let time = new Date()
const { app, organization, database } = await testApp({ now: () => time })
const page = pageClient(app)
const charles = { role: 'signer', name: 'Charles Babbage', email: 'charles@example.com' }
const hour = 3_600_000

/** Moments of a case, in order: each signer is reminded on days 3 and 7, and the second one on day 10 after a change of the settings. */
interface Case {
  readonly timeZone: string
  readonly sentAt: string
  readonly first: readonly [day3: string, day7: string]
  readonly signedAt: string
  readonly second: readonly [day3: string, day7: string, day10: string]
}

const cases: readonly Case[] = [
  {
    timeZone: 'Europe/Berlin, forward on 2027-03-28',
    sentAt: '2027-03-22T09:30:00.000Z',
    first: ['2027-03-25T09:30:00.000Z', '2027-03-29T08:30:00.000Z'],
    signedAt: '2027-03-29T20:00:00.000Z',
    second: ['2027-04-01T20:00:00.000Z', '2027-04-05T20:00:00.000Z', '2027-04-08T20:00:00.000Z'],
  },
  {
    timeZone: 'Europe/Berlin, back on 2027-10-31',
    sentAt: '2027-10-20T22:15:00.000Z',
    first: ['2027-10-23T22:15:00.000Z', '2027-10-27T22:15:00.000Z'],
    signedAt: '2027-10-29T07:00:00.000Z',
    second: ['2027-11-01T08:00:00.000Z', '2027-11-05T08:00:00.000Z', '2027-11-08T08:00:00.000Z'],
  },
  {
    timeZone: 'America/New_York, forward on 2027-03-14',
    sentAt: '2027-03-10T04:30:00.000Z',
    first: ['2027-03-13T04:30:00.000Z', '2027-03-17T03:30:00.000Z'],
    signedAt: '2027-03-17T15:00:00.000Z',
    second: ['2027-03-20T15:00:00.000Z', '2027-03-24T15:00:00.000Z', '2027-03-27T15:00:00.000Z'],
  },
  {
    timeZone: 'America/New_York, back on 2027-11-07',
    sentAt: '2027-10-28T12:00:00.000Z',
    first: ['2027-10-31T12:00:00.000Z', '2027-11-04T12:00:00.000Z'],
    signedAt: '2027-11-05T12:00:00.000Z',
    second: ['2027-11-08T13:00:00.000Z', '2027-11-12T13:00:00.000Z', '2027-11-15T13:00:00.000Z'],
  },
  {
    timeZone: 'Australia/Lord_Howe, back by half an hour on 2027-04-04',
    sentAt: '2027-03-30T00:00:00.000Z',
    first: ['2027-04-02T00:00:00.000Z', '2027-04-06T00:30:00.000Z'],
    signedAt: '2027-04-06T03:00:00.000Z',
    second: ['2027-04-09T03:00:00.000Z', '2027-04-13T03:00:00.000Z', '2027-04-16T03:00:00.000Z'],
  },
  {
    timeZone: 'Australia/Lord_Howe, forward by half an hour on 2027-10-03',
    sentAt: '2027-09-22T22:00:00.000Z',
    first: ['2027-09-25T22:00:00.000Z', '2027-09-29T22:00:00.000Z'],
    signedAt: '2027-10-01T22:00:00.000Z',
    second: ['2027-10-04T21:30:00.000Z', '2027-10-08T21:30:00.000Z', '2027-10-11T21:30:00.000Z'],
  },
]

it.each(cases)('reminds the signer whose turn it is, once a day, in $timeZone', async ({ timeZone, sentAt, first, signedAt, second }) => {
  const caller = await organization()
  const zone = timeZone.split(',', 1)[0]
  expect((await caller.call('PATCH', '/v1/organization', { timeZone: zone })).body.reminderDays).toEqual([3, 7, 14])
  time = new Date(sentAt)
  const sent = await proposeTo(caller, { recipients: [charles], signingOrder: 'sequential' })
  const proposalId = sent.id.slice(4)
  const change = async (reminderDays: number[]) => {
    expect((await caller.call('PATCH', '/v1/organization', { reminderDays })).status).toBe(200)
  }
  const sign = async (signer: number) => {
    expect((await page.accept({ ...sent, url: sent.recipients[signer].url })).status).toBe(303)
  }
  const after = (moment: string, hours: number): Date => new Date(Date.parse(moment) + hours * hour)
  const actions = new Map<number, () => Promise<void>>([
    [Date.parse(signedAt), () => sign(0)],
    // Pending proposals follow added days from their next reminder on.
    [after(second[0], 24).getTime(), () => change([7, 10, 14])],
    [after(second[2], 24).getTime(), () => sign(1)],
  ])
  /** Runs the queued reminders twice, as after a kill, and returns the new ones. */
  const run = async () => {
    const { rows } = await database.pool.query<{ data: Parameters<typeof remindProposalWork.run>[1] }>(
      `delete from pgboss.job where data ->> 'handler' = $1 and data ->> 'proposalId' = $2 returning data`,
      [remindProposalWork.name, proposalId],
    )
    const jobs = new Map(rows.map(({ data }) => [JSON.stringify(data), data]))
    const twice = [...jobs.values()].flatMap((job) => [job, job])
    for (const job of twice) await remindProposalWork.run({ ...caller.ctx, now: () => time }, job)
    const { rows: mails } = await database.pool.query<{ recipient: string; occurrence: number }>(
      `update mail set state = 'sent' where kind = 'reminder' and state = 'queued' and proposal_id = $1 returning recipient, occurrence`,
      [proposalId],
    )
    return mails.map(({ recipient, occurrence }) => `${time.toISOString()} ${recipient} ${occurrence}`)
  }

  const due = [...first, ...second].flatMap((moment) => [Date.parse(moment) - 1000, Date.parse(moment)])
  const regular = Array.from({ length: 4 * 40 }, (_, index) => Date.parse(sentAt) + index * 6 * hour)
  const reminders: string[] = []
  for (const moment of [...new Set([...due, ...regular, ...actions.keys()])].toSorted((a, b) => a - b)) {
    time = new Date(moment)
    await actions.get(moment)?.()
    reminders.push(...(await run()))
  }
  expect(reminders).toEqual([
    `${first[0]} ada@example.com 3`,
    `${first[1]} ada@example.com 7`,
    `${second[0]} charles@example.com 3`,
    `${second[1]} charles@example.com 7`,
    `${second[2]} charles@example.com 10`,
  ])
  expect((await caller.call('GET', `/v1/proposals/${sent.id}`)).body.status).toBe('completed')
  const { rows: left } = await database.pool.query(
    `select 1 from pgboss.job where data ->> 'handler' = $1 and data ->> 'proposalId' = $2`,
    [remindProposalWork.name, proposalId],
  )
  expect(left).toEqual([])
})
