import { describe, expect, it } from 'vitest'
import { compareWrittenRecords, startDuplicateFinder } from '../duplicates/finder.ts'
import { testApp, type Caller } from '../testing/app.ts'

const { organization, platform } = await testApp()

const create = async ({ call }: Caller, company: object): Promise<string> => {
  const { status, body } = await call('POST', '/v1/companies', company)
  expect([company, status]).toEqual([company, 201])
  return body.id
}

/** Returns the offered pairs after all companies were compared. */
async function offered({ call }: Caller, query = ''): Promise<{ id: string; ids: string[]; confidence: number; reasons: string[] }[]> {
  await compareWrittenRecords(platform)
  const { status, body } = await call('GET', `/v1/companies/duplicates${query}`)
  expect(status).toBe(200)
  return body.data.map(({ companies, ...pair }: { companies: { id: string }[] }) => ({ ...pair, ids: companies.map(({ id }) => id) }))
}

const moss = { name: 'Moss GmbH', phone: '+4930123456' }

describe('pairs', () => {
  it.each<[string, object, object, string[]]>([
    ['the same name', { name: 'Moss GmbH' }, { name: 'MOSS AG' }, ['name']],
    ['accents', { name: 'Café Élan' }, { name: 'cafe elan, S.A.' }, ['name']],
    ['umlauts', { name: 'Müller Söhne' }, { name: 'Mueller Soehne Ltd.' }, ['name']],
    ['another script', { name: 'ООО Иванов' }, { name: 'Ivanov Inc.' }, ['name']],
    ['a legal form of several words', { name: 'Moss Sp. z o.o.' }, { name: 'Moss' }, ['name']],
    ['a legal form in Japanese', { name: '株式会社モス' }, { name: 'もす' }, ['name']],
    ['a typing error', { name: 'Northwind Traders' }, { name: 'Northwind Tradres' }, ['similar_name']],
    ['the same VAT id', { name: 'Moss', vatId: 'DE123456789' }, { name: 'Byron', vatId: 'DE 123 456 789' }, ['vat_id']],
    ['the same number', moss, { name: 'Moss Software', phone: '+49 30 123456' }, ['similar_name', 'phone']],
    ['one name of domains', { name: 'Moss', domains: ['moss.example'] }, { name: 'Moss', domains: ['www.moss.co.uk'] }, ['name', 'domain']],
    [
      'the same address',
      { name: 'Moss', address: { line1: 'Hauptstraße 5', postalCode: '10115', city: 'Berlin' } },
      { name: 'Moss', address: { line1: 'Hauptstr. 5', postalCode: '10115' } },
      ['name', 'address'],
    ],
  ])('offers companies with %s', async (_, first, second, reasons) => {
    const caller = await organization()
    const ids = [await create(caller, first), await create(caller, second)]
    expect(await offered(caller)).toMatchObject([{ ids, reasons, status: 'open', dismissedAt: null }])
  })

  it.each<[string, object, object]>([
    ['companies with different VAT ids', { ...moss, vatId: 'DE123456789' }, { ...moss, vatId: 'DE987654321' }],
    ['branches', { ...moss, name: 'Moss Berlin' }, { ...moss, name: 'Moss Hamburg' }],
    ['companies with a common word', { name: 'Hotel' }, { name: 'Hotel GmbH' }],
    ['companies with one word in common', { name: 'Hotel Sonne' }, { name: 'Hotel Mond' }],
    ['names with another umlaut', { name: 'Müller' }, { name: 'Möller' }],
  ])('does not offer %s', async (_, first, second) => {
    const caller = await organization()
    for (const company of [first, second]) await create(caller, company)
    expect(await offered(caller)).toEqual([])
  })

  it('lists pages, filters and counts', async () => {
    const caller = await organization()
    const ids: string[] = []
    for (const name of ['Moss', 'Moss Ltd', 'Byron', 'Byron Ltd']) ids.push(await create(caller, { name }))
    await create(caller, { name: 'Moss Berlin', phone: moss.phone })
    await create(caller, { name: 'Moss Hamburg', phone: moss.phone })
    expect(await offered(caller)).toHaveLength(2)
    expect(await offered(caller, '?minConfidence=0.5')).toHaveLength(3)
    expect(await offered(caller, `?companyId=${ids[2]}`)).toMatchObject([{ ids: ids.slice(2) }])
    const page = (await caller.call('GET', '/v1/companies/duplicates?limit=1')).body
    expect(page.data).toHaveLength(1)
    expect((await caller.call('GET', `/v1/companies/duplicates?limit=1&cursor=${page.nextCursor}`)).body.nextCursor).toBeNull()
    expect((await caller.call('GET', '/v1/companies/duplicates/count')).body).toEqual({ count: 2, hasMore: false })
    const reader = await organization({ scopes: ['proposals:read'] })
    expect((await reader.call('GET', '/v1/companies/duplicates')).status).toBe(403)
  })

  it('compares a bounded number of companies with one number', async () => {
    const caller = await organization()
    for (let at = 0; at < 60; at += 1) await create(caller, { ...moss, name: `Tenant${String.fromCodePoint(97 + (at % 26))}${at}` })
    const ids = [await create(caller, { ...moss, name: 'Northwind' }), await create(caller, { ...moss, name: 'Northwind Ltd' })]
    expect(await offered(caller)).toMatchObject([{ ids, confidence: 0.97 }])
  })
})

