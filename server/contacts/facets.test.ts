import { describe, expect, it } from 'vitest'
import { testApp, type Caller } from '../testing/app.ts'
import { contactsWithFacets } from './facets.ts'

const { organization } = await testApp()

async function newField({ call }: Caller, name: string, type: string, values?: readonly string[]): Promise<string> {
  const options = values?.map((value) => ({ value }))
  const { status, body } = await call('POST', '/v1/custom-fields', { entity: 'contact', name, type, options })
  expect([status, body]).toEqual([201, expect.anything()])
  return body.id
}

/** Creates the contacts in one statement. */
async function fill({ ctx, organizationId }: Caller, contacts: readonly { name: string; tags?: string[]; fields?: object }[]) {
  await ctx.db.pool.query(
    `insert into contact (organization_id, id, first_name, tags, custom_fields, created_at, updated_at)
     select $1, gen_random_uuid(), each ->> 'name', array(select jsonb_array_elements_text(each -> 'tags')), each -> 'fields',
       timestamptz '2026-01-01' + at * interval '1 minute', now()
     from jsonb_array_elements($2) with ordinality as contacts (each, at)`,
    [organizationId, JSON.stringify(contacts.map((contact) => ({ tags: [], fields: {}, ...contact })))],
  )
}

describe('filters by values', () => {
  it('find ranges of numbers and dates in custom fields', async () => {
    const caller = await organization()
    const [size, day, text] = [
      await newField(caller, 'Size', 'number'),
      await newField(caller, 'Day', 'date'),
      await newField(caller, 'Text', 'text'),
    ]
    const numbers = [-1250.5, -3, -0.5, 0, 0.25, 7, 99.9, 100, 12_345, 9_007_199_254_740_991]
    const days = ['0987-06-05', '1999-12-31', '2000-02-29', '2026-05-25']
    const texts = ['2026-05-25T23:30:00-03:00', '2026-05-25', 'soon', '<+1:7']
    await fill(caller, [
      ...numbers.map((value) => ({ name: String(value), fields: { [size]: value } })),
      ...days.map((value) => ({ name: value, fields: { [day]: value } })),
      ...texts.map((value) => ({ name: value, fields: { [text]: value } })),
    ])
    const listed = async (filter: string): Promise<string[]> => {
      const { body } = await caller.call('GET', `/v1/contacts?customField=${encodeURIComponent(filter)}`)
      return body.map(({ firstName }: { firstName: string }) => firstName).toReversed()
    }
    const searched = async (filter: object): Promise<string[]> => {
      const { body } = await caller.call('POST', '/v1/contacts/search', { filter })
      return body.data.map((hit: { contact: { firstName: string } }) => hit.contact.firstName).toReversed()
    }
    for (const [min, max] of [
      [-2000, -1],
      [-0.5, 0.25],
      [7, 100],
      [99.95, 1e6],
      [10, 9],
    ] as const) {
      const expected = numbers.filter((value) => value >= min && value <= max).map(String)
      expect([min, max, await listed(`${size}:${min}..${max}`)]).toEqual([min, max, expected])
      expect(await searched({ key: `customFields.${size}`, gte: min, lte: max })).toEqual(expected)
    }
    expect(await listed(`${size}:100..`)).toEqual(['100', '12345', '9007199254740991'])
    expect(await listed(`${size}:..-3`)).toEqual(['-1250.5', '-3'])
    expect(await searched({ key: `customFields.${size}`, gt: 7, lt: 100 })).toEqual(['99.9'])
    expect(await listed(`${day}:..1999-12-31`)).toEqual(days.slice(0, 2))
    expect(await listed(`${day}:2000-01-01..2026-05-25`)).toEqual(days.slice(2))
    expect(await searched({ key: `customFields.${day}`, lt: '2000-01-01' })).toEqual(days.slice(0, 2))
    expect(await searched({ key: `customFields.${day}`, gte: '2026-05-25', lte: '9999-12-31' })).toEqual(days.slice(3))
    expect(await searched({ key: `customFields.${text}`, gt: '2026-05-26T01:00:00Z' })).toEqual(texts.slice(0, 1))
    expect(await searched({ key: `customFields.${text}`, lt: '2026-05-25T00:30:00+01:00' })).toEqual([])
    expect(await searched({ key: `customFields.${text}`, eq: '<+1:7' })).toEqual(['<+1:7'])
    expect(await searched({ key: `customFields.${size}`, exists: true })).toEqual(numbers.map(String))
  })

  it('find frequent and rare values alike', async () => {
    const caller = await organization()
    const color = await newField(caller, 'Color', 'multiselect', ['red', 'blue'])
    const contacts = Array.from({ length: 2600 }, (_, at) => ({
      name: String(at),
      tags: at % 1000 === 0 ? ['Common', 'Rare'] : ['Common'],
      fields: at < 2 ? { [color]: ['red', 'blue'] } : {},
    }))
    await fill(caller, contacts)
    const common = [[{ field: 'tags', value: 'common' }]]
    const rare = [[{ field: 'tags', value: 'RARE' }]]
    expect(await contactsWithFacets(caller.ctx, common)).toBeUndefined()
    expect(await contactsWithFacets(caller.ctx, rare)).toHaveLength(3)
    expect(await contactsWithFacets(caller.ctx, [...common, ...rare])).toHaveLength(3)
    expect(await contactsWithFacets((await organization()).ctx, rare)).toEqual([])
    const names = async (query: string): Promise<string[]> =>
      (await caller.call('GET', `/v1/contacts?limit=3&${query}`)).body.map(({ firstName }: { firstName: string }) => firstName)
    expect(await names('tag=common')).toEqual(['2599', '2598', '2597'])
    expect(await names('tag=COMMON&tag=rare')).toEqual(['2000', '1000', '0'])
    expect(await names(`customField=${color}:red`)).toEqual(['1', '0'])
    expect(await names(`customField=${color}:red;blue&tag=rare`)).toEqual(['0'])
    expect((await caller.call('GET', '/v1/contacts?tag=common&count=true')).headers['x-total-count']).toBe('2600')
    // With statistics, too many contacts are known before they are read.
    await caller.ctx.db.pool.query('analyze contact')
    expect(await contactsWithFacets(caller.ctx, common)).toBeUndefined()
    expect(await contactsWithFacets(caller.ctx, rare)).toHaveLength(3)
    expect(await contactsWithFacets(caller.ctx, [[...common, ...rare].flat()])).toBeUndefined()
    const unknown = {
      or: [
        { key: 'tags', eq: 'none' },
        { key: 'jobTitle', in: ['a', 'b'] },
      ],
    }
    expect((await caller.call('POST', '/v1/contacts/search', { filter: unknown })).body.data).toEqual([])
  })

  it('find a value that many old contacts have, by pages in each order', async () => {
    const caller = await organization()
    const size = await newField(caller, 'Size', 'number')
    const contacts = Array.from({ length: 3800 }, (_, at) => ({
      name: String(9999 - at),
      tags: at < 2600 ? ['old', ...(at % 50 === 0 ? ['few'] : [])] : [],
      fields: { [size]: at },
    }))
    await fill(caller, contacts)
    const old = contacts.filter(({ tags }) => tags.includes('old')).map(({ name }) => name)
    const pages = async (path: string, first: object, maxPages: number): Promise<string[]> => {
      const names: string[] = []
      for (let [cursor, page]: [string | null, number] = [null, 0]; page < maxPages; page += 1) {
        const { body } = await caller.call('POST', path, { ...first, limit: 100, ...(cursor !== null && { cursor }) })
        names.push(...body.data.map((hit: { contact: { firstName: string } }) => hit.contact.firstName))
        cursor = body.nextCursor
        if (cursor === null) break
      }
      return names
    }
    const search = (body: object, maxPages = 3) => pages('/v1/contacts/search', body, maxPages)
    const isOld = { key: 'tags', eq: 'old' }
    expect(await search({ filter: isOld }, 30)).toEqual(old.toReversed())
    expect(await search({ filter: isOld, sort: 'createdAt' })).toEqual(old.slice(0, 300))
    expect(await search({ filter: isOld, sort: 'name' })).toEqual(old.toReversed().slice(0, 300))
    expect(await search({ filter: isOld, sort: '-name' })).toEqual(old.slice(0, 300))
    expect(await search({ filter: isOld, sort: '-updatedAt' })).toHaveLength(300)
    expect(await search({ filter: isOld, sort: '-lastInteractionAt' })).toHaveLength(300)
    const few = contacts.filter(({ tags }) => tags.includes('few')).map(({ name }) => name)
    const notFew = old.filter((name) => !few.includes(name))
    expect(await search({ filter: { and: [isOld, { not: { key: 'tags', eq: 'few' } }] } })).toEqual(notFew.toReversed().slice(0, 300))
    const smallest = { key: `customFields.${size}`, lt: 99.5 }
    expect(await search({ filter: { and: [isOld, smallest] } })).toEqual(old.slice(0, 100).toReversed())
    expect(await search({ filter: { and: [isOld, { key: 'createdAt', lt: '2026-01-01T00:10:00Z' }] } })).toEqual(
      old.slice(0, 9).toReversed(),
    )
    expect(await search({ filter: { or: [{ key: 'tags', eq: 'few' }, isOld] } })).toEqual(old.toReversed().slice(0, 300))
    const listed: string[] = []
    for (let [cursor, count]: [unknown, number] = ['', 0]; typeof cursor === 'string' && count < 3; count += 1) {
      const { body, headers } = await caller.call('GET', `/v1/contacts?tag=old&limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`)
      listed.push(...body.map(({ firstName }: { firstName: string }) => firstName))
      cursor = headers['x-next-cursor']
    }
    expect(listed).toEqual(old.toReversed().slice(0, 300))
  })

  it('find many contacts among the matches of a text', async () => {
    const caller = await organization()
    // None of the newest thousand has the tag.
    const contacts = Array.from({ length: 3700 }, (_, at) => ({
      name: ['Ann', 'Anna', 'Bo'][at % 3] ?? '',
      tags: at < 2600 ? (at % 2 === 0 ? ['old', 'even'] : ['old']) : [],
    }))
    await fill(caller, contacts)
    const found = async (body: object): Promise<string[]> => {
      const names: string[] = []
      for (let cursor: string | null = ''; cursor !== null && names.length < 2000;) {
        const page = { ...body, limit: 100, ...(cursor !== '' && { cursor }) }
        const answer: { body: { data: { contact: { firstName: string } }[]; nextCursor: string | null } } = await caller.call(
          'POST',
          '/v1/contacts/search',
          page,
        )
        names.push(...answer.body.data.map(({ contact }) => contact.firstName))
        cursor = answer.body.nextCursor
      }
      return names
    }
    const old = { key: 'tags', eq: 'old' }
    const count = (name: string, has: (at: number) => boolean) => contacts.filter((contact, at) => contact.name === name && has(at)).length
    const expected = (has: (at: number) => boolean) => [...Array(count('Ann', has)).fill('Ann'), ...Array(count('Anna', has)).fill('Anna')]
    expect(await found({ q: 'ann', filter: old })).toEqual(expected((at) => at < 2600))
    const odd = { and: [old, { not: { key: 'tags', eq: 'even' } }] }
    expect(await found({ q: 'ann', filter: odd })).toEqual(expected((at) => at < 2600 && at % 2 === 1))
    // With statistics, the word is known as frequent.
    await caller.ctx.db.pool.query('analyze contact_terms')
    expect(await found({ q: 'ann', filter: old })).toEqual(expected((at) => at < 2600))
  })

  it('find the same matches among few and among many contacts, with and without the index', async () => {
    const caller = await organization()
    const { ctx, organizationId } = caller
    const names = ['Ann', 'Anna', 'Bo', 'Ann Bo']
    await fill(
      caller,
      Array.from({ length: 2400 }, (_, at) => ({
        name: names[at % 4] ?? '',
        tags: [at % 3 === 0 ? 'third' : 'other', at % 27 === 0 ? 'few' : 'most'],
      })),
    )
    const client = await ctx.db.pool.connect()
    const tiers = ["'=ann'", "'ann'", "'ann':*", "'bo' & 'ann'"]
    const tierOf = (name: string): number => ({ Ann: 1, 'Ann Bo': 2, Anna: 3 })[name] ?? 0
    try {
      await client.query('begin')
      await client.query(`select set_config('app.organization_id', $1, true)`, [organizationId])
      for (const [tag, tagged] of [
        ['few', 89],
        ['third', 800],
      ] as const) {
        const { rows } = await client.query<{ id: string; first_name: string }>(
          'select id, first_name from contact where organization_id = $1 and $2 = any(tags) order by id desc',
          [organizationId, tag],
        )
        expect(rows).toHaveLength(tagged)
        const all = rows
          .map(({ id, first_name }) => ({ contact_id: id, tier: tierOf(first_name) }))
          .filter(({ tier }) => tier > 0)
          .toSorted((one, other) => one.tier - other.tier)
        const ofSecond = all.filter(({ tier }) => tier === 2)
        const middle = ofSecond[Math.floor(ofSecond.length / 2)]
        for (const indexed of [tiers, [tiers[0], null, "'ann':*", null]])
          for (const expected of [null, 6])
            for (const [tier, id, maxRows] of [
              [1, 'ffffffff-ffff-ffff-ffff-ffffffffffff', 2400],
              [1, 'ffffffff-ffff-ffff-ffff-ffffffffffff', 7],
              [2, middle?.contact_id ?? '', 100],
            ] as const) {
              const found = await client.query('select * from contacts_in_tiers($1, $2, $3, $4, $5, $6, $7, $8)', [
                tiers,
                indexed,
                tiers.map(() => expected),
                indexed === tiers ? tiers.join(' | ') : null,
                tier,
                id,
                maxRows,
                rows.map((row) => row.id),
              ])
              const later = all.filter((each) => each.tier > tier || (each.tier === tier && each.contact_id < id))
              expect(found.rows).toEqual(later.slice(0, maxRows))
            }
      }
    } finally {
      await client.query('rollback')
      client.release()
    }
  })

  it('find few contacts among the matches of a text, by pages', async () => {
    const caller = await organization()
    await fill(
      caller,
      Array.from({ length: 40 }, (_, at) => ({ name: at % 7 === 0 ? 'Ann' : 'Anna', tags: at % 2 === 0 ? ['few'] : [] })),
    )
    const pages: string[][] = []
    for (let cursor = ''; pages.length < 30;) {
      const { body, headers } = await caller.call('GET', `/v1/contacts?q=ann&tag=few&limit=4${cursor}`)
      pages.push(body.map(({ id }: { id: string }) => id))
      const next = headers['x-next-cursor']
      if (typeof next !== 'string') break
      cursor = `&cursor=${next}`
    }
    const all = (await caller.call('GET', '/v1/contacts?q=ann&tag=few&limit=100')).body
    expect(pages.flat()).toEqual(all.map(({ id }: { id: string }) => id))
    expect(all.map(({ firstName }: { firstName: string }) => firstName)).toEqual([...Array(3).fill('Ann'), ...Array(17).fill('Anna')])
    expect((await caller.call('GET', '/v1/contacts?q=ann&tag=none')).body).toEqual([])
  })
})
