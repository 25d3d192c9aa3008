import { describe, expect, it } from 'vitest'
import { testApp, type Caller } from '../testing/app.ts'
import { compareNext } from '../duplicates/find.ts'
import { compareWrittenRecords, startDuplicateFinder } from '../duplicates/finder.ts'
import { comparedContacts } from './find.ts'

const {
  organization,
  platform,
  database: { pool: database },
} = await testApp()

const create = async ({ call }: Caller, contact: object): Promise<string> => {
  const { status, body } = await call('POST', '/v1/contacts', contact)
  expect([contact, status]).toEqual([contact, 201])
  return body.id
}

/** Returns the offered pairs after all contacts were compared. */
async function offered({ call }: Caller, query = ''): Promise<{ id: string; ids: string[]; confidence: number; reasons: string[] }[]> {
  await compareWrittenRecords(platform)
  const { status, body } = await call('GET', `/v1/contacts/duplicates${query}`)
  expect(status).toBe(200)
  return body.data.map(({ contacts, ...pair }: { contacts: { id: string }[] }) => ({ ...pair, ids: contacts.map(({ id }) => id) }))
}

const ada = { firstName: 'Ada', lastName: 'Moss', email: 'ada@example.com', phone: '+4930123456' }

describe('pairs', () => {
  it.each<[string, object, object, string[]]>([
    ['the same address', ada, { email: 'ADA@example.com' }, ['email']],
    ['a tag in the address', ada, { ...ada, email: 'ada+news@example.com', phone: null }, ['name', 'email']],
    ['dots in Gmail', { email: 'ada.moss@gmail.com' }, { email: 'adamoss@googlemail.com' }, ['email']],
    ['the same number', ada, { firstName: 'Ada', lastName: 'Moos', phone: '+49 30 123456' }, ['similar_name', 'phone']],
    ['swapped names', ada, { firstName: 'Moss', lastName: 'Ada', phone: '+4930123456' }, ['name', 'phone']],
    ['a short form', { ...ada, firstName: 'Robert' }, { ...ada, firstName: 'Bob', email: null }, ['similar_name', 'phone']],
    [
      'another script',
      { ...ada, firstName: 'Иван', lastName: 'Петров' },
      { firstName: 'Ivan', lastName: 'Petrov', phone: ada.phone },
      ['name', 'phone'],
    ],
    ['umlauts', { ...ada, lastName: 'Müller' }, { ...ada, lastName: 'Mueller', phone: null }, ['name', 'email']],
  ])('offers contacts with %s', async (_, first, second, reasons) => {
    const caller = await organization()
    const ids = [await create(caller, first), await create(caller, second)]
    expect(await offered(caller)).toMatchObject([{ ids, reasons, status: 'open', dismissedAt: null }])
  })

  it.each<[string, object, object]>([
    ['relatives', ada, { ...ada, firstName: 'Ben', email: 'ben@example.com' }],
    ['relatives with one address', ada, { ...ada, firstName: 'Ben' }],
    ['a parent and a child', { ...ada, lastName: 'Moss sen.' }, { ...ada, lastName: 'Moss jun.' }],
    [
      'desks of a company',
      { firstName: 'Rental', lastName: 'Desk 1', email: 'd1@hire.example' },
      { firstName: 'Rental', lastName: 'Desk 2', email: 'd2@hire.example' },
    ],
    ['names of two genders', { ...ada, firstName: 'Daniel' }, { ...ada, firstName: 'Daniela' }],
    ['people with the same name', ada, { ...ada, email: 'ada@example.org', phone: '+4930999999' }],
  ])('does not offer %s', async (_, first, second) => {
    const caller = await organization()
    for (const contact of [first, second]) await create(caller, contact)
    expect(await offered(caller)).toEqual([])
  })

  it('offers contacts with a similar name, of whom one has the company and another its domain', async () => {
    const caller = await organization()
    const companyId = (await caller.call('POST', '/v1/companies', { name: 'Moss & Fern', domains: ['mossfern.example'] })).body.id
    const first = await create(caller, { firstName: 'Ada', lastName: 'Meyer', companyId })
    const second = await create(caller, { firstName: 'Ada', lastName: 'Meyer', email: 'ada.meyer@mossfern.example' })
    const third = await create(caller, { firstName: 'Eva', lastName: 'Schmidt', companyId, email: 'eva@else.example' })
    const fourth = await create(caller, { firstName: 'Eva', lastName: 'Schmitt', companyId, email: 'eva.schmitt@mossfern.example' })
    await create(caller, { firstName: 'Ben', lastName: 'Meyer', email: 'ben.meyer@mossfern.example' })
    expect((await offered(caller)).toSorted((a, b) => b.confidence - a.confidence)).toMatchObject([
      { ids: [first, second], confidence: 0.86, reasons: ['name', 'email_domain'] },
      { ids: [third, fourth], confidence: 0.7, reasons: ['similar_name', 'email_domain', 'company'] },
    ])
  })

  it('offers contacts with a similar name and the same company, and no colleagues', async () => {
    const caller = await organization()
    const [one, other] = await Promise.all(
      ['One', 'Other'].map(async (name) => (await caller.call('POST', '/v1/companies', { name })).body.id as string),
    )
    const first = await create(caller, { ...ada, companyId: one })
    const second = await create(caller, { firstName: 'Ada', lastName: 'Mosss', companyId: one })
    await create(caller, { firstName: 'Ada', lastName: 'Moss', companyId: other })
    await create(caller, { firstName: 'Ben', lastName: 'Moss', companyId: one })
    expect(await offered(caller)).toMatchObject([{ ids: [first, second], reasons: ['similar_name', 'company'] }])
  })

  it('offers only pairs with the confidence and the contact', async () => {
    const caller = await organization()
    const first = await create(caller, ada)
    await create(caller, { ...ada, firstName: 'Ada', lastName: 'Wood', email: null })
    const third = await create(caller, { email: ada.email })
    expect((await offered(caller)).map(({ ids }) => ids)).toEqual([[first, third]])
    expect(await offered(caller, '?minConfidence=0.5')).toHaveLength(2)
    expect(await offered(caller, '?minConfidence=1')).toEqual([])
    expect(await offered(caller, `?contactId=${third}&minConfidence=0.5`)).toHaveLength(1)
    const page = await caller.call('GET', '/v1/contacts/duplicates?minConfidence=0.5&limit=1')
    const rest = await caller.call('GET', `/v1/contacts/duplicates?minConfidence=0.5&limit=1&cursor=${page.body.nextCursor}`)
    expect([page.body.data.length, rest.body.data.length, rest.body.nextCursor]).toEqual([1, 1, null])
    for (const [query, count] of [
      ['', 1],
      ['?minConfidence=0.5', 2],
      [`?contactId=${third}&minConfidence=0.5`, 1],
      ['?status=dismissed', 0],
    ] as const) {
      expect((await caller.call('GET', `/v1/contacts/duplicates/count${query}`)).body).toEqual({ count, hasMore: false })
    }
    for (const [query, field] of [
      ['minConfidence=0.4', 'minConfidence'],
      ['minConfidence=x', 'minConfidence'],
      ['cursor=x', 'cursor'],
      ['status=x', 'status'],
      ['contactId=x', 'contactId'],
    ]) {
      const { status, body } = await caller.call('GET', `/v1/contacts/duplicates?${query}`)
      expect([query, status, body.error.field]).toEqual([query, 400, field])
    }
  })

  it('finds a few duplicates among many contacts with one number, and compares no more', async () => {
    const caller = await organization()
    const people = Array.from({ length: 700 }, (_, at) => ({
      externalId: String(at),
      firstName: `Q${'bcdfgklmnprstvxz'.charAt(at % 16)}a${'bcdfgklmnprstvxz'.charAt((at >> 4) % 16)}o`,
      lastName: `${['Zu', 'Ke', 'Mo'][at >> 8]}${'bcdfgklmnprstvxz'.charAt((at >> 3) % 16)}i${'bcdfgklmnprstvxz'.charAt(at % 16)}e`,
      phone: '+4930123456',
    }))
    for (let from = 0; from < people.length; from += 100)
      await caller.call('POST', '/v1/contacts/batch', { matchOn: 'externalId', contacts: people.slice(from, from + 100) })
    await offered(caller)
    const copy = { ...people[333], externalId: null }
    const id = await create(caller, copy)
    const pairs = await offered(caller, `?contactId=${id}`)
    expect(pairs.filter(({ reasons }) => reasons.includes('name'))).toMatchObject([{ reasons: ['name', 'phone'] }])
  })
})