describe('changes', () => {
  async function pair(caller: Caller) {
    const [first, second] = [await create(caller, moss), await create(caller, { ...moss, externalId: 'x' })]
    const [found] = await offered(caller)
    return { first, second, id: found?.id ?? '' }
  }

  it('remembers that two companies are not the same', async () => {
    const caller = await organization()
    const { first, id } = await pair(caller)
    expect(id).toMatch(/^cdp_/)
    const { token } = (await caller.call('POST', '/v1/tokens', { name: 'Agent', scopes: ['contacts:write'], agent: true })).body
    const agent = { authorization: `Bearer ${token}` }
    expect((await caller.call('POST', `/v1/companies/duplicates/${id}/dismiss`, undefined, agent)).status).toBe(403)
    const { status, body } = await caller.call('POST', `/v1/companies/duplicates/${id}/dismiss`)
    expect([status, body.status, body.dismissedAt]).toEqual([200, 'dismissed', expect.any(String)])
    expect((await caller.call('POST', `/v1/companies/duplicates/${id}/dismiss`)).body).toEqual(body)
    await caller.call('PATCH', `/v1/companies/${first}`, { name: 'Moss AG' })
    expect(await offered(caller)).toEqual([])
    expect((await offered(caller, '?status=dismissed')).map((each) => each.id)).toEqual([id])
    expect((await caller.call('GET', '/v1/audit?action=company_duplicate.dismissed')).body.data).toMatchObject([{ targetId: id }])
  })

  it('removes pairs of deleted, changed and merged companies', async () => {
    const caller = await organization()
    const { first, second } = await pair(caller)
    await caller.call('DELETE', `/v1/companies/${second}`)
    expect((await caller.call('GET', '/v1/companies/duplicates')).body.data).toEqual([])
    expect(await offered(caller)).toEqual([])
    await caller.call('POST', `/v1/companies/${second}/restore`)
    expect(await offered(caller)).toHaveLength(1)
    await caller.call('PATCH', `/v1/companies/${second}`, { name: 'Byron', phone: null })
    expect(await offered(caller)).toEqual([])
    await caller.call('PATCH', `/v1/companies/${second}`, { name: 'Moss' })
    expect(await offered(caller)).toHaveLength(1)
    await caller.call('POST', `/v1/companies/${first}/merge`, { otherIds: [second] })
    expect((await caller.call('GET', '/v1/companies/duplicates')).body.data).toEqual([])
    expect(await offered(caller)).toEqual([])
  })

  it('does not offer companies whose merge was undone', async () => {
    const caller = await organization()
    const { first, second } = await pair(caller)
    await caller.call('POST', `/v1/companies/${first}/merge`, { otherIds: [second] })
    await offered(caller)
    expect((await caller.call('POST', `/v1/companies/${first}/unmerge`, { mergedId: second })).status).toBe(200)
    expect(await offered(caller)).toEqual([])
    expect(await offered(caller, '?status=dismissed')).toMatchObject([{ ids: [first, second], confidence: 0.97 }])
  })

  it('keeps a decision about a company that was merged', async () => {
    const caller = await organization()
    const { first, second, id } = await pair(caller)
    await caller.call('POST', `/v1/companies/duplicates/${id}/dismiss`)
    const third = await create(caller, { name: 'Third' })
    await caller.call('POST', `/v1/companies/${third}/merge`, { otherIds: [second], fields: { phone: second, name: second } })
    expect(await offered(caller)).toEqual([])
    // The former id leads to the company.
    expect(await offered(caller, `?status=dismissed&companyId=${second}`)).toMatchObject([{ ids: [first, third] }])
  })

  it('leaves nothing of a purged company', async () => {
    const caller = await organization()
    const { second } = await pair(caller)
    await caller.call('DELETE', `/v1/companies/${second}`)
    await offered(caller)
    const query = async (sql: string) => (await caller.ctx.db.pool.query(sql, [second.slice(-36)])).rows[0]
    await query('delete from company where id = $1')
    expect(await query('select count(*)::int from company_match_key where company_id = $1')).toEqual({ count: 0 })
    expect(await query('select count(*)::int from company_duplicate where $1 in (first_id, second_id)')).toEqual({ count: 0 })
    expect(await query('select count(*)::int from company_to_compare where company_id = $1')).toEqual({ count: 0 })
  })
})

it('keeps organizations apart', async () => {
  const [caller, other] = [await organization(), await organization()]
  await create(caller, moss)
  await create(other, moss)
  expect([await offered(caller), await offered(other)]).toEqual([[], []])
})

it('compares companies while they are written', async () => {
  const caller = await organization()
  const finder = startDuplicateFinder(platform)
  await create(caller, moss)
  await create(caller, moss)
  await expect.poll(async () => (await caller.call('GET', '/v1/companies/duplicates')).body.data.length, { timeout: 60_000 }).toBe(1)
  await finder.stop()
})
