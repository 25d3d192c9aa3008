import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { presentCompany } from '../companies/survivor.ts'
import { testApp } from '../testing/app.ts'
import { planOf } from '../testing/plan-of.ts'
import { presentContact } from './survivor.ts'

const { organization } = await testApp()
const { ctx, organizationId } = await organization()
// In empty tables, reading everything by any index takes as long.
for (const statement of [
  `insert into contact (organization_id, id, created_at, updated_at) select $1, gen_random_uuid(), now(), now() from generate_series(1, 300)`,
  `insert into activity (organization_id, id, contact_id, type, occurred_at, actor_type, created_at, updated_at)
   select $1, gen_random_uuid(), id, 'note', now(), 'system', now(), now() from contact where organization_id = $1`,
  `insert into proposal (organization_id, id, number, title, contact_id, total_amount, currency, status, sent_at, completed_at, created_at, updated_at, content_version, totals)
   select $1, gen_random_uuid(), row_number() over (), 'Offer', id, 1, 'EUR', 'completed', now(), now(), now(), now(), 2,
     '{"subtotal": "1.00", "discountTotal": "0.00", "taxes": [], "taxTotal": "0.00"}'
   from contact where organization_id = $1`,
])
  await ctx.db.pool.query(statement, [organizationId])
await ctx.db.pool.query('analyze contact, activity, proposal')

const id = '0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8'

it.each([
  ['contacts of a company', sql`select from contact where deleted_at is null and company_id = ${presentCompany(id)}`, 'company_id'],
  ['proposals of a contact', sql`select from proposal where contact_id = ${presentContact(id)}`, 'contact_id'],
  ['activities of a contact', sql`select from activity where contact_id = ${presentContact(id)}`, 'contact_id'],
])('an index finds %s by a former id', async (_, statement, column) => {
  expect(await planOf(ctx, statement)).toMatch(new RegExp(`Index Cond: .*\\b${column} = `))
})
