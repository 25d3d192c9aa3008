import { describe, expect, it } from 'vitest'
import { newId } from '../lib/ids.ts'
import { testApp, type Caller } from '../testing/app.ts'

const { organization, database } = await testApp()

type Body = Record<string, unknown>
const contactOf = async ({ call }: Caller, body: Body): Promise<string> => (await call('POST', '/v1/contacts', body)).body.id
const get = async ({ call }: Caller, id: string) => (await call('GET', `/v1/contacts/${id}`)).body
const merge = ({ call }: Caller, id: string, body: Body) => call('POST', `/v1/contacts/${id}/merge`, body)
const unmerge = ({ call }: Caller, id: string, mergedId: string) => call('POST', `/v1/contacts/${id}/unmerge`, { mergedId })
const idsOf = (data: { id: string }[]): string[] => data.map(({ id }) => id).toSorted()

/** Two contacts with records of every kind. */
async function pair(caller: Caller) {
  const { call } = caller
  const ada = { firstName: 'Ada', email: 'ada@example.com', phone: '+442079460018', tags: ['vip'], jobTitle: 'Analyst' }
  const a = await contactOf(caller, ada)
  const work = { email: 'ada@work.example', emails: [{ value: 'ada@work.example', label: 'work' }, { value: 'ada@example.com' }] }
  const b = await contactOf(caller, {
    ...work,
    firstName: 'Ada',
    lastName: 'Lovelace',
    externalId: 'crm-2',
    tags: ['VIP', 'fair'],
    jobTitle: 'Countess',
    provenance: { how: 'typed' },
  })
  const agent = await call('POST', '/v1/tokens', { name: 'Agent', scopes: ['contacts:write'], agent: true })
  await call('PATCH', `/v1/contacts/${b}`, { jobTitle: 'Programmer' }, { authorization: `Bearer ${agent.body.token}` })
  const activity = (await call('POST', `/v1/contacts/${b}/activities`, { type: 'call', text: 'Asked for six.' })).body.id
  const task = (await call('POST', `/v1/contacts/${b}/activities`, { type: 'task', text: 'Call back.' })).body.id
  const offer = { title: 'Six bikes', contactId: b, totalAmount: '5' }
  const proposal = (await call('POST', '/v1/proposals', offer)).body.id
  await call('POST', `/v1/contacts/${a}/consent`, { channel: 'email', state: 'granted' })
  await call('POST', `/v1/contacts/${b}/consent`, { channel: 'sms', state: 'denied' })
  return { a, b, activity, task, proposal }
}

