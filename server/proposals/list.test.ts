import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { testApp } from '../testing/app.ts'
import { proposeTo } from '../testing/proposal-page.ts'

let time = new Date('2026-01-01T00:00:00Z')
const { organization, database } = await testApp({ now: () => time })

interface Listed {
  title: string
  status: string
  currency: string
  totalAmount: string
  createdAt: string
  sentAt: string | null
  expiresAt: string | null
  completedAt: string | null
}

const statuses = ['draft', 'pending', 'voided', 'completed']
const currencies = ['EUR', 'USD']
const sorts = ['-createdAt', 'createdAt', '-sentAt', 'sentAt', '-expiresAt', 'expiresAt', '-totalAmount', 'totalAmount']

/** An organization with 36 proposals that differ in all fields of the filters, and equal values in between. */
async function withProposals() {
  const caller = await organization()
  const { call } = caller
  const contacts: string[] = []
  for (const email of ['ada@example.com', 'grace@example.com']) contacts.push((await call('POST', '/v1/contacts', { email })).body.id)
  for (let index = 0; index < 36; index++) {
    time = new Date(Date.UTC(2026, 0, 1 + Math.floor(index / 3)))
    const status = statuses[index % 3]
    const { body } = await call('POST', '/v1/proposals', {
      title: `Offer ${index % 5} ${index % 2 === 0 ? 'Fähre' : '100%_off'}`,
      message: index % 4 === 0 ? 'With a Lighthouse' : undefined,
      contactId: contacts[index % 2],
      currency: currencies[index % 2],
      totalAmount: String((index % 7) * 100),
      expiresAt: index % 5 === 0 ? undefined : new Date(Date.UTC(2030, index % 4, 1)).toISOString(),
      draft: status === 'draft',
    })
    if (status === 'voided') await call('POST', `/v1/proposals/${body.id}/void`, { reason: 'x' })
  }
  await database.pool.query(
    `update proposal set status = 'completed', completed_at = created_at + interval '1 day'
     where organization_id = $1 and status = 'pending' and extract(day from created_at)::integer % 2 = 0`,
    [caller.organizationId],
  )
  const all: (Listed & { id: string; contactId: string; number: string | null; message: string | null })[] = (
    await call('GET', '/v1/proposals?limit=100')
  ).body.data
  return { call, all, contacts }
}

const { call, all, contacts } = await withProposals()

const queryOf = (query: object): string =>
  new URLSearchParams(Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)).toString()

async function listed(query: object, limit = 7): Promise<typeof all> {
  const found: typeof all = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { status, body } = await call('GET', `/v1/proposals?${queryOf({ ...query, limit: String(limit), cursor })}`)
    expect([status, body.error]).toEqual([200, undefined])
    found.push(...body.data)
    cursor = body.nextCursor
  }
  return found
}

function grouped(proposals: readonly Listed[]): Map<string, Listed[]> {
  const groups = new Map<string, Listed[]>()
  for (const proposal of proposals) {
    const key = `${proposal.status} ${proposal.currency}`
    groups.set(key, [...(groups.get(key) ?? []), proposal])
  }
  return groups
}

const valueOf = (proposal: Listed, name: string): number => {
  if (name === 'totalAmount') return Number(proposal.totalAmount)
  const at = name === 'createdAt' ? proposal.createdAt : name === 'sentAt' ? proposal.sentAt : proposal.expiresAt
  return at === null ? Infinity : Date.parse(at)
}

