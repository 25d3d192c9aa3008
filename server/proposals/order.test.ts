import { proposalSorts } from '@groundwork/api'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { isAfter } from '../db/list-order.ts'
import { testApp } from '../testing/app.ts'
import { planOf } from '../testing/plan-of.ts'
import { proposalOrder } from './order.ts'

const { organization } = await testApp()

test.each(proposalSorts)('a page by %s begins at its place in the index, whatever precedes it', async (sort) => {
  const { ctx } = await organization()
  const order = proposalOrder(sort)
  const value = sort.endsWith('Amount') ? '100' : '2026-01-01'
  const after = isAfter(order, { value, id: '00000000-0000-7000-8000-000000000000' }, sql`proposal.id`)
  const inOrder = sql`${order.key} ${sql.raw(order.direction)}, id ${sql.raw(order.direction)}`
  expect(await planOf(ctx, sql`select id from proposal where ${after} order by ${inOrder} limit 2`)).toMatch(/Index Cond: .*ROW\(/)
})