describe('POST /v1/contacts/{id}/merge', () => {
  it('moves everything of the other contact and joins the values', async () => {
    const caller = await organization()
    const { call } = caller
    const { a, b, activity, task, proposal } = await pair(caller)
    const { status, body } = await merge(caller, a, { otherIds: [b], fields: { jobTitle: b, email: b } })
    expect([status, body.dryRun, body.omitted]).toEqual([200, false, []])
    expect(body.moved).toEqual([
      { kind: 'activities', count: 1 },
      { kind: 'tasks', count: 1 },
      { kind: 'proposals', count: 1 },
      { kind: 'recipients', count: 1 },
      { kind: 'consents', count: 1 },
      { kind: 'suggestions', count: 1 },
      { kind: 'events', count: expect.any(Number) },
    ])
    expect(body.contact).toMatchObject({
      id: a,
      firstName: 'Ada',
      lastName: 'Lovelace',
      externalId: 'crm-2',
      email: 'ada@work.example',
      phone: '+442079460018',
      jobTitle: 'Countess',
      tags: ['vip', 'fair'],
      consent: { email: 'granted', sms: 'denied' },
      mergedIds: [b],
    })
    expect(body.contact.emails.map(({ value }: { value: string }) => value)).toEqual(['ada@work.example', 'ada@example.com'])
    expect(body.contact.lastInteractionAt).not.toBeNull()
    expect(await get(caller, a)).toEqual(body.contact)
    expect(idsOf((await call('GET', `/v1/contacts/${a}/activities`)).body.data)).toEqual([activity, task].toSorted())
    expect((await call('GET', `/v1/proposals/${proposal}`)).body).toMatchObject({ contactId: a, recipients: [{ contactId: a }] })
    expect((await call('GET', '/v1/contacts')).body.map(({ id }: { id: string }) => id)).toEqual([a])
    expect((await call('GET', `/v1/contacts/${a}/suggestions`)).body.data).toMatchObject([{ contactId: a, value: 'Programmer' }])
    const timeline = (await call('GET', `/v1/contacts/${a}/timeline?limit=100`)).body.data
    expect(timeline[0]).toMatchObject({ type: 'contact.merged', data: { id: a, mergedIds: [b] } })
    expect(timeline.find(({ data }: { data: { id: string } }) => data.id === activity)).toMatchObject({ data: { text: 'Asked for six.' } })
    expect(timeline.find(({ type }: { type: string }) => type === 'proposal.sent')).toMatchObject({ data: { title: 'Six bikes' } })
    expect((await call('GET', `/v1/contacts/${a}/history`)).body.data[0]).toMatchObject({ how: 'merged', reference: b })
    expect((await call('GET', `/v1/audit?action=contact.merged`)).body.data).toMatchObject([{ targetId: a }])
  })

  it('changes nothing in a dry run, which has the same answer', async () => {
    const caller = await organization()
    const { a, b } = await pair(caller)
    const before = [await get(caller, a), await get(caller, b)]
    const tried = (await merge(caller, a, { otherIds: [b], dryRun: true })).body
    expect([await get(caller, a), await get(caller, b)]).toEqual(before)
    const done = (await merge(caller, a, { otherIds: [b] })).body
    const { updatedAt: _, ...contact } = done.contact
    expect(tried).toMatchObject({ dryRun: true, moved: done.moved, contact })
  })

  it('succeeds again without another change', async () => {
    const caller = await organization()
    const { a, b } = await pair(caller)
    const { body } = await merge(caller, a, { otherIds: [b] })
    expect((await merge(caller, a, { otherIds: [b] })).body).toEqual({ ...body, moved: [] })
    expect((await caller.call('GET', '/v1/events?type=contact.merged')).body.data).toHaveLength(1)
  })

  it('keeps the stricter consent, also against a later one', async () => {
    const caller = await organization()
    const { call } = caller
    const [a, b] = [
      await contactOf(caller, { email: 'a@example.com' }),
      await contactOf(caller, { email: 'b@example.com', doNotContact: true }),
    ]
    await call('POST', `/v1/contacts/${b}/consent`, { channel: 'email', state: 'denied', at: '2026-01-01T00:00:00Z' })
    await call('POST', `/v1/contacts/${a}/consent`, { channel: 'email', state: 'granted' })
    const { contact } = (await merge(caller, a, { otherIds: [b] })).body
    expect(contact).toMatchObject({ consent: { email: 'denied' }, doNotContact: true })
    await call('POST', `/v1/contacts/${a}/consent`, { channel: 'post', state: 'granted' })
    expect((await get(caller, a)).consent).toMatchObject({ email: 'denied', post: 'granted' })
    const { body } = await unmerge(caller, a, b)
    expect([body.contact.consent.email, body.contact.doNotContact, body.restored.consent.email]).toEqual(['granted', false, 'denied'])
  })

  it('does not complete a name with that of somebody else', async () => {
    const caller = await organization()
    const a = await contactOf(caller, { email: 'a@example.com', firstName: 'Ada' })
    const b = await contactOf(caller, { firstName: 'Grace', lastName: 'Hopper' })
    expect((await merge(caller, a, { otherIds: [b], dryRun: true })).body.contact).toMatchObject({ firstName: 'Ada', lastName: null })
    const chosen = { otherIds: [b], fields: { lastName: b } }
    expect((await merge(caller, a, chosen)).body.contact).toMatchObject({ firstName: 'Ada', lastName: 'Hopper' })
  })

  it('lists the values that exceed a list', async () => {
    const caller = await organization()
    const emails = (name: string) => Array.from({ length: 12 }, (_, at) => ({ value: `${name}${at}@example.com` }))
    const [a, b] = [await contactOf(caller, { emails: emails('a') }), await contactOf(caller, { emails: emails('b') })]
    const { body } = await merge(caller, a, { otherIds: [b] })
    expect(body.contact.emails).toHaveLength(20)
    expect(body.omitted).toEqual([8, 9, 10, 11].map((at) => ({ field: 'emails', value: `b${at}@example.com` })))
    expect((await unmerge(caller, a, b)).body.restored.emails).toHaveLength(12)
  })

  it('keeps the order and all values of the contact, also beyond the limit of a list', async () => {
    const caller = await organization()
    const main = { value: 'main@example.com' }
    const others = (name: string, count: number) => Array.from({ length: count }, (_, at) => ({ value: `${name}${at}@example.com` }))
    const valuesIn = ({ emails }: { emails: { value: string }[] }) => emails.map(({ value }) => ({ value }))
    const a = await contactOf(caller, { emails: [main, ...others('a', 17)], tags: ['One', 'two'] })
    const b = await contactOf(caller, { emails: [...others('b', 4), main], tags: ['three', 'one'] })
    const omitted = ['b2', 'b3'].map((name) => ({ field: 'emails', value: `${name}@example.com` }))
    const chosen = (await merge(caller, a, { otherIds: [b], fields: { email: b }, dryRun: true })).body
    expect([valuesIn(chosen.contact), chosen.omitted]).toEqual([[...others('b', 2), main, ...others('a', 17)], omitted])
    const { body } = await merge(caller, a, { otherIds: [b] })
    expect([valuesIn(body.contact), body.omitted]).toEqual([[main, ...others('a', 17), ...others('b', 2)], omitted])
    expect(body.contact).toMatchObject({ email: main.value, tags: ['One', 'two', 'three'] })
  })

  it.each([
    ['itself', (a: string) => ({ otherIds: [a] }), 'otherIds'],
    ['an unknown contact', () => ({ otherIds: [`ctc_${newId()}`] }), 'otherIds.0'],
    ['a choice of a third contact', (_: string, b: string) => ({ otherIds: [b], fields: { source: `ctc_${newId()}` } }), 'fields.source'],
    ['an unknown field', (_: string, b: string) => ({ otherIds: [b], fields: { consent: b } }), 'fields.consent'],
    ['a field with several values', (_: string, b: string) => ({ otherIds: [b], fields: { tags: b } }), 'fields.tags'],
    ['no contact', () => ({ otherIds: [] }), 'otherIds'],
  ])('refuses %s', async (_name, bodyOf, field) => {
    const caller = await organization()
    const [a, b] = [await contactOf(caller, { email: 'a@example.com' }), await contactOf(caller, { email: 'b@example.com' })]
    const { status, body } = await merge(caller, a, bodyOf(a, b))
    expect([status, body.error.field]).toEqual([422, field])
  })

  it('refuses an unknown contact in the path, a former id, and a token that only reads', async () => {
    const caller = await organization()
    const { a, b } = await pair(caller)
    const c = await contactOf(caller, { email: 'c@example.com' })
    expect((await merge(caller, `ctc_${newId()}`, { otherIds: [a] })).status).toBe(404)
    await merge(caller, a, { otherIds: [b] })
    expect((await merge(caller, b, { otherIds: [c] })).status).toBe(404)
    expect((await merge(caller, c, { otherIds: [b] })).body.error).toMatchObject({ code: 'validation_error', field: 'otherIds.0' })
  })
})

