import { describe, expect, it, vi } from 'vitest'
import { newId } from '../lib/ids.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { testApp, type Called, type Caller } from '../testing/app.ts'
import { endDelays, jobName } from '../testing/delayed-jobs.ts'
import { expireProposalWork } from './expiry.ts'

let time: Date | undefined
const { database, organization } = await testApp({
  now: () => time ?? new Date(),
  worker: { outbound: createOutbound({ allowHosts: [], userAgent: 'test' }) },
})

const name = expireProposalWork.name
const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString()
const hour = 3_600_000

async function withContact(): Promise<Caller & { propose: (fields: object) => Promise<Called['body']> }> {
  const caller = await organization()
  const { body } = await caller.call('POST', '/v1/contacts', { email: 'ada@example.com' })
  const offer = { title: 'T', contactId: body.id, totalAmount: '5' }
  return { ...caller, propose: async (fields) => (await caller.call('POST', '/v1/proposals', { ...offer, ...fields })).body }
}

/** Returns the times at which the proposal's jobs are due. */
async function dueTimes(proposal: { id: string }): Promise<Date[]> {
  const { rows } = await database.pool.query<{ start_after: Date }>(
    `select start_after from pgboss.job where ${jobName} = $1 and data ->> 'proposalId' = $2 and state < 'active'`,
    [name, proposal.id.slice(4)],
  )
  return rows.map((row) => row.start_after)
}

/** Runs every waiting job with the program's clock `ms` milliseconds ahead. */
async function after(ms: number): Promise<void> {
  time = new Date(Date.now() + ms)
  await endDelays(database, name)
  time = undefined
}

/** Fields that the email changes meanwhile. */
const mailed = {
  delivery: expect.anything(),
  deliveredAt: expect.toSatisfy(() => true),
  recipients: expect.any(Array),
  updatedAt: expect.any(String),
}

describe('a proposal whose expiresAt passes', () => {
  it('expires', async () => {
    const { call, propose } = await withContact()
    const { id, updatedAt } = await propose({ expiresAt: inMs(1200) })
    const expired = await vi.waitUntil(
      async () => {
        const { body } = await call('GET', `/v1/proposals/${id}`)
        return body.status !== 'pending' && body
      },
      { timeout: 120_000 },
    )
    expect(expired).toMatchObject({ status: 'expired', allowedTransitions: [], voidedAt: null, number: 'P-1001' })
    expect(expired.updatedAt >= expired.expiresAt && expired.updatedAt > updatedAt).toBe(true)
    expect((await call('POST', `/v1/proposals/${id}/void`, { reason: 'x' })).status).toBe(409)
  })

  it('expires after it is sent, but not as a draft', async () => {
    const { call, propose } = await withContact()
    const [kept, sent] = [await propose({ draft: true, expiresAt: inMs(hour) }), await propose({ draft: true })]
    await call('PATCH', `/v1/proposals/${sent.id}`, { expiresAt: inMs(hour) })
    expect([await dueTimes(kept), await dueTimes(sent)]).toEqual([[], []])
    const { body } = await call('POST', `/v1/proposals/${sent.id}/send`)
    const [due] = await dueTimes(sent)
    expect(Math.abs((due?.getTime() ?? 0) - Date.parse(body.expiresAt))).toBeLessThan(10_000)
    await after(hour + 1000)
    expect((await call('GET', `/v1/proposals/${sent.id}`)).body.status).toBe('expired')
    expect((await call('GET', `/v1/proposals/${kept.id}`)).body).toEqual(kept)
  })

  it('has no job without expiresAt or after a failed creation', async () => {
    const { call, propose } = await withContact()
    expect(await dueTimes(await propose({}))).toEqual([])
    const { contactId } = await propose({ externalId: 'taken' })
    const count = async () => (await database.pool.query(`select count(*) as n from pgboss.job where ${jobName} = $1`, [name])).rows[0].n
    const before = await count()
    const again = { title: 'T', contactId, totalAmount: '5', externalId: 'taken', expiresAt: inMs(hour) }
    expect((await call('POST', '/v1/proposals', again)).status).toBe(409)
    expect(await count()).toBe(before)
  })

  it('accepts an expiresAt thousands of years ahead', async () => {
    const { propose } = await withContact()
    const proposal = await propose({ expiresAt: '9999-12-31T23:59:58Z' })
    expect(proposal).toMatchObject({ status: 'pending', expiresAt: '9999-12-31T23:59:58.000Z' })
    expect((await dueTimes(proposal)).map((due) => due.getUTCFullYear())).toEqual([9999])
    await database.pool.query(`delete from pgboss.job where data ->> 'proposalId' = $1`, [proposal.id.slice(4)])
  })
})

