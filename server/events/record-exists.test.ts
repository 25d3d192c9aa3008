import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testApp } from '../testing/app.ts'
import { planOf } from '../testing/plan-of.ts'
import { recordExists } from './record.ts'

it('the recipients of an event are found by the index of contacts', async () => {
  const { organization } = await testApp()
  const { ctx } = await organization()
  const plan = await planOf(ctx, sql`select ${recordExists} from event`)
  expect(plan).toMatch(/Index Cond: .*\bid = \(COALESCE\(/)
  expect(plan).not.toMatch(/Join Filter/)
})
