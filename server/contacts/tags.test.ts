import { readFile } from 'node:fs/promises'
import { describe, expect, it, vi } from 'vitest'
import { createOutbound } from '../outbound/outbound.ts'
import { testApp, type Caller } from '../testing/app.ts'

const { organization, database } = await testApp({ worker: { outbound: createOutbound({ allowHosts: [], userAgent: 'test' }) } })

const eventually = (condition: () => Promise<boolean>) => vi.waitUntil(condition, { timeout: 120_000 })

async function tagged({ call }: Caller, ...tags: string[]): Promise<string> {
  const answer = await call('POST', '/v1/contacts', { email: 'a@example.com', tags })
  expect(answer.status).toBe(201)
  return answer.body.id
}
const tagsOf = async ({ call }: Caller, id: string): Promise<string[]> => (await call('GET', `/v1/contacts/${id}`)).body.tags
const list = async ({ call }: Caller, query = '') => (await call('GET', `/v1/contacts/tags${query}`)).body.data

describe('tags', () => {
  it('have the same lower case in records and in the database', async () => {
    const caller = await organization()
    const tags = ['ΠΕΛΑΤΗΣ', 'πελατησ', 'İstanbul', 'istanbul', 'ΟΔΟΣ', 'ẞ', 'ß', 'ÉTÉ', 'été', 'ǅ', 'ﬃ']
    const contact = await tagged(caller, ...tags)
    const kept = ['ΠΕΛΑΤΗΣ', 'İstanbul', 'ΟΔΟΣ', 'ẞ', 'ÉTÉ', 'ǅ', 'ﬃ']
    expect(await tagsOf(caller, contact)).toEqual(kept)
    for (const tag of tags)
      expect([tag, (await caller.call('GET', `/v1/contacts?tag=${encodeURIComponent(tag)}`)).body.length]).toEqual([tag, 1])
    expect((await list(caller)).length).toBe(kept.length)
    const merged = await caller.call('POST', '/v1/contacts/tags/delete', { tags: ['πελατησ', 'ISTANBUL'] })
    expect([merged.status, merged.body.contacts]).toEqual([200, 1])
    expect(await tagsOf(caller, contact)).toEqual(kept.slice(2))
  })

  it('ignore case in records, filters and counts', async () => {
    const caller = await organization()
    const first = await tagged(caller, 'VIP', 'Straße', 'vip')
    const second = await tagged(caller, 'vip', 'rental')
    await tagged(await organization(), 'hidden')
    expect(await tagsOf(caller, first)).toEqual(['VIP', 'Straße'])
    // Contacts of former versions can have both spellings.
    await database.pool.query(`update contact set tags = '{vip,VIP,x}' where id = $1`, [second.slice(4)])
    const found = (await caller.call('GET', '/v1/contacts?tag=Vip')).body.map(({ id }: { id: string }) => id)
    expect(found).toEqual([second, first])
    expect((await caller.call('GET', '/v1/contacts?tag=VIP&tag=straßE')).body).toHaveLength(1)
    expect(await list(caller)).toEqual([
      { name: 'VIP', contacts: 3 },
      { name: 'Straße', contacts: 1 },
      { name: 'x', contacts: 1 },
    ])
    const firstPage = (await caller.call('GET', '/v1/contacts/tags?limit=2')).body
    expect((await caller.call('GET', `/v1/contacts/tags?limit=2&cursor=${firstPage.nextCursor}`)).body).toEqual({
      data: [{ name: 'x', contacts: 1 }],
      nextCursor: null,
    })
    expect((await caller.call('GET', '/v1/contacts/tags?cursor=x')).body.error.field).toBe('cursor')
    expect(await list(caller, '?q=VI')).toEqual([{ name: 'VIP', contacts: 3 }])
  })

  it('are renamed, merged and removed with an event for each contact', async () => {
    const caller = await organization()
    const { call } = caller
    const [a, b, other] = [
      await tagged(caller, 'one', 'Lead', 'two'),
      await tagged(caller, 'prospect', 'lead'),
      await tagged(caller, 'two'),
    ]
    const change = async (verb: string, body: object) => {
      const answer = await call('POST', `/v1/contacts/tags/${verb}`, body)
      expect([verb, answer.status, answer.body]).toEqual([verb, 200, expect.anything()])
      return answer.body
    }
    expect(await change('rename', { tag: 'LEAD', name: 'Leads' })).toEqual({ contacts: 2, done: true })
    expect([await tagsOf(caller, a), await tagsOf(caller, b)]).toEqual([
      ['one', 'Leads', 'two'],
      ['prospect', 'Leads'],
    ])
    expect(await call('POST', '/v1/contacts/tags/rename', { tag: 'leads', name: 'TWO' })).toMatchObject({ status: 409 })
    expect(await change('rename', { tag: 'leads', name: 'LEADS' })).toEqual({ contacts: 2, done: true })
    expect(await change('merge', { tags: ['prospect', 'leads'], into: 'lead' })).toEqual({ contacts: 2, done: true })
    expect([await tagsOf(caller, a), await tagsOf(caller, b)]).toEqual([['one', 'lead', 'two'], ['lead']])
    expect(await change('delete', { tags: ['TWO', 'none'] })).toEqual({ contacts: 2, done: true })
    expect([await tagsOf(caller, a), await tagsOf(caller, other)]).toEqual([['one', 'lead'], []])
    expect(await change('delete', { tags: ['none'] })).toEqual({ contacts: 0, done: true })
    const events = (await call('GET', '/v1/events?type=contact.updated')).body.data
    expect(events).toHaveLength(8)
    expect(events[0].data.tags).not.toContain('two')
  })

  it('of many contacts change in a job', async () => {
    const caller = await organization()
    await database.pool.query(
      `insert into contact (organization_id, id, email, tags, created_at, updated_at)
       select $1, gen_random_uuid(), n || '@example.com', '{old,kept}', now(), now() from generate_series(1, 1100) n`,
      [caller.organizationId],
    )
    const answer = await caller.call('POST', '/v1/contacts/tags/rename', { tag: 'old', name: 'new' })
    expect(answer.body).toEqual({ contacts: 1100, done: false })
    await eventually(async () => (await list(caller, '?q=old')).length === 0)
    expect(await list(caller)).toEqual([
      { name: 'kept', contacts: 1100 },
      { name: 'new', contacts: 1100 },
    ])
    const { rows } = await database.pool.query(`select count(*)::integer as n from event where organization_id = $1`, [
      caller.organizationId,
    ])
    expect(rows).toEqual([{ n: 1100 }])
  })

  it('are stored in the order of creation for filters, whatever changes', async () => {
    const caller = await organization()
    const { call, organizationId } = caller
    const stored = async () => {
      const { rows } = await database.pool.query<{ tag: string; id: string; created: string; created_at: string }>(
        `select t.tag, t.contact_id as id, t.contact_created_at::text as created, c.created_at::text as created_at
         from contact_tag t left join contact c on c.organization_id = t.organization_id and c.id = t.contact_id
         where t.organization_id = $1 order by t.contact_created_at, t.tag`,
        [organizationId],
      )
      expect(rows.map(({ created }) => created)).toEqual(rows.map(({ created_at }) => created_at))
      return rows.map(({ tag, id }) => [tag, `ctc_${id}`])
    }
    const first = await tagged(caller, 'VIP', 'Straße')
    const second = await tagged(caller, 'vip')
    const ofFirst = [
      ['straße', first],
      ['vip', first],
    ]
    expect(await stored()).toEqual([...ofFirst, ['vip', second]])
    expect((await call('PATCH', `/v1/contacts/${second}`, { tags: ['New', 'Vip'] })).status).toBe(200)
    expect(await stored()).toEqual([...ofFirst, ['new', second], ['vip', second]])
    expect((await call('PATCH', `/v1/contacts/${second}`, { tags: ['new'] })).status).toBe(200)
    expect(await stored()).toEqual([...ofFirst, ['new', second]])
    expect((await call('DELETE', `/v1/contacts/${first}`)).status).toBe(204)
    expect(await stored()).toEqual([['new', second]])
    expect((await call('POST', `/v1/contacts/${first}/restore`)).status).toBe(200)
    expect(await stored()).toEqual([...ofFirst, ['new', second]])
    await database.pool.query('delete from contact where id = $1', [second.slice(4)])
    expect(await stored()).toEqual(ofFirst)
  })

  it('of contacts of former versions are stored by the migration', async () => {
    const caller = await organization()
    await database.pool.query(
      `insert into contact (organization_id, id, email, tags, created_at, updated_at, deleted_at)
       select $1, gen_random_uuid(), n || '@example.com', case when n % 3 > 0 then array['Old', 'T' || n % 7] else '{}' end, now(), now(),
         case when n % 50 = 1 then now() end
       from generate_series(1, 1600) n`,
      [caller.organizationId],
    )
    const all = async () => {
      const { rows } = await database.pool.query(`select * from contact_tag where organization_id = $1 order by tag, contact_id`, [
        caller.organizationId,
      ])
      return rows
    }
    const before = await all()
    expect(before).toHaveLength(2 * (1067 - 21))
    await database.pool.query(`create table installation.contact_tags_filled as
      select '00000000-0000-0000-0000-000000000000'::uuid as organization_id, '00000000-0000-0000-0000-000000000000'::uuid as contact_id`)
    await database.pool.query('delete from contact_tag')
    const sql = await readFile(new URL('../db/migrations/0205_fill_contact_tags.sql', import.meta.url), 'utf8')
    while ((await database.pool.query(sql)).rowCount !== 0);
    await database.pool.query('drop table installation.contact_tags_filled')
    expect(await all()).toEqual(before)
  })
})
