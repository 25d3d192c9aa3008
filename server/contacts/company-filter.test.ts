import { sql } from 'kysely'
import { expect, it, test } from 'vitest'
import { testApp } from '../testing/app.ts'
import { planOf } from '../testing/plan-of.ts'
import { companyCondition } from './filter.ts'

const { organization } = await testApp()
const { call, ctx, organizationId } = await organization()

const run = (statement: string): Promise<unknown> => ctx.db.pool.query(statement, [organizationId])
// More companies with the tag "Client" than are collected at once; every tenth contact has one of them.
await run(`insert into company (organization_id, id, name, vat_id, phone, domains, tags, address, created_at, updated_at)
  select $1, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Company ' || n, 'DE' || n, '+49301000' || n, array['c' || n || '.example'],
    case when n % 1000 = 1 then '{Client,Partner}' else '{Client}' end::text[],
    jsonb_build_object('city', 'City ' || n % 500, 'country', case when n = 77 then 'AT' else 'DE' end), now(), now()
  from generate_series(1, 2600) n`)
await run(`insert into company_domain select organization_id, domains[1], id from company where organization_id = $1`)
await run(`insert into contact (organization_id, id, last_name, company_id, created_at, updated_at)
  select $1, gen_random_uuid(), 'Contact ' || n, case when n % 2 = 0 then ('00000000-0000-7000-8000-' || lpad((n / 2)::text, 12, '0'))::uuid end,
    timestamptz '2026-01-01' + n * interval '1 second', now()
  from generate_series(1, 5200) n`)
await ctx.db.pool.query('analyze company, company_domain, contact')

async function found(filter: object, others: object = {}): Promise<number[]> {
  const { status, body } = await call('POST', '/v1/contacts/search', { filter, limit: 5, ...others })
  expect(status).toBe(200)
  return body.data.map(({ contact }: { contact: { lastName: string } }) => Number(contact.lastName.slice('Contact '.length)) / 2)
}

it.each([
  ['a tag of few', { key: 'company.tags', eq: 'partner' }, [2001, 1001, 1]],
  ['a tag of very many', { key: 'company.tags', eq: 'CLIENT' }, [2600, 2599, 2598, 2597, 2596]],
  ['a tag of none', { key: 'company.tags', eq: 'Supplier' }, []],
  ['a city', { key: 'company.address.city', in: ['City 3', 'City 4'] }, [2504, 2503, 2004, 2003, 1504]],
  ['a country of one', { key: 'company.address.country', eq: 'AT' }, [77]],
  ['a country of very many', { key: 'company.address.country', eq: 'DE' }, [2600, 2599, 2598, 2597, 2596]],
  ['a name', { key: 'company', eq: 'Company 12' }, [12]],
  ['a domain', { key: 'company.domains', in: ['C7.example', 'c9.example'] }, [9, 7]],
  ['a VAT id', { key: 'company.vatId', eq: 'DE12' }, [12]],
  [
    'a tag or a name',
    {
      or: [
        { key: 'company.tags', eq: 'Partner' },
        { key: 'company', eq: 'Company 12' },
      ],
    },
    [2001, 1001, 12, 1],
  ],
  [
    'a tag and a city',
    {
      and: [
        { key: 'company.tags', eq: 'Partner' },
        { key: 'company.address.city', eq: 'City 1' },
      ],
    },
    [2001, 1001, 1],
  ],
  [
    'a country but not a tag',
    { and: [{ key: 'company.address.city', eq: 'City 1' }, { not: { key: 'company.tags', eq: 'Partner' } }] },
    [2501, 1501, 501],
  ],
])('finds the contacts of companies with %s, newest first', async (_, filter, expected) => {
  expect(await found(filter)).toEqual(expected)
})

it('finds them by name, page by page, and counts them', async () => {
  const filter = { key: 'company.tags', eq: 'partner' }
  expect(await found(filter, { sort: 'name' })).toEqual([1, 1001, 2001])
  const first = await call('POST', '/v1/contacts/search', { filter, limit: 2, count: true })
  expect(first.body.total).toBe(3)
  expect(await found(filter, { limit: 2, cursor: first.body.nextCursor })).toEqual([1])
  expect(
    (await call('POST', '/v1/contacts/search', { filter: { key: 'company.tags', eq: 'client' }, limit: 1, count: true })).body.total,
  ).toBe(2600)
})

it('finds a text among them', async () => {
  expect((await found({ key: 'company.tags', eq: 'Partner' }, { q: 'contact' })).toSorted((a, b) => a - b)).toEqual([1, 1001, 2001])
  expect(await found({ key: 'company.tags', eq: 'Client' }, { q: 'contact 4', limit: 1 })).toEqual([2])
})

test.each([
  ['name', { key: 'company', eq: 'Company 12' }, /Index Cond: .*name = /],
  ['domain', { key: 'company.domains', eq: 'c7.example' }, /Index Cond: .*domain = /],
  ['VAT id', { key: 'company.vatId', eq: 'DE12' }, /Index Cond: .*vat_id = /],
  ['phone', { key: 'company.phone', eq: '+49 30 10007' }, /Index Cond: .*phone = /],
])('an index has companies by their %s', async (_, filter, expected) => {
  const condition = companyCondition(filter)
  expect(await planOf(ctx, sql`select id from company where deleted_at is null and ${condition}`)).toMatch(expected)
})
