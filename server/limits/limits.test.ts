import { describe, expect, it } from 'vitest'
import { newId } from '../lib/ids.ts'
import { testApp } from '../testing/app.ts'
import { claimRequests } from './claim.ts'
import { createLimits, type Admission, type Limits, type LimitsOptions } from './limits.ts'

const { database, organization } = await testApp()
const noon = new Date('2026-05-25T12:00:00Z').getTime()

/** Creates the limits of one process on the shared database, with a clock that the test controls. */
function limitsOf(options: Partial<LimitsOptions> = {}) {
  const clock = { ms: noon }
  const errors: Error[] = []
  const all: LimitsOptions = {
    perToken: 0,
    perOrganization: 0,
    now: () => new Date(clock.ms),
    onError: (error) => errors.push(error),
    ...options,
  }
  return { ...createLimits(database, all), clock, errors }
}

const organizationId = async (): Promise<string> => (await organization()).organizationId

async function taken(limits: Limits, of: string, tokenId: string, times: number): Promise<Admission[]> {
  return Promise.all(Array.from({ length: times }, async () => limits.take(of, tokenId)))
}

const admitted = (admissions: Admission[]): number => admissions.filter(({ refusedBy }) => refusedBy === null).length

describe('limits of several processes', () => {
  it.each([1, 7, 50, 1000])('admit exactly a quota of %i in total', async (quota) => {
    const [of, tokenId] = [await organizationId(), newId()]
    const processes = [limitsOf({ perToken: quota }), limitsOf({ perToken: quota }), limitsOf({ perToken: quota })]
    const admissions = await Promise.all(processes.map((limits) => taken(limits, of, tokenId, quota)))
    expect(admitted(admissions.flat())).toBe(quota)
    for (const { refusedBy } of admissions.flat()) expect([null, 'token']).toContain(refusedBy)
  })

  it('leave unused quota to the others, except for about as much as was served', async () => {
    const [of, tokenId] = [await organizationId(), newId()]
    const [idle, busy] = [limitsOf({ perToken: 1000 }), limitsOf({ perToken: 1000 })]
    await taken(idle, of, tokenId, 1)
    const served = admitted(await taken(busy, of, tokenId, 1000))
    expect(served).toBeGreaterThanOrEqual(1000 - 16)
    expect(served).toBeLessThan(1000)
  })

  it('grant no more than the remaining quota after a stale read', async () => {
    const [of, tokenId] = [await organizationId(), newId()]
    const [late, busy] = [limitsOf({ perToken: 1000 }), limitsOf({ perToken: 1000 })]
    const first = admitted(await taken(late, of, tokenId, 1))
    const most = admitted(await taken(busy, of, tokenId, 981))
    expect(first + most + admitted(await taken(late, of, tokenId, 100)) + admitted(await taken(busy, of, tokenId, 100))).toBe(1000)
  })

  it('claim leases that never exceed the quota in total', async () => {
    const claim = { organizationId: await organizationId(), subjectId: newId(), startsAt: new Date(noon), requests: 8, quota: 10 }
    expect(await claimRequests(database, claim)).toEqual({ granted: 8, unclaimed: 2 })
    expect(await claimRequests(database, claim)).toEqual({ granted: 2, unclaimed: 0 })
    expect(await claimRequests(database, claim)).toEqual({ granted: 0, unclaimed: 0 })
    const other = { ...claim, subjectId: newId(), quota: 50 }
    const claims = await Promise.all(Array.from({ length: 20 }, () => claimRequests(database, other)))
    expect(claims.reduce((sum, { granted }) => sum + granted, 0)).toBe(50)
  })

  it('start every window at zero, even with a pending claim at the end of a window', async () => {
    const [of, tokenId] = [await organizationId(), newId()]
    const [one, other] = [limitsOf({ perToken: 20 }), limitsOf({ perToken: 20 })]
    const crossing = taken(one, of, tokenId, 40)
    one.clock.ms += 60_000
    expect(admitted(await crossing)).toBe(20)
    one.clock.ms += 60_000
    other.clock.ms = one.clock.ms
    const admissions = await Promise.all([one, other].map((limits) => taken(limits, of, tokenId, 30)))
    expect(admitted(admissions.flat())).toBe(20)
  })
})