describe('its job', () => {
  it('queues itself again when it runs too early', async () => {
    const { call, propose } = await withContact()
    const proposal = await propose({ expiresAt: inMs(hour) })
    await after(hour / 2)
    expect((await call('GET', `/v1/proposals/${proposal.id}`)).body).toEqual({ ...proposal, ...mailed })
    const due = await dueTimes(proposal)
    expect(due).toHaveLength(1)
    expect((due[0]?.getTime() ?? 0) - Date.now()).toBeGreaterThan(hour / 3)
    await after(hour + 1000)
    expect((await call('GET', `/v1/proposals/${proposal.id}`)).body.status).toBe('expired')
  })

  it('leaves voided, completed and rejected proposals unchanged', async () => {
    const { call, propose } = await withContact()
    const voided = await propose({ expiresAt: inMs(hour) })
    time = new Date(Date.now() + 2 * hour)
    const { status, body } = await call('POST', `/v1/proposals/${voided.id}/void`, { reason: 'x' })
    expect(status).toBe(200)
    const before = [body]
    for (const state of ['completed', 'rejected']) {
      const { id } = await propose({ expiresAt: inMs(3 * hour) })
      await database.pool.query('update proposal set status = $1 where id = $2', [state, id.slice(4)])
      before.push((await call('GET', `/v1/proposals/${id}`)).body)
    }
    await after(4 * hour)
    for (const proposal of before) {
      expect((await call('GET', `/v1/proposals/${proposal.id}`)).body).toEqual({ ...proposal, ...mailed })
    }
  })

  it('has the same effect when it runs twice or concurrently, and none for another organization', async () => {
    const { call, propose, ctx } = await withContact()
    const { ctx: stranger } = await organization()
    const proposal = await propose({ expiresAt: inMs(hour) })
    const data = { proposalId: proposal.id.slice(4) }
    const at = (ms: number) => ({ ...ctx, now: () => new Date(Date.now() + ms) })
    await expireProposalWork.run({ ...stranger, now: at(2 * hour).now }, data)
    expect((await call('GET', `/v1/proposals/${proposal.id}`)).body.status).toBe('pending')
    await Promise.all([1, 2, 3].map(() => expireProposalWork.run(at(2 * hour), data)))
    const { body } = await call('GET', `/v1/proposals/${proposal.id}`)
    expect(body.status).toBe('expired')
    await expireProposalWork.run(at(3 * hour), data)
    await expireProposalWork.run(at(3 * hour), { proposalId: newId() })
    expect((await call('GET', `/v1/proposals/${proposal.id}`)).body).toEqual(body)
  })

  it('does not expire a proposal that is voided at the same time', async () => {
    const { call, propose, ctx } = await withContact()
    const late = { ...ctx, now: () => new Date(Date.now() + 2 * hour) }
    for (let round = 0; round < 5; round += 1) {
      const { id } = await propose({ expiresAt: inMs(hour) })
      const [voided] = await Promise.all([
        call('POST', `/v1/proposals/${id}/void`, { reason: 'x' }),
        expireProposalWork.run(late, { proposalId: id.slice(4) }),
      ])
      const { body } = await call('GET', `/v1/proposals/${id}`)
      expect([
        [200, 'voided'],
        [409, 'expired'],
      ]).toContainEqual([voided.status, body.status])
    }
  })
})