describe('the id of a merged contact', () => {
  it('leads to the contact in which it is', async () => {
    const caller = await organization()
    const { call } = caller
    const { a, b, activity } = await pair(caller)
    const c = await contactOf(caller, { email: 'c@example.com' })
    await merge(caller, a, { otherIds: [b] })
    const { contact } = (await merge(caller, c, { otherIds: [a] })).body
    expect(contact.mergedIds).toEqual([a, b])
    for (const id of [a, b]) {
      expect((await call('GET', `/v1/contacts/${id}`)).body.id).toBe(c)
      for (const records of ['timeline', 'history', 'consent', 'consent/history']) {
        expect((await call('GET', `/v1/contacts/${id}/${records}`)).status).toBe(200)
      }
      expect((await call('GET', `/v1/contacts/${id}/export`)).body).toMatchObject({ contact: { id: c }, activities: [{}, {}] })
      expect((await call('GET', `/v1/contacts/${id}/activities/${activity}`)).body.contactId).toBe(c)
    }
    const byTool = async (name: string, input: Body) => (await call('POST', `/v1/tools/${name}`, { contactId: b, ...input })).body
    expect((await byTool('get_contact', {})).contact.id).toBe(c)
    expect((await byTool('add_task', { text: 'Call back.' })).activity.contactId).toBe(c)
    expect((await call('PATCH', `/v1/contacts/${b}`, { source: 'fair' })).body).toMatchObject({ id: c, source: 'fair' })
    expect((await call('POST', `/v1/contacts/${b}/activities`, { type: 'call' })).body.contactId).toBe(c)
    const refused = await Promise.all([
      call('DELETE', `/v1/contacts/${b}`),
      call('POST', `/v1/contacts/${b}/restore`),
      call('POST', `/v1/contacts/${b}/erase`),
    ])
    expect(refused.map(({ status }) => status)).toEqual([404, 409, 409])
    expect((await unmerge(caller, c, b)).body.error).toMatchObject({ code: 'conflict', message: expect.stringContaining(a) })
    await call('DELETE', `/v1/contacts/${c}`)
    expect((await call('GET', `/v1/contacts/${b}`)).status).toBe(404)
  })
})