describe('the order', () => {
  it.each(sorts)('%s returns every proposal once, over pages of any size', async (sort) => {
    const name = sort.replace('-', '')
    const sign = sort.startsWith('-') ? -1 : 1
    const expected = all.toSorted((a, b) => {
      const [left, right] = [valueOf(a, name), valueOf(b, name)]
      return sign * (left === right ? (a.id < b.id ? -1 : 1) : left < right ? -1 : 1)
    })
    for (const q of [undefined, 'offer']) {
      for (const limit of [5, 100]) expect((await listed({ sort, q }, limit)).map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
    }
  })

  it('refuses a cursor of another order, and a changed one', async () => {
    const { nextCursor } = (await call('GET', '/v1/proposals?limit=1&sort=totalAmount')).body
    const changed = Buffer.from(Buffer.from(nextCursor, 'base64url').toString().replace(/"\d+"/, `"1' or true"`)).toString('base64url')
    for (const query of [`sort=-totalAmount&cursor=${nextCursor}`, `cursor=${nextCursor}`, `sort=totalAmount&cursor=${changed}`]) {
      expect(await call('GET', `/v1/proposals?${query}`)).toMatchObject({ status: 400, body: { error: { field: 'cursor' } } })
    }
  })
})

it('finds a title by its own text, in letters whose lower case depends on the language or the place', async () => {
  const caller = await organization()
  for (const title of ['İstanbul gezi', 'ΟΔΟΣ']) {
    const { id } = await proposeTo(caller, { title })
    const { body } = await caller.call('GET', `/v1/proposals?q=${encodeURIComponent(title)}`)
    expect(body.data.map((found: { id: string }) => found.id)).toEqual([id])
  }
})

describe('the filters', () => {
  const day = (date: number): string => new Date(Date.UTC(2026, 0, date)).toISOString()
  const maybe = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined })
  const filters = fc.record({
    status: maybe(statuses),
    currency: maybe(currencies),
    contactId: maybe(contacts),
    q: maybe(['offer 3', 'LIGHTHOUSE', 'fähre', '100%_', 'p-10', 'nothing like it', '%', 'a']),
    createdAfter: maybe([day(3), day(8)]),
    createdBefore: maybe([day(4), day(10)]),
    sentAfter: maybe([day(3), day(8)]),
    sentBefore: maybe([day(4), day(10)]),
    completedAfter: maybe([day(3), day(8)]),
    completedBefore: maybe([day(4), day(10)]),
    minTotal: maybe(['100', '300.00']),
    maxTotal: maybe(['200.5', '500']),
  })

  const meets = (proposal: (typeof all)[number], filter: Partial<Record<string, string>>): boolean => {
    const text = `${proposal.number ?? ''} ${proposal.title} ${proposal.message ?? ''}`.toLowerCase()
    const { sentAt, completedAt } = proposal
    const total = Number(proposal.totalAmount)
    return [
      filter['status'] === undefined || filter['status'] === proposal.status,
      filter['currency'] === undefined || filter['currency'] === proposal.currency,
      filter['contactId'] === undefined || filter['contactId'] === proposal.contactId,
      filter['q'] === undefined || text.includes(filter['q'].toLowerCase()),
      filter['createdAfter'] === undefined || proposal.createdAt >= filter['createdAfter'],
      filter['createdBefore'] === undefined || proposal.createdAt < filter['createdBefore'],
      filter['sentAfter'] === undefined || (sentAt !== null && sentAt >= filter['sentAfter']),
      filter['sentBefore'] === undefined || (sentAt !== null && sentAt < filter['sentBefore']),
      filter['completedAfter'] === undefined || (completedAt !== null && completedAt >= filter['completedAfter']),
      filter['completedBefore'] === undefined || (completedAt !== null && completedAt < filter['completedBefore']),
      filter['minTotal'] === undefined || total >= Number(filter['minTotal']),
      filter['maxTotal'] === undefined || total <= Number(filter['maxTotal']),
    ].every(Boolean)
  }

  it('and the totals select the same proposals with and without a text, in any combination', async () => {
    const check = async (filter: Partial<Record<string, string>>): Promise<void> => {
      const expected = all.filter((proposal) => meets(proposal, filter))
      expect(await listed(filter, 100)).toEqual(expected)
      const { body } = await call('GET', `/v1/proposals/totals?${queryOf(filter)}`)
      const groups = grouped(expected)
      expect(body.data).toEqual(
        [...groups.values()]
          .map(([first, ...others]) => ({
            status: first?.status,
            currency: first?.currency,
            count: 1 + others.length,
            totalAmount: [first, ...others].reduce((sum, proposal) => sum + Number(proposal?.totalAmount), 0).toFixed(2),
          }))
          .toSorted((a, b) => (`${a.status} ${a.currency}` < `${b.status} ${b.currency}` ? -1 : 1)),
      )
    }
    await fc.assert(fc.asyncProperty(filters, check), { numRuns: 120 })
  })

  it.each(sorts)('return full pages of accepted proposals with a text in the order %s', async (sort) => {
    const accepted = { completedAfter: day(3), completedBefore: day(10), q: 'offer', sort }
    const complete = await listed(accepted, 100)
    expect(complete.map(({ id }) => id).toSorted()).toEqual(
      all
        .filter((proposal) => meets(proposal, accepted))
        .map(({ id }) => id)
        .toSorted(),
    )
    expect(complete.length).toBeGreaterThan(3)
    expect(await listed(accepted, 2)).toEqual(complete)
    const page = (await call('GET', `/v1/proposals?${queryOf({ ...accepted, limit: '2' })}`)).body
    expect(page).toEqual({ data: complete.slice(0, 2), nextCursor: expect.any(String) })
  })

  it('find nothing in another organization', async () => {
    const stranger = await organization()
    for (const query of ['', '?q=offer', `?contactId=${contacts[0]}`, `?q=offer&contactId=${contacts[0]}`]) {
      expect((await stranger.call('GET', `/v1/proposals${query}`)).body).toEqual({ data: [], nextCursor: null })
      expect((await stranger.call('GET', `/v1/proposals/totals${query}`)).body).toEqual({ data: [] })
    }
  })

  it.each(['sort=asc', 'minTotal=x', 'currency=XXX1', 'createdAfter=yesterday'])('refuse %s with 400', async (query) => {
    expect((await call('GET', `/v1/proposals?${query}`)).status).toBe(400)
  })
})
