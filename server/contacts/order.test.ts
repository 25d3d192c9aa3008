import { sql } from 'kysely'
import { describe, expect, it, test } from 'vitest'
import { isAfter } from '../db/list-order.ts'
import { testApp } from '../testing/app.ts'
import { planOf } from '../testing/plan-of.ts'
import { contactOrder } from './order.ts'

const { organization } = await testApp()

const someId = '00000000-0000-7000-8000-000000000000'

const caller = await organization()
// In an empty table, sorting the rows of any index takes as long.
await caller.ctx.db.pool.query(
  `insert into contact (organization_id, id, last_interaction_at, created_at, updated_at)
   select $1, gen_random_uuid(), at, at, at from (select timestamptz '2025-06-01' + n * interval '3 hours' as at from generate_series(1, 3000) n) times`,
  [caller.organizationId],
)
await caller.ctx.db.pool.query('analyze contact')

test.each(['createdAt', '-createdAt', 'updatedAt', '-updatedAt', 'lastInteractionAt', '-lastInteractionAt'] as const)(
  'a page by %s begins at its place in the index, whatever precedes it',
  async (sort) => {
    const { ctx } = caller
    const order = contactOrder(sort)
    const after = isAfter(order, { value: '2026-01-01', id: someId }, sql`contact.id`)
    const inOrder = sql`${order.key} ${sql.raw(order.direction)}, id ${sql.raw(order.direction)}`
    expect(await planOf(ctx, sql`select id from contact where ${after} and deleted_at is null order by ${inOrder} limit 2`)).toMatch(
      /Index Cond: .*ROW\(/,
    )
  },
)

describe('a page by name', () => {
  it('reads its contacts alone', async () => {
    const { ctx, organizationId } = await organization()
    await ctx.db.pool.query(
      `insert into contact (organization_id, id, last_name, created_at, updated_at)
       select $1, gen_random_uuid(), 'Name ' || n, now(), now() from generate_series(1, 3000) n`,
      [organizationId],
    )
    await ctx.db.pool.query('analyze contact')
    const client = await ctx.db.pool.connect()
    await client.query('begin')
    await client.query(`set local app.organization_id = '${organizationId}'`)
    const blocks: number[] = []
    for (const [descends, after] of [
      [false, 'name 9'],
      [true, 'name 1'],
    ] as const) {
      const text = `explain (analyze, buffers, format json) select * from contacts_by_name($1, $2, $3, 5)`
      // Planning the statements of the function reads the catalog, but only at first.
      for (const _ of [1, 2]) {
        const { rows } = await client.query(text, [descends, after, someId])
        blocks.push(rows[0]['QUERY PLAN'][0]['Plan']['Shared Hit Blocks'] + rows[0]['QUERY PLAN'][0]['Plan']['Shared Read Blocks'])
      }
    }
    await client.query('rollback')
    client.release()
    expect(blocks[1]).toBeLessThan(100)
    expect(blocks[3]).toBeLessThan(100)
  })

  it('skips contacts that other conditions exclude, however many follow each other', async () => {
    const { call, ctx, organizationId } = await organization()
    await ctx.db.pool.query(
      `insert into contact (organization_id, id, last_name, source, created_at, updated_at, deleted_at)
       select $1, gen_random_uuid(), 'Name ' || lpad(n::text, 4, '0'), 'import', case when n % 150 = 7 then timestamptz '2026-02-01' else '2026-01-01' end, now(),
         case when n % 300 = 157 then now() end
       from generate_series(1, 1200) n`,
      [organizationId],
    )
    for (const sort of ['name', '-name']) {
      const names: string[] = []
      for (let cursor = ''; ;) {
        const { body, headers } = await call('GET', `/v1/contacts?createdAfter=2026-01-15T00:00:00Z&sort=${sort}&limit=1${cursor}`)
        names.push(...body.map(({ lastName }: { lastName: string }) => lastName))
        if (typeof headers['x-next-cursor'] !== 'string') break
        cursor = `&cursor=${headers['x-next-cursor']}`
      }
      const expected = ['Name 0007', 'Name 0307', 'Name 0607', 'Name 0907']
      expect(names).toEqual(sort === 'name' ? expected : expected.toReversed())
    }
  })
})