describe('the id of a merged contact in other requests', () => {
  it('means the contact in which it is', async () => {
    const caller = await organization()
    const { call } = caller
    const { a, b, activity, task, proposal } = await pair(caller)
    const [suggestion] = (await call('GET', `/v1/contacts/${b}/suggestions`)).body.data
    const c = await contactOf(caller, { firstName: 'Ada', lastName: 'Lovelace', phone: '+442079460018' })
    await merge(caller, a, { otherIds: [b] })
    const offer = { title: 'Two bikes', contactId: b, totalAmount: '5' }
    const created = await call('POST', '/v1/proposals', { ...offer, draft: true, recipients: [{ contactId: c, role: 'copy' }] })
    expect([created.status, created.body.contactId]).toEqual([201, a])
    expect((await call('POST', '/v1/proposals/preview', offer)).status).toBe(200)
    const path = `/v1/proposals/${created.body.id}`
    expect((await call('PATCH', path, { recipients: [{ contactId: b, role: 'copy' }] })).body.error.field).toBe('recipients.0.contactId')
    expect((await call('PATCH', path, { contactId: c, recipients: [] })).body.contactId).toBe(c)
    expect((await call('PATCH', path, { contactId: b })).body.contactId).toBe(a)
    for (const q of ['', '&q=bikes']) {
      expect(idsOf((await call('GET', `/v1/proposals?contactId=${b}${q}`)).body.data)).toEqual([proposal, created.body.id].toSorted())
      expect((await call('GET', `/v1/proposals/totals?contactId=${b}${q}`)).body.data).toHaveLength(2)
    }
    expect((await call('GET', `/v1/tasks?contactId=${b}`)).body.data).toMatchObject([{ id: task }])
    const found = (await call('POST', '/v1/contacts/search', { filter: { key: 'id', in: [b, c] } })).body.data
    expect(idsOf(found.map((each: { contact?: { id: string }; id: string }) => each.contact ?? each))).toEqual([a, c].toSorted())
    const verified = await call('POST', `/v1/contacts/${b}/verify`, { fields: ['jobTitle'] })
    expect([verified.status, verified.body.id]).toEqual([200, a])
    await call('PATCH', `/v1/contacts/${a}`, { source: 'fair' })
    expect((await call('POST', `/v1/contacts/${b}/revert`, { fields: ['source'] })).body).toMatchObject({ id: a, source: null })
    expect((await call('POST', `/v1/contacts/${b}/suggestions/${suggestion.id}/accept`)).body.id).toBe(a)
    const bulk = (body: Body) => call('POST', '/v1/contacts/bulk', { contactIds: [a, b], ...body })
    expect((await bulk({ addTags: ['x'] })).status).toBe(201)
    expect((await bulk({ delete: true })).body.error.field).toBe('contactIds.1')
    expect((await call('DELETE', `/v1/contacts/${b}/activities/${activity}`)).status).toBe(204)
    expect((await call('GET', `/v1/contacts/duplicates/count?contactId=${b}`)).status).toBe(200)
  })
})

