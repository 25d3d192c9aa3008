import { describe, expect, it } from 'vitest'
import { testApp, type Caller } from '../testing/app.ts'
import { person } from '../testing/people.ts'
import { eventRetention } from './retention.ts'

const dayMs = 86_400_000
let daysAgo = 0
const service = await testApp({ now: () => new Date(Date.now() - daysAgo * dayMs) })
const { database, organization } = service

interface Entry {
  id: string
  type: string
  data: Record<string, unknown>
  actor: { type: string; name: string | null } | null
}

async function timelineOf({ call }: Pick<Caller, 'call'>, contactId: string, query = ''): Promise<{ data: Entry[]; nextCursor: string }> {
  const { status, body } = await call('GET', `/v1/contacts/${contactId}/timeline${query}`)
  expect(status).toBe(200)
  return body
}

/** Creates a contact with an activity and a proposal, 100 days ago. */
async function longAgo(caller: Caller): Promise<{ contactId: string; activityId: string; proposalId: string }> {
  daysAgo = 100
  const contactId = (await caller.call('POST', '/v1/contacts', { email: 'ada@example.com', lastName: 'Lovelace' })).body.id
  const call = { type: 'call', text: 'Asked for six bikes.' }
  const activityId = (await caller.call('POST', `/v1/contacts/${contactId}/activities`, call)).body.id
  const proposal = { title: 'Six bikes', contactId, totalAmount: '5', message: 'With helmets.', draft: true }
  const proposalId = (await caller.call('POST', '/v1/proposals', proposal)).body.id
  daysAgo = 0
  return { contactId, activityId, proposalId }
}

const expire = (caller: Caller) => eventRetention.work.run(caller.ctx, {})
const rowsOf = async ({ organizationId }: Caller) =>
  (await database.pool.query('select * from timeline_entry where organization_id = $1', [organizationId])).rows

describe('the timeline', () => {
  it('outlives the event log, with authors and without former content', async () => {
    const caller = await organization()
    const { contactId, activityId, proposalId } = await longAgo(caller)
    const before = (await timelineOf(caller, contactId)).data
    expect(before.map(({ type, actor }) => [type, actor?.type])).toEqual([
      ['proposal.created', 'token'],
      ['activity.created', 'token'],
      ['contact.created', 'token'],
    ])
    expect(before.every(({ actor }) => typeof actor?.name === 'string')).toBe(true)
    await expire(caller)
    await expire(caller)
    expect((await caller.call('GET', '/v1/events?type=contact.created')).body.data).toEqual([])
    await caller.call('PATCH', `/v1/contacts/${contactId}`, { lastName: 'King' })
    const { data } = await timelineOf(caller, contactId)
    expect(data.map(({ id }) => id).slice(1)).toEqual(before.map(({ id }) => id))
    expect(data.slice(1).map(({ actor }) => actor)).toEqual(before.map(({ actor }) => actor))
    expect(data[1]?.data).toMatchObject({ id: proposalId, title: 'Six bikes', status: 'draft', totalAmount: '5.00', message: null })
    expect(data[2]?.data).toMatchObject({ id: activityId, type: 'call', text: null })
    expect(data[3]?.data).toMatchObject({ id: contactId, lastName: null, email: null })
    const paged: Entry[] = []
    for (let cursor = ''; ;) {
      const page = await timelineOf(caller, contactId, `?limit=1${cursor}`)
      paged.push(...page.data)
      if (page.nextCursor === null) break
      cursor = `&cursor=${page.nextCursor}`
    }
    expect(paged).toEqual(data)
  })

  it('names a member, and a recipient who opened a proposal', async () => {
    const caller = await organization()
    const { of } = await person(service, { [caller.organizationId]: 'owner' })
    const call = of(caller.organizationId)
    const contactId = (await call('POST', '/v1/contacts', { email: 'ada@example.com' })).body.id
    const [entry] = (await timelineOf({ call }, contactId)).data
    expect(entry?.actor).toEqual({ type: 'user', id: expect.stringMatching(/^usr_/), name: expect.any(String) })
  })

  it('hides the title of a deleted proposal', async () => {
    const caller = await organization()
    const { contactId, proposalId } = await longAgo(caller)
    await expire(caller)
    await caller.call('DELETE', `/v1/proposals/${proposalId}`)
    expect(JSON.stringify(await timelineOf(caller, contactId))).not.toContain('Six bikes')
  })

  it('is kept for a deleted contact that can be restored, and erased with the contact', async () => {
    const [caller, other] = [await organization(), await organization()]
    const { contactId } = await longAgo(caller)
    const { contactId: purged } = await longAgo(other)
    await caller.call('DELETE', `/v1/contacts/${contactId}`)
    daysAgo = 50
    await other.call('DELETE', `/v1/contacts/${purged}`)
    daysAgo = 0
    await expire(caller)
    await expire(other)
    expect(await rowsOf(caller)).toHaveLength(3)
    expect(await rowsOf(other)).toEqual([])
    await caller.call('POST', `/v1/contacts/${contactId}/restore`)
    expect((await timelineOf(caller, contactId)).data).toHaveLength(5)
    const { body } = await caller.call('POST', `/v1/contacts/${contactId}/erase`)
    expect(body.erased).toContainEqual(expect.objectContaining({ kind: 'events' }))
    expect(await rowsOf(caller)).toEqual([])
  })
})
