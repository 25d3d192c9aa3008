import { describe, expect, it } from 'vitest'
import { createOutbound } from '../outbound/outbound.ts'
import { testApp, type Caller } from '../testing/app.ts'
import { endDelays } from '../testing/delayed-jobs.ts'
import { newMember } from '../testing/fixtures.ts'
import { purgeContactWork } from '../contacts/purge.ts'

const start = Date.parse('2026-05-25T12:00:00.000Z')
let clockMs = 0
const { database, organization } = await testApp({
  now: () => new Date(start + clockMs),
  worker: { outbound: createOutbound({ allowHosts: [], userAgent: 'test' }) },
})
const at = (hours: number): string => new Date(start + hours * 3_600_000).toISOString()

async function contactOf({ call }: Caller, email = 'a@example.com'): Promise<{ id: string; path: string; activities: string }> {
  const { id } = (await call('POST', '/v1/contacts', { email })).body
  return { id, path: `/v1/contacts/${id}`, activities: `/v1/contacts/${id}/activities` }
}

const call8 = { type: 'call', direction: 'inbound', text: 'Asked for six bikes.', durationSeconds: 214, externalId: 'call-8' }

describe('an activity', () => {
  it('is created, read, changed and deleted', async () => {
    const caller = await organization()
    const { call } = caller
    const { id, activities } = await contactOf(caller)
    const { status, body } = await call('POST', activities, { ...call8, occurredAt: '2026-05-25T13:00:00+02:00' })
    expect([status, body]).toEqual([
      201,
      {
        ...call8,
        id: expect.stringMatching(/^act_/),
        contactId: id,
        occurredAt: at(-1),
        dueAt: null,
        assigneeId: null,
        doneAt: null,
        createdBy: { type: 'token', id: expect.stringMatching(/^tok_/), name: expect.any(String) },
        createdAt: at(0),
        updatedAt: at(0),
      },
    ])
    const path = `${activities}/${body.id}`
    expect((await call('GET', path)).body).toEqual(body)
    const changed = await call('PATCH', path, { text: 'Asked for eight bikes.', durationSeconds: null })
    expect([changed.status, changed.body]).toEqual([200, { ...body, text: 'Asked for eight bikes.', durationSeconds: null }])
    expect((await call('DELETE', path)).status).toBe(204)
    expect((await call('GET', path)).status).toBe(404)
    expect((await call('DELETE', path)).status).toBe(404)
  })

  it.each<[string, object]>([
    ['type', { text: 'x' }],
    ['text', { type: 'note' }],
    ['text', { type: 'task', text: null }],
    ['dueAt', { type: 'call', dueAt: at(1) }],
    ['done', { type: 'note', text: 'x', done: false }],
    ['assigneeId', { type: 'task', text: 'x', assigneeId: 'usr_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8' }],
    ['occurredAt', { type: 'call', occurredAt: at(1) }],
    ['durationSeconds', { type: 'call', durationSeconds: -1 }],
    ['direction', { type: 'call', direction: 'sideways' }],
    ['text', { type: 'note', text: 'a\u0000b' }],
    ['unknown', { type: 'call', unknown: 1 }],
  ])('with an invalid %s is refused: %j', async (field, body) => {
    const caller = await organization()
    const { activities } = await contactOf(caller)
    const answer = await caller.call('POST', activities, body)
    expect([answer.status, answer.body.error?.field]).toEqual([422, field])
    expect((await caller.call('GET', activities)).body.data).toEqual([])
  })

  it('is never of the future: a time up to five minutes ahead is stored as the present', async () => {
    const caller = await organization()
    const { activities } = await contactOf(caller)
    const { body } = await caller.call('POST', activities, { type: 'call', occurredAt: at(1 / 15) })
    expect(body.occurredAt).toBe(at(0))
    const changed = await caller.call('PATCH', `${activities}/${body.id}`, { occurredAt: at(1 / 15) })
    expect(changed.body.occurredAt).toBe(at(0))
  })

  it('keeps to the fields of its type when it is changed', async () => {
    const caller = await organization()
    const { call } = caller
    const { activities } = await contactOf(caller)
    const note = (await call('POST', activities, { type: 'note', text: 'x' })).body
    for (const [field, body] of [
      ['text', { text: null }],
      ['done', { done: true }],
      ['dueAt', { dueAt: null }],
    ] as const) {
      const answer = await call('PATCH', `${activities}/${note.id}`, body)
      expect([answer.status, answer.body.error.field]).toEqual([422, field])
    }
  })

  it('of a deleted contact is hidden until the contact is restored, and removed with it', async () => {
    const caller = await organization()
    const { call } = caller
    const { id, path, activities } = await contactOf(caller)
    const task = (await call('POST', activities, { type: 'task', text: 'Call back.' })).body
    await call('DELETE', path)
    for (const hidden of [activities, `${activities}/${task.id}`]) expect((await call('GET', hidden)).status).toBe(404)
    expect((await call('POST', activities, call8)).status).toBe(404)
    expect((await call('GET', '/v1/tasks')).body.data).toEqual([])
    await call('POST', `${path}/restore`)
    expect((await call('GET', '/v1/tasks')).body.data).toHaveLength(1)
    await call('POST', '/v1/proposals', { title: 'T', contactId: id, totalAmount: '1', draft: true })
    await call('DELETE', path)
    clockMs += 31 * 86_400_000
    await endDelays(database, purgeContactWork.name)
    clockMs -= 31 * 86_400_000
    expect((await database.pool.query('select from activity where organization_id = $1', [caller.organizationId])).rows).toEqual([])
  })
})