describe('limits', () => {
  it('of a token do not affect other tokens and count only admitted requests against the organization', async () => {
    const [of, loud, quiet] = [await organizationId(), newId(), newId()]
    const limits = limitsOf({ perToken: 30, perOrganization: 50 })
    const first = await taken(limits, of, loud, 300)
    expect(admitted(first)).toBe(30)
    expect(new Set(first.map(({ refusedBy }) => refusedBy))).toEqual(new Set([null, 'token']))
    const second = await taken(limits, of, quiet, 30)
    expect(admitted(second)).toBe(20)
    expect(second.at(-1)?.refusedBy).toBe('organization')
    // A request refused by the organization's limit does not count against the token's.
    expect(second.at(-1)?.state).toMatch(/^"token";r=10;t=60, "organization";r=0;t=60$/)
    expect(admitted(await taken(limits, await organizationId(), newId(), 30))).toBe(30)
  })

  it('report the remaining requests and the reset time', async () => {
    const [of, tokenId] = [await organizationId(), newId()]
    const limits = limitsOf({ perToken: 1000, perOrganization: 2000 })
    expect(limits.policy).toBe('"token";q=1000;w=60, "organization";q=2000;w=60')
    limits.clock.ms += 17_400
    expect(await limits.take(of, tokenId)).toEqual({
      refusedBy: null,
      resetSeconds: 43,
      state: '"token";r=999;t=43, "organization";r=1999;t=43',
    })
    await taken(limits, of, tokenId, 98)
    expect(await limits.take(of, newId())).toMatchObject({ state: '"token";r=999;t=43, "organization";r=1900;t=43' })
    limits.clock.ms = noon + 59_999
    expect(await limits.take(of, tokenId)).toMatchObject({ resetSeconds: 1 })
    limits.clock.ms = noon + 60_000
    expect(await limits.take(of, tokenId)).toMatchObject({ state: '"token";r=999;t=60, "organization";r=1999;t=60' })
  })

  it('that are disabled are neither counted nor reported', async () => {
    const [of, tokenId] = [await organizationId(), newId()]
    expect(limitsOf().policy).toBeNull()
    const tokens = limitsOf({ perToken: 5 })
    expect([tokens.policy, (await tokens.take(of, tokenId)).state]).toEqual(['"token";q=5;w=60', '"token";r=4;t=60'])
    const organizations = limitsOf({ perOrganization: 5 })
    expect(organizations.policy).toBe('"organization";q=5;w=60')
    expect((await organizations.take(of, tokenId)).state).toBe('"organization";r=4;t=60')
  })

  it('query the database neither within a lease nor after the quota is used up', async () => {
    const [of, tokenId] = [await organizationId(), newId()]
    let queries = 0
    database.pool.on('acquire', () => (queries += 1))
    const limits = limitsOf({ perToken: 10_000 })
    for (let n = 0; n < 10_000; n += 1) await limits.take(of, tokenId)
    // Leases of 16, 32, 64 … 1,000, then tenths of the remaining quota.
    expect(queries).toBeLessThan(100)
    expect((await limits.take(of, tokenId)).refusedBy).toBe('token')
    queries = 0
    for (let n = 0; n < 1000; n += 1) expect(limits.take(of, tokenId)).not.toBeInstanceOf(Promise)
    expect(queries).toBe(0)
    limits.clock.ms += 60_000
    expect((await limits.take(of, tokenId)).refusedBy).toBeNull()
  })

  it('admit requests and log an error while the database is unavailable', async () => {
    const [of, tokenId] = [await organizationId(), newId()]
    const reachable = { ...database }
    const limits = limitsOf({ perToken: 5 })
    database.select = () => Promise.reject(new Error('connection lost'))
    try {
      expect(admitted(await taken(limits, of, tokenId, 20))).toBe(20)
    } finally {
      Object.assign(database, reachable)
    }
    expect(limits.errors[0]?.message).toBe('connection lost')
    expect(admitted(await taken(limits, of, tokenId, 20))).toBe(5)
  })

  it('delete expired windows', async () => {
    const of = await organizationId()
    const limits = limitsOf({ perToken: 100, perOrganization: 100 })
    for (let minute = 0; minute < 6; minute += 1) {
      await taken(limits, of, newId(), 2)
      limits.clock.ms += 60_000
    }
    const { rows } = await database.pool.query('select distinct starts_at from rate_window where organization_id = $1 order by 1', [of])
    expect(rows.map(({ starts_at }) => (starts_at.getTime() - noon) / 60_000)).toEqual([3, 4, 5])
  })
})