describe('POST /v1/contacts/{id}/unmerge', () => {
  it('restores both contacts, and lists what came since', async () => {
    const caller = await organization()
    const { call } = caller
    const { a, b, activity, task, proposal } = await pair(caller)
    const before = [await get(caller, a), await get(caller, b)]
    await merge(caller, a, { otherIds: [b], fields: { jobTitle: b } })
    const added = (await call('POST', `/v1/contacts/${a}/activities`, { type: 'call' })).body.id
    await call('PATCH', `/v1/contacts/${a}`, { source: 'fair', tags: ['vip', 'fair', 'new'] })
    const { status, body } = await unmerge(caller, a, b)
    expect([status, body.restored]).toEqual([200, before[1]])
    const changes = { source: 'fair', tags: ['vip', 'new'], updatedAt: expect.any(String), lastInteractionAt: expect.any(String) }
    expect(body.contact).toEqual({ ...before[0], ...changes })
    expect(body.kept).toEqual({ fields: ['source', 'tags'], activityIds: [added], proposalIds: [], consentIds: [] })
    expect([await get(caller, a), await get(caller, b)]).toEqual([body.contact, body.restored])
    expect(idsOf((await call('GET', `/v1/contacts/${b}/activities`)).body.data)).toEqual([activity, task].toSorted())
    expect((await call('GET', `/v1/proposals/${proposal}`)).body).toMatchObject({ contactId: b, recipients: [{ contactId: b }] })
    expect((await call('GET', `/v1/contacts/${b}/suggestions`)).body.data).toMatchObject([{ contactId: b, value: 'Programmer' }])
    const types = async (id: string): Promise<string[]> =>
      (await call('GET', `/v1/contacts/${id}/timeline`)).body.data.map(({ type }: { type: string }) => type)
    expect((await types(a)).slice(0, 4)).toEqual(['contact.unmerged', 'contact.updated', 'activity.created', 'contact.merged'])
    expect((await types(b)).at(-1)).toBe('contact.created')
    expect((await unmerge(caller, a, b)).body.error).toMatchObject({ code: 'validation_error', field: 'mergedId' })
  })

  it('keeps an address of the other contact that was set as the main one since', async () => {
    const caller = await organization()
    const { call } = caller
    const [a, b] = [await contactOf(caller, { email: 'a@example.com' }), await contactOf(caller, { email: 'b@example.com' })]
    await merge(caller, a, { otherIds: [b] })
    await call('PATCH', `/v1/contacts/${a}`, { emails: [{ value: 'b@example.com' }] })
    const { body } = await unmerge(caller, a, b)
    expect([body.contact.emails, body.kept.fields]).toEqual([[expect.objectContaining({ value: 'b@example.com' })], ['emails']])
    expect(body.restored.email).toBe('b@example.com')
  })

  it('keeps the name if the contact has nothing else any more', async () => {
    const caller = await organization()
    const { call } = caller
    const a = await contactOf(caller, { email: 'a@example.com' })
    const b = await contactOf(caller, { firstName: 'Ada', lastName: 'Lovelace' })
    await merge(caller, a, { otherIds: [b] })
    expect((await call('PATCH', `/v1/contacts/${a}`, { emails: [] })).status).toBe(200)
    const { body } = await unmerge(caller, a, b)
    expect([body.contact, body.kept.fields]).toMatchObject([
      { firstName: 'Ada', lastName: 'Lovelace' },
      ['emails', 'firstName', 'lastName'],
    ])
  })

  it('does not take changes of tags for edits', async () => {
    const caller = await organization()
    const { call } = caller
    const a = await contactOf(caller, { email: 'a@example.com', tags: ['old', 'lead', 'fair'] })
    const b = await contactOf(caller, { email: 'b@example.com', tags: ['blue', 'lead'] })
    await merge(caller, a, { otherIds: [b] })
    await call('POST', '/v1/contacts/tags/rename', { tag: 'Blue', name: 'navy' })
    await call('POST', '/v1/contacts/tags/merge', { tags: ['lead', 'old'], into: 'prospect' })
    await call('POST', '/v1/contacts/tags/delete', { tags: ['fair'] })
    const { body } = await unmerge(caller, a, b)
    expect([body.contact.tags, body.restored.tags, body.kept.fields]).toEqual([['prospect'], ['navy', 'prospect'], []])
  })

  it('refuses a taken externalId, and succeeds once it is free', async () => {
    const caller = await organization()
    const a = await contactOf(caller, { email: 'a@example.com', externalId: 'one' })
    const b = await contactOf(caller, { email: 'b@example.com', externalId: 'two' })
    await merge(caller, a, { otherIds: [b] })
    const c = await contactOf(caller, { email: 'c@example.com', externalId: 'two' })
    expect((await unmerge(caller, a, b)).body.error).toMatchObject({ code: 'conflict', field: 'externalId' })
    await caller.call('PATCH', `/v1/contacts/${c}`, { externalId: null })
    expect((await unmerge(caller, a, b)).body.restored.externalId).toBe('two')
  })

  it('takes one of several merges back', async () => {
    const caller = await organization()
    const same = { emails: [{ value: 'x@example.com' }] }
    const [a, b, c] = [
      await contactOf(caller, { phone: '+442079460018' }),
      await contactOf(caller, { ...same, source: 'b' }),
      await contactOf(caller, { ...same, source: 'c', language: 'de' }),
    ]
    const before = [await get(caller, a), await get(caller, b), await get(caller, c)]
    await merge(caller, a, { otherIds: [b, c] })
    const { contact } = (await unmerge(caller, a, b)).body
    expect(contact).toMatchObject({ email: 'x@example.com', source: 'c', language: 'de', mergedIds: [c] })
    await unmerge(caller, a, c)
    expect([await get(caller, a), await get(caller, b), await get(caller, c)]).toEqual(before)
  })
})