describe('an externalId', () => {
  it('returns the same activity when the request is repeated, also at the same time', async () => {
    const caller = await organization()
    const { call } = caller
    const { activities } = await contactOf(caller)
    const answers = await Promise.all([1, 2, 3, 4].map(() => call('POST', activities, call8)))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    const later = await call('POST', activities, { ...call8, text: 'Something else.' })
    expect([later.status, later.body]).toEqual([201, answers[0]?.body])
    expect((await call('GET', activities)).body.data).toHaveLength(1)
    expect((await call('GET', '/v1/events?type=activity.created')).body.data).toHaveLength(1)
  })

  it('is refused for another type or contact, and in a change', async () => {
    const caller = await organization()
    const { call } = caller
    const [one, other] = [await contactOf(caller), await contactOf(caller)]
    await call('POST', one.activities, call8)
    const note = (await call('POST', one.activities, { type: 'note', text: 'x' })).body
    for (const answer of [
      await call('POST', other.activities, call8),
      await call('POST', one.activities, { ...call8, type: 'meeting' }),
      await call('PATCH', `${one.activities}/${note.id}`, { externalId: 'call-8' }),
    ]) {
      expect([answer.status, answer.body.error.code, answer.body.error.field]).toEqual([409, 'conflict', 'externalId'])
    }
    expect((await call('GET', other.path)).body.lastInteractionAt).toBeNull()
  })
})

describe('lastInteractionAt', () => {
  it('is the time of the latest call, email, message or meeting that is left', async () => {
    const caller = await organization()
    const { call } = caller
    const { path, activities } = await contactOf(caller)
    const last = async () => (await call('GET', path)).body.lastInteractionAt
    const log = async (type: string, hours: number): Promise<string> =>
      (await call('POST', activities, { type, text: 'x', occurredAt: at(hours) })).body.id
    await log('note', 0)
    await log('task', 0)
    expect(await last()).toBeNull()
    const meeting = await log('meeting', -2)
    await log('email', -5)
    expect(await last()).toBe(at(-2))
    const message = await log('message', -1)
    expect(await last()).toBe(at(-1))
    await call('PATCH', `${activities}/${message}`, { occurredAt: at(-4) })
    expect(await last()).toBe(at(-2))
    await call('DELETE', `${activities}/${meeting}`)
    expect(await last()).toBe(at(-4))
    await call('DELETE', `${activities}/${message}`)
    expect(await last()).toBe(at(-5))
  })

  it('is that of the latest one of many that are written at the same time', async () => {
    const caller = await organization()
    const { path, activities } = await contactOf(caller)
    const hours = [-3, -1, -7, -2, -9, -5]
    const ids = await Promise.all(
      hours.map(async (hour) => (await caller.call('POST', activities, { type: 'call', occurredAt: at(hour) })).body.id),
    )
    expect((await caller.call('GET', path)).body.lastInteractionAt).toBe(at(-1))
    await Promise.all([0, 1, 3].map((index) => caller.call('DELETE', `${activities}/${ids[index]}`)))
    expect((await caller.call('GET', path)).body.lastInteractionAt).toBe(at(-5))
  })
})

