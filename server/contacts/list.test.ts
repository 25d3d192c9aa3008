import { describe, expect, it } from 'vitest'
import { testApp, type Caller } from '../testing/app.ts'

const { organization, platform } = await testApp()

/** Creates the contacts one after the other, so the last one is the newest. */
async function create({ call }: Caller, contacts: object[]): Promise<string[]> {
  const ids: string[] = []
  for (const contact of contacts) ids.push((await call('POST', '/v1/contacts', { email: 'x@example.com', ...contact })).body.id)
  return ids
}

const emails = (answer: { body: { email: string }[] }): string[] => answer.body.map((contact) => contact.email)

/** Returns the path of the next page from the Link header. */
function nextOf(headers: Record<string, unknown>): string | undefined {
  const link = headers['link']
  return typeof link === 'string' ? /^<([^>]+)>; rel="next"$/.exec(link)?.[1] : undefined
}

describe('GET /v1/contacts', () => {
  it('returns an array, newest first, with 50 contacts by default', async () => {
    const caller = await organization()
    expect(await caller.call('GET', '/v1/contacts')).toMatchObject({ status: 200, body: [] })
    const ids = await create(
      caller,
      Array.from({ length: 51 }, () => ({})),
    )
    const { body, headers } = await caller.call('GET', '/v1/contacts')
    expect(body.map((contact: { id: string }) => contact.id)).toEqual(ids.toReversed().slice(0, 50))
    expect(headers['x-total-count']).toBeUndefined()
    expect((await caller.call('GET', '/v1/contacts?count=false')).headers['x-total-count']).toBeUndefined()
    expect((await caller.call('GET', '/v1/contacts?count=true&limit=1')).headers['x-total-count']).toBe('51')
  })

  it('pages through 120 contacts without gaps or duplicates while others are created', async () => {
    const caller = await organization()
    const ids = new Set(
      await create(
        caller,
        Array.from({ length: 120 }, (_, index) => ({ tags: index % 2 === 0 ? ['even & odd', 'even'] : ['odd'] })),
      ),
    )
    const seen: string[] = []
    let next: string | undefined = '/v1/contacts?limit=7&count=true'
    while (next !== undefined) {
      const answer = await caller.call('GET', next.replace(platform.baseUrl, ''))
      expect(answer.status).toBe(200)
      seen.push(...answer.body.map((contact: { id: string }) => contact.id))
      next = nextOf(answer.headers)
      if (next === undefined) expect(answer.headers['x-next-cursor']).toBeUndefined()
      else expect(new URL(next).searchParams.get('cursor')).toBe(answer.headers['x-next-cursor'])
      await create(caller, [{}])
    }
    expect(seen).toHaveLength(120)
    expect(new Set(seen)).toEqual(ids)
  })

  it('keeps the other parameters in the Link URL', async () => {
    const caller = await organization()
    await create(caller, [{ tags: ['a&b', 'c'] }, { tags: ['a&b'] }, { tags: ['a&b', 'c'] }])
    const first = await caller.call('GET', '/v1/contacts?limit=1&tag=a%26b&tag=c')
    const next = nextOf(first.headers) ?? ''
    expect(next).toMatch(/^http:\/\/groundwork\.test\/v1\/contacts\?/)
    expect(new URL(next).searchParams.getAll('tag')).toEqual(['a&b', 'c'])
    const second = await caller.call('GET', next.slice(platform.baseUrl.length))
    expect(second.body).toHaveLength(1)
    expect(second.body[0].id).not.toBe(first.body[0].id)
    expect(nextOf(second.headers)).toBeUndefined()
  })

  it('returns contacts of the same millisecond once each', async () => {
    const { call, ctx, organizationId } = await organization()
    await ctx.db.pool.query(
      `insert into contact (organization_id, id, email, created_at, updated_at)
       select $1, gen_random_uuid(), n || '@example.com', '2026-01-01T00:00:00Z', now() from generate_series(1, 10) n`,
      [organizationId],
    )
    const seen = []
    for (let path = '/v1/contacts?limit=3'; path !== '';) {
      const answer = await call('GET', path)
      seen.push(...emails(answer))
      path = (nextOf(answer.headers) ?? '').replace(platform.baseUrl, '')
    }
    expect(new Set(seen).size).toBe(10)
    expect(seen).toHaveLength(10)
  })

  it('filters', async () => {
    const caller = await organization()
    await create(caller, [
      { email: 'a+b@example.com', phone: '+4930123456', externalId: 'x 1', tags: ['red', 'blue'] },
      { email: 'c@example.com', phone: '+4930999999', tags: ['red'] },
    ])
    const [, first] = (await caller.call('GET', '/v1/contacts')).body
    for (const [query, expected] of [
      ['tag=red', ['c@example.com', 'a+b@example.com']],
      ['tag=red&tag=blue', ['a+b@example.com']],
      ['tag=re', []],
      ['email=A%2Bb@example.com', ['a+b@example.com']],
      ['email=a+b@example.com', ['a+b@example.com']],
      ['phone=%2B49%2030%20123456', ['a+b@example.com']],
      ['phone=+4930123456', ['a+b@example.com']],
      ['phone=%2B49%20(0)30%20123456', ['a+b@example.com']],
      ['externalId=x%201', ['a+b@example.com']],
      ['companyIds=1', 400],
      [`createdAfter=${first.createdAt}`, ['c@example.com', 'a+b@example.com']],
      [`createdBefore=${first.createdAt}`, []],
      ['createdAfter=2999-01-01T00:00:00+02:00', []],
      ['createdBefore=2999-01-01T00:00:00%2B02:00', ['c@example.com', 'a+b@example.com']],
      ['createdAfter=0000-01-01T00:00:00Z', ['c@example.com', 'a+b@example.com']],
    ] as const) {
      const answer = await caller.call('GET', `/v1/contacts?${query}`)
      expect([query, typeof expected === 'number' ? answer.status : emails(answer)]).toEqual([query, expected])
    }
  })

  describe('sort', () => {
    const people = [
      { firstName: 'Zoë', lastName: 'Ahn', email: '1@example.com' },
      { firstName: 'Ann', lastName: 'Ärmel', email: '2@example.com' },
      { firstName: 'Bob', lastName: 'ahn', email: '3@example.com' },
      { email: '4@example.com' },
      { firstName: 'Ann', lastName: 'Zett', email: '5@example.com' },
    ]

    it.each([
      ['createdAt', '12345'],
      ['-createdAt', '54321'],
      ['updatedAt', '24531'],
      ['-updatedAt', '13542'],
      ['lastInteractionAt', '14532'],
      ['-lastInteractionAt', '23541'],
      ['name', '43125'],
      ['-name', '52134'],
    ])('%s returns every contact once, in order, page by page', async (sort, expected) => {
      const caller = await organization()
      const ids = await create(caller, people)
      for (const at of [4, 2, 0]) await caller.call('PATCH', `/v1/contacts/${ids[at]}`, { source: 'x' })
      await caller.ctx.db.pool.query(
        `update contact set last_interaction_at = case email when '3@example.com' then timestamptz '2026-01-01' when '2@example.com' then '2026-02-01' end
         where organization_id = $1`,
        [caller.organizationId],
      )
      const seen: string[] = []
      let next: string | undefined = `/v1/contacts?limit=2&sort=${sort}`
      while (next !== undefined) {
        const answer = await caller.call('GET', next.replace(platform.baseUrl, ''))
        seen.push(...emails(answer).map((email) => email.slice(0, 1)))
        next = nextOf(answer.headers)
      }
      const [ties, order] = [sort.includes('Interaction') ? '451' : '', seen.join('')]
      if (ties === '') expect(order).toBe(expected)
      else expect([order.replaceAll(/[145]/g, '.'), [...order].toSorted().join('')]).toEqual([expected.replaceAll(/[145]/g, '.'), '12345'])
    })

    it('neither skips nor repeats contacts that do not change while others do', async () => {
      const caller = await organization()
      const ids = await create(
        caller,
        Array.from({ length: 30 }, (_, index) => ({ firstName: 'A', lastName: String.fromCodePoint(97 + ((index * 7) % 26)) })),
      )
      for (const sort of ['updatedAt', '-updatedAt', 'name', '-name']) {
        const seen: string[] = []
        const changed = new Set<string>()
        let next: string | undefined = `/v1/contacts?limit=7&sort=${sort}`
        for (let page = 0; next !== undefined; page += 1) {
          const answer = await caller.call('GET', next.replace(platform.baseUrl, ''))
          seen.push(...answer.body.map(({ id }: { id: string }) => id))
          next = nextOf(answer.headers)
          if (page > 3) continue
          for (const id of [ids[page * 5], ids[page * 5 + 1]]) {
            if (id === undefined) continue
            changed.add(id)
            await caller.call('PATCH', `/v1/contacts/${id}`, { firstName: `B${page}${sort}`, lastName: page % 2 === 0 ? 'aa' : 'zz' })
          }
        }
        const unchanged = ids.filter((id) => !changed.has(id))
        expect([sort, seen.filter((id) => unchanged.includes(id)).toSorted()]).toEqual([sort, unchanged.toSorted()])
      }
    })

    it('continues after the longest names', async () => {
      const caller = await organization()
      const lastName = '\u{1F6B2}'.repeat(60)
      await create(caller, [
        { firstName: lastName, lastName },
        { firstName: lastName, lastName },
      ])
      const { headers } = await caller.call('GET', '/v1/contacts?limit=1&sort=name')
      const next = await caller.call('GET', (nextOf(headers) ?? '').replace(platform.baseUrl, ''))
      expect([next.status, next.body.length]).toEqual([200, 1])
    })

    it('refuses q, other values and cursors of another order', async () => {
      const caller = await organization()
      await create(caller, people)
      const cursor = String((await caller.call('GET', '/v1/contacts?limit=1&sort=name')).headers['x-next-cursor'])
      const forged = Buffer.from(JSON.stringify(['updatedAt', 'yesterday', people[0]?.email])).toString('base64url')
      for (const [field, query] of [
        ['sort', 'sort=name&q=ann'],
        ['sort', 'sort=email'],
        ['cursor', `sort=-name&cursor=${cursor}`],
        ['cursor', `cursor=${cursor}`],
        ['cursor', `sort=updatedAt&cursor=${forged}`],
        ['cursor', 'sort=updatedAt&cursor=%7B'],
      ]) {
        const { status, body } = await caller.call('GET', `/v1/contacts?${query}`)
        expect([query, status, body.error?.field]).toEqual([query, 400, field])
      }
    })
  })

  it.each([
    ['limit', 'limit=0'],
    ['limit', 'limit=101'],
    ['limit', 'limit=ten'],
    ['limit', 'limit=1.5'],
    ['limit', 'limit='],
    ['limit', 'limit=5&limit=6'],
    ['cursor', 'cursor=abc'],
    ['cursor', `cursor=${Buffer.from('1.not-a-uuid').toString('base64url')}`],
    ['cursor', 'cursor=%00'],
    ['cursor', 'cursor=a&cursor=b'],
    ['count', 'count=yes'],
    ['createdAfter', 'createdAfter=yesterday'],
    ['createdBefore', 'createdBefore=2026-13-01T00:00:00Z'],
    ['q', 'q='],
    ['q', `q=${'x'.repeat(201)}`],
    ['limt', 'limt=5'],
    ['__proto__', '__proto__=5'],
    ['constructor', 'constructor=5'],
  ])('refuses a wrong %s (%s) with 400', async (field, query) => {
    const { call } = await organization()
    const answer = await call('GET', `/v1/contacts?${query}`)
    expect([answer.status, answer.body.error.code, answer.body.error.field]).toEqual([400, 'bad_request', field])
  })

  it('accepts a cursor with any time', async () => {
    const caller = await organization()
    await create(caller, [{}])
    for (const ms of ['0', '999999999999999']) {
      const cursor = Buffer.from(`${ms}.00000000-0000-7000-8000-000000000000`).toString('base64url')
      expect((await caller.call('GET', `/v1/contacts?cursor=${cursor}`)).body).toHaveLength(ms === '0' ? 0 : 1)
    }
  })
})