describe('erasing and purging', () => {
  it('erases the merged contacts with the contact', async () => {
    const caller = await organization()
    const { call } = caller
    const { a, b } = await pair(caller)
    await call('PATCH', `/v1/contacts/${b}`, { lastName: 'Planted' })
    await merge(caller, a, { otherIds: [b] })
    const { status, body } = await call('POST', `/v1/contacts/${a}/erase`)
    expect([status, body.erased]).toEqual([200, expect.arrayContaining([{ kind: 'merged_contacts', count: 1 }])])
    expect([(await call('GET', `/v1/contacts/${b}`)).status, (await call('POST', `/v1/contacts/${b}/restore`)).status]).toEqual([404, 404])
    for (const table of ['contact', 'contact_merge', 'contact_alias', 'event', 'timeline_entry', 'idempotency_answer']) {
      const { rows } = await database.pool.query(`select * from ${table} where organization_id = $1`, [caller.organizationId])
      expect([table, JSON.stringify(rows).includes('Planted')]).toEqual([table, false])
    }
  })
})

describe('merges beside other requests', () => {
  it('lose nothing: upserts of the same address, merges both ways, activities and erasures', async () => {
    const caller = await organization()
    const { call } = caller
    for (let round = 0; round < 5; round += 1) {
      const [x, y] = [`x${round}@example.com`, `y${round}@example.com`]
      const [a, b] = [await contactOf(caller, { email: x }), await contactOf(caller, { email: y })]
      const answers = await Promise.all([
        merge(caller, a, { otherIds: [b] }),
        merge(caller, b, { otherIds: [a] }),
        call('POST', '/v1/contacts/upsert', { matchOn: 'email', email: y, lastName: 'Upserted' }),
        call('POST', '/v1/contacts/upsert', { matchOn: 'email', email: x, tags: ['upserted'] }),
        call('POST', `/v1/contacts/${a}/activities`, { type: 'call' }),
        call('POST', `/v1/contacts/${b}/activities`, { type: 'call' }),
      ])
      expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])
      expect(
        answers
          .slice(0, 2)
          .map(({ status }) => status)
          .toSorted(),
      ).toEqual([200, 404])
      const survivor = await get(caller, a)
      expect(survivor).toMatchObject({ lastName: 'Upserted', tags: ['upserted'] })
      expect(survivor.emails).toHaveLength(2)
      expect((await call('GET', `/v1/contacts/${a}/activities`)).body.data).toHaveLength(2)
      const erased = await Promise.all([
        call('POST', `/v1/contacts/${survivor.id}/erase`),
        unmerge(caller, survivor.id, survivor.mergedIds[0]),
      ])
      expect(erased.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])
    }
  })
})
