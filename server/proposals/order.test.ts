import { proposalSorts } from '@groundwork/api'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { isAfter } from '../db/list-order.ts'
import { testApp } from '../testing/app.ts'
import { planOf } from '../testing/plan-of.ts'
import { proposalOrder } from './order.ts'

const { organization } = await testApp()
const { ctx, organizationId } = await organization()
// In an empty table, sorting the rows of any index takes as long.
for (const statement of [
  `insert into contact (organization_id, id, created_at, updated_at) values ($1, gen_random_uuid(), now(), now())`,
  `insert into proposal (organization_id, id, number, title, contact_id, total_amount, currency, status, sent_at, expires_at, completed_at, created_at, updated_at, content_version, totals)
   select $1, gen_random_uuid(), n, 'Offer', (select id from contact where organization_id = $1), n, 'EUR', 'completed', at, at, at, at, at, 2,
     '{"subtotal": "1.00", "discountTotal": "0.00", "taxes": [], "taxTotal": "0.00"}'
   from generate_series(1, 3000) n, lateral (select timestamptz '2025-06-01' + n * interval '3 hours' as at) times`,
])
  await ctx.db.pool.query(statement, [organizationId])
await ctx.db.pool.query('analyze contact, proposal')

test.each(proposalSorts)('a page by %s begins at its place in the index, whatever precedes it', async (sort) => {
  const order = proposalOrder(sort)
  const value = sort.endsWith('Amount') ? '100' : '2026-01-01'
  const after = isAfter(order, { value, id: '00000000-0000-7000-8000-000000000000' }, sql`proposal.id`)
  const inOrder = sql`${order.key} ${sql.raw(order.direction)}, id ${sql.raw(order.direction)}`
  expect(await planOf(ctx, sql`select id from proposal where ${after} order by ${inOrder} limit 2`)).toMatch(/Index Cond: .*ROW\(/)
})