describe('GET /v1/contacts?q=', () => {
  const people = [
    { firstName: 'Katherine', lastName: 'Meier', email: 'kat@example.com', phone: '+4930123456' },
    { firstName: 'John', lastName: 'Wagner', email: 'john_wagner@example.com', phone: '+12025550123' },
    { firstName: 'Jörg', lastName: 'Müller-Lüdenscheidt', email: 'jml@example.org', phone: '+4989777' },
    { firstName: '李', lastName: '小龙 100%', email: 'li@example.com', phone: '+861062345678' },
  ]

  it.each([
    ['katherine', ['kat@example.com']],
    ['KATHERINE', ['kat@example.com']],
    ['kath mei', ['kat@example.com']],
    ['meier katherine', ['kat@example.com']],
    ['catherine', ['kat@example.com']],
    ['katharine maier', ['kat@example.com']],
    ['wanger', ['john_wagner@example.com']],
    ['jonh', ['john_wagner@example.com']],
    ['müller', ['jml@example.org']],
    ['MÜLLER', ['jml@example.org']],
    ['李', ['li@example.com']],
    ['小龙', ['li@example.com']],
    ['%', []],
    [', .', []],
    ['100%', ['li@example.com']],
    ['john_', ['john_wagner@example.com']],
    ['john\\', ['john_wagner@example.com']],
    ['_____________', []],
    ['john katherine', []],
    ['Meier, Katherine', ['kat@example.com']],
    ['muller', ['jml@example.org']],
    ['Müller Lüdenscheidt', ['jml@example.org']],
    ['ivan', []],
    ['030 123456', ['kat@example.com']],
    ['+49 (0)30 123456', ['kat@example.com']],
    ['030 123457', []],
    ['+49 (30) 123-456', ['kat@example.com']],
    ['202555', ['john_wagner@example.com']],
    ['example.org', ['jml@example.org']],
    ['zzzzzzzz', []],
    ["'; drop table contact; --", []],
  ])('%s', async (q, expected) => {
    const caller = await organization()
    await create(caller, people)
    await create(await organization(), people)
    expect(emails(await caller.call('GET', `/v1/contacts?q=${encodeURIComponent(q)}&count=true`))).toEqual(expected)
  })

  it('prefers exact matches to similar words', async () => {
    const caller = await organization()
    await create(caller, [
      { firstName: 'Maria', lastName: 'A', email: 'maria@example.com' },
      { firstName: 'Mark', lastName: 'B', email: 'mark@example.com' },
    ])
    expect(emails(await caller.call('GET', '/v1/contacts?q=maria'))).toEqual(['maria@example.com'])
  })

  it('returns exact matches first, then whole words, prefixes and substrings, newest first among equals', async () => {
    const caller = await organization()
    const named = [
      ['Ann', 'Blacksmith', 'part@example.com'],
      ['Ann', 'Smithers', 'beginning@example.com'],
      ['Ann Mary', 'Smith', 'words@example.com'],
      ['Ann', 'Smith', 'older@example.com'],
      ['Smith', 'Ann', 'newer@example.com'],
      ['Joann', 'Smith', 'parts@example.com'],
    ]
    await create(
      caller,
      named.map(([firstName, lastName, email]) => ({ firstName, lastName, email })),
    )
    const expected = ['newer', 'older', 'words', 'beginning', 'parts', 'part'].map((name) => `${name}@example.com`)
    for (const q of ['Smith, Ann', 'ANN SMITH', 'ann.smith', ' smith   ann! ']) {
      expect([q, ...emails(await caller.call('GET', `/v1/contacts?q=${encodeURIComponent(q)}`))]).toEqual([q, ...expected])
    }
    const exact = await caller.call('GET', '/v1/contacts?q=parts%40example.com&limit=1')
    expect(emails(exact)).toEqual(['parts@example.com'])
  })

  it('ignores apostrophes on both sides', async () => {
    const caller = await organization()
    const names = ["O'Brien", 'O’Brien', 'OBrien']
    await create(
      caller,
      names.map((lastName, index) => ({ firstName: 'Pat', lastName, email: `${index}@example.com` })),
    )
    for (const q of [...names, 'o`brien', 'Pat O´Brien']) {
      expect((await caller.call('GET', `/v1/contacts?q=${encodeURIComponent(q)}`)).body).toHaveLength(3)
    }
  })

  it.each([
    ['Ivan Petrov', ['Иван', 'Петров']],
    ['Petrov, Ivan', ['Иван', 'Петров']],
    ['Петров, ИВАН', ['Иван', 'Петров']],
    ['Sergey Shcherbakov', ['Сергей', 'Щербаков']],
    ['Sergei Scherbakov', ['Сергей', 'Щербаков']],
    ['Georgios Papadopoulos', ['Γεώργιος', 'Παπαδόπουλος']],
    ['Mohammed Youssef', ['محمد', 'يوسف']],
    ['Muhammad Yusuf', ['محمد', 'يوسف']],
    ['Haim Cohen', ['חיים', 'כהן']],
    ['Wang Xiaoming', ['小明', '王']],
    ['Xiao-Ming Wang', ['小明', '王']],
    ['王小明', ['小明', '王']],
    ['Zeng Li', ['丽', '曾']],
    ['Kyoko Satō', ['きょうこ', 'さとう']],
    ['サトウ キョウコ', ['きょうこ', 'さとう']],
    ['Kim Min-su', ['민수', '김']],
    ['김민수', ['민수', '김']],
    ['Rajesh Sharma', ['राजेश', 'शर्मा']],
    ['Mueller', ['Jörg', 'Müller']],
    ['Петров', ['Ivan', 'Petrov']],
  ])('finds a name in any script: %s', async (q, [firstName, lastName]) => {
    const caller = await organization()
    await create(caller, [
      { firstName, lastName, email: 'wanted@example.com' },
      { firstName: 'Peter', lastName: 'Van der Berg' },
    ])
    expect(emails(await caller.call('GET', `/v1/contacts?q=${encodeURIComponent(q)}`))).toEqual(['wanted@example.com'])
  })

  it('finds emojis and other symbols, alone and beside words', async () => {
    const caller = await organization()
    await create(caller, [
      { firstName: '🚲', email: 'symbol-0@example.com' },
      { firstName: '😀', lastName: 'Smith', email: 'symbol-1@example.com' },
      { firstName: 'ー', email: 'symbol-2@example.com' },
    ])
    for (const [q, expected] of [
      ['🚲', ['symbol-0@example.com']],
      ['🚲🚲', []],
      ['😀 smith', ['symbol-1@example.com']],
      ['smith 😀', ['symbol-1@example.com']],
      ['ー', ['symbol-2@example.com']],
      ['\uFFFD', []],
    ] as const) {
      expect([q, ...emails(await caller.call('GET', `/v1/contacts?q=${encodeURIComponent(q)}`))]).toEqual([q, ...expected])
    }
    const { status, body } = await caller.call('POST', '/v1/contacts/identify', { name: '🚲' })
    expect([status, body.candidates.length]).toEqual([200, 1])
  })

  it('returns the name as it is written before its other spellings and similar names', async () => {
    const caller = await organization()
    await create(caller, [
      { firstName: 'Ivan', lastName: 'Petrov', email: 'latin@example.com' },
      { firstName: 'Ivan', lastName: 'Petrovsky', email: 'longer@example.com' },
      { firstName: 'Иван', lastName: 'Петров', email: 'cyrillic@example.com' },
      { firstName: 'Ivan', lastName: 'Petrow', email: 'similar@example.com' },
    ])
    const found = await caller.call('GET', '/v1/contacts?q=petrov+ivan')
    expect(emails(found)).toEqual(['latin@example.com', 'cyrillic@example.com', 'longer@example.com', 'similar@example.com'])
  })

  it.each(['030 1234567', '0049 30 1234567', '(030) 123 45 67', '1234567', '4567', '011 49 30 1234567', '٠٣٠١٢٣٤٥٦٧', '3012345'])(
    'finds a number as %s',
    async (q) => {
      const caller = await organization()
      await create(caller, [{ phone: '+49301234567', email: 'wanted@example.com' }, { phone: '+49307654321' }])
      expect(emails(await caller.call('GET', `/v1/contacts?q=${encodeURIComponent(q)}`))).toEqual(['wanted@example.com'])
    },
  )

  it('follows every change of a contact', async () => {
    const caller = await organization()
    const [id] = await create(caller, [{ firstName: 'Ann', lastName: 'Smith' }])
    const count = async (q: string) => (await caller.call('GET', `/v1/contacts?q=${q}`)).body.length
    await caller.call('PATCH', `/v1/contacts/${id}`, { lastName: 'Jones', phone: '+4930123456' })
    expect([await count('smith'), await count('jones'), await count('030123456')]).toEqual([0, 1, 1])
    const further = {
      emails: [{ value: 'x@example.com' }, { value: 'second@example.org' }],
      phones: [{ value: '+4930123456' }, { value: '+4989777000' }],
    }
    expect((await caller.call('PATCH', `/v1/contacts/${id}`, further)).status).toBe(200)
    expect([await count('second@example.org'), await count('second'), await count('089777000')]).toEqual([1, 1, 1])
    await caller.call('DELETE', `/v1/contacts/${id}`)
    expect(await count('jones')).toBe(0)
    await caller.call('POST', `/v1/contacts/${id}/restore`)
    expect(await count('jones')).toBe(1)
  })

  it.each([
    ['smith', 'Smith', 'exact and other matches'],
    ['smiht', 'Smith', 'typing errors'],
  ])('pages through the matches of %s without gaps or duplicates while others are created', async (q, lastName) => {
    const caller = await organization()
    const names = Array.from({ length: 40 }, (_, index) => ['', `${lastName}son`, `Black${lastName}`, lastName][index % 4] || null)
    const made = await create(
      caller,
      names.map((name, index) => ({ firstName: index % 3 === 0 ? lastName : 'X', lastName: name, email: `${index}@example.com` })),
    )
    const whole = (await caller.call('GET', `/v1/contacts?q=${q}&limit=100&count=true`)).body
    const seen: string[] = []
    let next: string | undefined = `/v1/contacts?q=${q}&limit=7&count=true`
    while (next !== undefined) {
      const answer = await caller.call('GET', next.replace(platform.baseUrl, ''))
      expect([answer.status, Number(answer.headers['x-total-count'])]).toEqual([200, expect.any(Number)])
      seen.push(...answer.body.map(({ id }: { id: string }) => id))
      next = nextOf(answer.headers)
      await create(caller, [{ firstName: 'Smih', lastName: 'Y' }])
    }
    expect(whole.length).toBeGreaterThan(14)
    const there = new Set(made)
    expect(seen.filter((id) => there.has(id))).toEqual(whole.map(({ id }: { id: string }) => id))
    expect(new Set(seen).size).toBe(seen.length)
  })

  it('combines with every other filter', async () => {
    const caller = await organization()
    const wanted = { firstName: 'Robin', email: 'robin@example.com', phone: '+442071838750', externalId: 'r-1', tags: ['vip'] }
    await create(caller, [wanted, { firstName: 'Robin', email: 'other@example.com' }])
    const before = encodeURIComponent(new Date(Date.now() + 60_000).toISOString())
    const filters = ['email=robin@example.com', 'phone=%2B442071838750', 'externalId=r-1', 'tag=vip']
    const times = `createdAfter=2026-01-01T00:00:00Z&createdBefore=${before}`
    // "robni" is a typing error, which another statement searches for.
    for (const q of ['robin', 'robni']) {
      for (const filter of filters) {
        const answer = await caller.call('GET', `/v1/contacts?q=${q}&${filter}&count=true`)
        expect([filter, answer.status, emails(answer), answer.headers['x-total-count']]).toEqual([filter, 200, ['robin@example.com'], '1'])
      }
      const timed = await caller.call('GET', `/v1/contacts?q=${q}&${times}&count=true`)
      expect([q, timed.status, emails(timed).length]).toEqual([q, 200, 2])
      expect((await caller.call('GET', `/v1/contacts?q=${q}&createdAfter=${before}`)).body).toEqual([])
    }
  })

  it('refuses a cursor of a list in another order', async () => {
    const caller = await organization()
    await create(caller, [{}, {}])
    const cursorOf = async (query: string) => String((await caller.call('GET', `/v1/contacts?limit=1${query}`)).headers['x-next-cursor'])
    for (const [query, cursor] of [
      ['&q=x', await cursorOf('')],
      ['', await cursorOf('&q=x')],
    ] as const) {
      expect(await caller.call('GET', `/v1/contacts?limit=1${query}&cursor=${cursor}`)).toMatchObject({
        status: 400,
        body: { error: { code: 'bad_request', field: 'cursor' } },
      })
    }
  })

  it('uses the index of terms despite row-level security', async () => {
    const { ctx, organizationId } = await organization()
    await ctx.db.pool.query(
      `insert into contact (organization_id, id, first_name, email, created_at, updated_at)
       select $1, gen_random_uuid(), 'Name' || n, n || '@example.com', now(), now() from generate_series(1, 2000) n`,
      [organizationId],
    )
    await ctx.db.pool.query('vacuum analyze contact_terms')
    const client = await ctx.db.pool.connect()
    await client.query('begin')
    await client.query(`set local app.organization_id = '${organizationId}'`)
    await client.query(`set local role groundwork_app`)
    const scans = `select coalesce(sum(idx_scan), 0)::int + pg_stat_get_xact_numscans('contact_terms_terms'::regclass)::int as n
      from pg_stat_user_indexes where indexrelname = 'contact_terms_terms'`
    const before = (await client.query(scans)).rows[0].n
    const { rows } = await client.query(
      `select * from contacts_in_tiers(array['name77'::tsquery], array['name77'::tsquery], array[1], 'name77', 1, $1, 10, null)`,
      ['ffffffff-ffff-ffff-ffff-ffffffffffff'],
    )
    const after = (await client.query(scans)).rows[0].n
    await client.query('rollback')
    client.release()
    expect(rows).toHaveLength(1)
    expect(after).toBeGreaterThan(before)
  })

  it('finds a contact by a rare word and words of all contacts', async () => {
    const { ctx, call, organizationId } = await organization()
    await ctx.db.pool.query(
      `insert into contact (organization_id, id, first_name, email, created_at, updated_at)
       select $1, gen_random_uuid(), 'Name' || n, 'n' || n || '@mail.example', now(), now() from generate_series(1, 2000) n`,
      [organizationId],
    )
    await ctx.db.pool.query('vacuum analyze contact_terms')
    for (const [q, email] of [
      ['n77@mail.example', 'n77@mail.example'],
      ['mail example name77', 'n77@mail.example'],
      ['name1984 mail example nobody', undefined],
    ] as const) {
      const { body } = await call('GET', `/v1/contacts?limit=5&q=${encodeURIComponent(q)}`)
      expect(body[0]?.email, q).toBe(email)
    }
  })

  it('finds the newest contacts by words of very many contacts', async () => {
    const { ctx, organizationId } = await organization()
    await ctx.db.pool.query(
      `insert into contact (organization_id, id, first_name, last_name, created_at, updated_at)
       select $1, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Kim', case when n <= 3 then 'Rare' end, now(), now()
       from generate_series(1, 20100) n`,
      [organizationId],
    )
    const found = async (condition: string): Promise<number[]> => {
      const client = await ctx.db.pool.connect()
      try {
        await client.query('begin')
        await client.query(`set local app.organization_id = '${organizationId}'`)
        const { rows } = await client.query<{ contact_id: string }>(
          `select contact_id
           from contacts_in_tiers(array[$1::tsquery], array[null::tsquery], array[20100], null, 1, 'ffffffff-ffff-ffff-ffff-ffffffffffff', 4, null)`,
          [condition],
        )
        return rows.map(({ contact_id }) => Number(contact_id.slice(-12)))
      } finally {
        await client.query('rollback')
        client.release()
      }
    }
    expect(await found('kim')).toEqual([20_100, 20_099, 20_098, 20_097])
    expect(await found('kim & rare')).toEqual([3, 2, 1])
  })

  it('pages through the contacts with a frequent word, newest first', async () => {
    const { ctx, call, organizationId } = await organization()
    await ctx.db.pool.query(
      `insert into contact (organization_id, id, first_name, created_at, updated_at)
       select $1, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, case when n % 2 = 0 then 'Kim' else 'Lee' end, now(), now()
       from generate_series(1, 3000) n`,
      [organizationId],
    )
    // With statistics, each page is looked for in a part of the contacts.
    await ctx.db.pool.query('analyze contact_terms')
    const numbers: number[] = []
    for (let cursor: unknown = ''; typeof cursor === 'string';) {
      const { body, headers } = await call('GET', `/v1/contacts?q=kim&limit=50${cursor === '' ? '' : `&cursor=${cursor}`}`)
      numbers.push(...body.map(({ id }: { id: string }) => Number(id.slice(-12))))
      cursor = headers['x-next-cursor']
    }
    expect(numbers).toEqual(Array.from({ length: 1500 }, (_, at) => 3000 - 2 * at))
  })

  it('returns the newest of very many matches', async () => {
    const { ctx, call, organizationId } = await organization()
    await ctx.db.pool.query(
      `insert into contact (organization_id, id, first_name, created_at, updated_at)
       select $1, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Kim', now(), now() from generate_series(1, 8100) n`,
      [organizationId],
    )
    const { body } = await call('GET', '/v1/contacts?q=kim&limit=2')
    expect(body.map(({ id }: { id: string }) => id)).toEqual([8100, 8099].map((n) => `ctc_00000000-0000-7000-8000-00000000${n}`))
  })
})