it('compares contacts with many pairs in several transactions', async () => {
  const caller = await organization()
  const contacts = Array.from({ length: 60 }, (_, at) => ({ ...ada, externalId: String(at) }))
  expect((await caller.call('POST', '/v1/contacts/batch', { matchOn: 'externalId', contacts })).status).toBe(200)
  const pairs = async (): Promise<number> => {
    const { rows } = await database.query<{ count: number }>(
      'select count(*)::integer as count from contact_duplicate where organization_id = $1',
      [caller.organizationId],
    )
    return rows[0]?.count ?? 0
  }
  expect(await compareNext({ ...platform, organizationId: caller.organizationId }, comparedContacts)).toBe(true)
  const first = await pairs()
  expect(first).toBeGreaterThanOrEqual(1000)
  expect(first).toBeLessThan(1100)
  await compareWrittenRecords(platform)
  expect(await pairs()).toBe((60 * 59) / 2)
})

describe('decisions', () => {
  const pair = async (caller: Caller): Promise<{ first: string; second: string; id: string }> => {
    const [first, second] = [await create(caller, ada), await create(caller, { ...ada, externalId: 'x' })]
    const [found] = await offered(caller)
    return { first, second, id: found?.id ?? '' }
  }

  it('remembers that two contacts are not the same person', async () => {
    const caller = await organization()
    const { first, id } = await pair(caller)
    const { status, body } = await caller.call('POST', `/v1/contacts/duplicates/${id}/dismiss`)
    expect([status, body.status, body.dismissedAt]).toEqual([200, 'dismissed', expect.any(String)])
    expect((await caller.call('POST', `/v1/contacts/duplicates/${id}/dismiss`)).body).toEqual(body)
    await caller.call('PATCH', `/v1/contacts/${first}`, { phone: '+4930654321' })
    expect(await offered(caller)).toEqual([])
    expect((await offered(caller, '?status=dismissed')).map((each) => each.id)).toEqual([id])
    expect((await caller.call('GET', '/v1/audit?action=duplicate.dismissed')).body.data).toMatchObject([{ targetId: id }])
    const reader = await organization({ scopes: ['contacts:read'] })
    expect((await reader.call('POST', `/v1/contacts/duplicates/${id}/dismiss`)).status).toBe(403)
  })

  it('removes pairs of deleted, changed and merged contacts', async () => {
    const caller = await organization()
    const { first, second } = await pair(caller)
    await caller.call('DELETE', `/v1/contacts/${second}`)
    expect((await caller.call('GET', '/v1/contacts/duplicates')).body.data).toEqual([])
    expect(await offered(caller)).toEqual([])
    await caller.call('POST', `/v1/contacts/${second}/restore`)
    expect(await offered(caller)).toHaveLength(1)
    const other = { firstName: 'Ben', lastName: 'Wood', email: 'ben@example.org', phone: '+4930654321' }
    await caller.call('PATCH', `/v1/contacts/${second}`, other)
    expect(await offered(caller)).toEqual([])
    await caller.call('PATCH', `/v1/contacts/${second}`, { email: ada.email, firstName: 'Ada' })
    expect(await offered(caller)).toHaveLength(1)
    await caller.call('POST', `/v1/contacts/${first}/merge`, { otherIds: [second] })
    expect((await caller.call('GET', '/v1/contacts/duplicates')).body.data).toEqual([])
    expect(await offered(caller)).toEqual([])
  })

  it('does not offer contacts whose merge was undone', async () => {
    const caller = await organization()
    const { first, second } = await pair(caller)
    await caller.call('POST', `/v1/contacts/${first}/merge`, { otherIds: [second] })
    await offered(caller)
    expect((await caller.call('POST', `/v1/contacts/${first}/unmerge`, { mergedId: second })).status).toBe(200)
    expect(await offered(caller)).toEqual([])
    expect(await offered(caller, '?status=dismissed')).toMatchObject([{ ids: [first, second], confidence: 0.99 }])
  })

  it('keeps a decision about a contact that was merged', async () => {
    const caller = await organization()
    const { first, second, id } = await pair(caller)
    await caller.call('POST', `/v1/contacts/duplicates/${id}/dismiss`)
    const third = await create(caller, { email: 'third@example.com' })
    await caller.call('POST', `/v1/contacts/${third}/merge`, { otherIds: [second] })
    expect(await offered(caller)).toEqual([])
    expect(await offered(caller, `?status=dismissed&contactId=${third}`)).toMatchObject([{ ids: [first, third] }])
  })

  it('leaves nothing of an erased contact', async () => {
    const caller = await organization()
    const { first, second } = await pair(caller)
    await caller.call('POST', `/v1/contacts/${second}/erase`, {})
    await offered(caller)
    const count = async (sql: string): Promise<number> => (await caller.ctx.db.pool.query(sql, [second.slice(-36)])).rows[0].count
    expect(await count('select count(*) from contact_match_key where contact_id = $1')).toBe(0)
    expect(await count('select count(*) from contact_duplicate where $1 in (first_id, second_id)')).toBe(0)
    expect(await count('select count(*) from contact_to_compare where contact_id = $1')).toBe(0)
    expect((await caller.call('GET', `/v1/contacts/${first}`)).status).toBe(200)
  })
})

it('keeps organizations apart', async () => {
  const [caller, other] = [await organization(), await organization()]
  await create(caller, ada)
  await create(other, ada)
  expect([await offered(caller), await offered(other)]).toEqual([[], []])
})

it('compares contacts while they are written', async () => {
  const caller = await organization()
  const finder = startDuplicateFinder(platform)
  await create(caller, ada)
  await create(caller, ada)
  await expect.poll(async () => (await caller.call('GET', '/v1/contacts/duplicates')).body.data.length, { timeout: 60_000 }).toBe(1)
  await finder.stop()
})