describe('the activities of a contact', () => {
  it('are listed newest first, by type, and paginated', async () => {
    const caller = await organization()
    const { call } = caller
    const { activities } = await contactOf(caller)
    for (const [type, hours] of [
      ['call', -3],
      ['email', -1],
      ['call', -2],
      ['note', -0.5],
    ] as const) {
      await call('POST', activities, { type, text: `${type} ${hours}`, occurredAt: at(hours) })
    }
    const all = (await call('GET', activities)).body.data
    expect(all.map(({ text }: { text: string }) => text)).toEqual(['note -0.5', 'email -1', 'call -2', 'call -3'])
    const first = (await call('GET', `${activities}?limit=1`)).body
    const rest = (await call('GET', `${activities}?limit=50&cursor=${first.nextCursor}`)).body
    expect([...first.data, ...rest.data]).toEqual(all)
    expect(rest.nextCursor).toBeNull()
    expect((await call('GET', `${activities}?type=call&type=note`)).body.data).toHaveLength(3)
    expect((await call('GET', `${activities}?cursor=x`)).status).toBe(400)
  })
})

describe('GET /v1/tasks', () => {
  it('lists open tasks by due time, of a member or a contact', async () => {
    const caller = await organization()
    const { call, ctx } = caller
    const userId = await newMember(ctx)
    const [one, other] = [await contactOf(caller), await contactOf(caller, 'b@example.com')]
    const add = async (activities: string, body: object): Promise<string> =>
      (await call('POST', activities, { type: 'task', text: 'x', ...body })).body.id
    const someday = await add(one.activities, {})
    const tomorrow = await add(one.activities, { dueAt: at(20), assigneeId: userId })
    const yesterday = await add(other.activities, { dueAt: at(-20) })
    const nextWeek = await add(other.activities, { dueAt: at(200) })
    await add(one.activities, { dueAt: at(-1), done: true })
    const listed = async (query = '') => (await call('GET', `/v1/tasks${query}`)).body.data.map(({ id }: { id: string }) => id)
    expect(await listed()).toEqual([yesterday, tomorrow, nextWeek, someday])
    expect(await listed(`?assigneeId=${userId}`)).toEqual([tomorrow])
    expect(await listed(`?contactId=${one.id}`)).toEqual([tomorrow, someday])
    const pages: string[] = []
    for (let cursor = ''; ;) {
      const { body } = await call('GET', `/v1/tasks?limit=1${cursor}`)
      pages.push(...body.data.map(({ id }: { id: string }) => id))
      if (body.nextCursor === null) break
      cursor = `&cursor=${body.nextCursor}`
    }
    expect(pages).toEqual([yesterday, tomorrow, nextWeek, someday])
    const { tasks } = (await call('GET', '/v1/overview')).body.attention
    expect([tasks.count, tasks.data.map(({ id }: { id: string }) => id)]).toEqual([2, [yesterday, tomorrow]])
    expect(tasks.data[0]).toMatchObject({ contactId: other.id, contactName: 'b@example.com', dueAt: at(-20) })
    clockMs = 60_000
    const done = (await call('PATCH', `${other.activities}/${yesterday}`, { done: true })).body
    expect(done.doneAt).toBe(new Date(start + clockMs).toISOString())
    clockMs = 120_000
    expect((await call('PATCH', `${other.activities}/${yesterday}`, { done: true })).body.doneAt).toBe(done.doneAt)
    expect(await listed()).toEqual([tomorrow, nextWeek, someday])
    expect((await call('PATCH', `${other.activities}/${yesterday}`, { done: false })).body.doneAt).toBeNull()
    clockMs = 0
    await call('DELETE', `/v1/members/${userId}`)
    expect((await call('GET', `${one.activities}/${tomorrow}`)).body.assigneeId).toBeNull()
  })
})

describe('the events of activities', () => {
  it('are in the timeline of the contact, without content once the activity is deleted', async () => {
    const caller = await organization()
    const { call } = caller
    const { id, activities } = await contactOf(caller)
    const { body } = await call('POST', activities, call8)
    const changed = (await call('PATCH', `${activities}/${body.id}`, { text: 'Asked for eight.' })).body
    const timeline = async () => (await call('GET', `/v1/contacts/${id}/timeline`)).body.data
    expect((await timeline()).slice(0, 2).map(({ type, data }: { type: string; data: object }) => [type, data])).toEqual([
      ['activity.updated', changed],
      ['activity.created', body],
    ])
    await call('DELETE', `${activities}/${body.id}`)
    const after = await timeline()
    expect(after.map(({ type }: { type: string }) => type)).toEqual([
      'activity.deleted',
      'activity.updated',
      'activity.created',
      'contact.created',
    ])
    expect(JSON.stringify(after)).not.toContain('Asked')
    expect(after[0].data).toMatchObject({ id: body.id, type: 'call', occurredAt: body.occurredAt, externalId: null, createdBy: null })
  })
})
