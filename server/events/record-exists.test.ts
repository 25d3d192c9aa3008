import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testApp } from '../testing/app.ts'
import { planOf } from '../testing/plan-of.ts'
import { recordExists } from './record.ts'

it('the recipients of an event are found by the index of contacts', async () => {
  const { organization } = await testApp()
  const { ctx, organizationId } = await organization()
  // In an empty table, reading everything by any index takes as long.
  await ctx.db.pool.query(
    `insert into contact (organization_id, id, created_at, updated_at) select $1, gen_random_uuid(), now(), now() from generate_series(1, 300)`,
    [organizationId],
  )
  await ctx.db.pool.query('analyze contact')
  const plan = await planOf(ctx, sql`select ${recordExists} from event`)
  expect(plan).toMatch(/Index Cond: .*\bid = \(COALESCE\(/)
  expect(plan).not.toMatch(/Join Filter/)
})
