import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { presentCompany } from '../companies/survivor.ts'
import { testApp } from '../testing/app.ts'
import { planOf } from '../testing/plan-of.ts'
import { presentContact } from './survivor.ts'

const { organization } = await testApp()
const { ctx } = await organization()

const id = '0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8'

it.each([
  ['contacts of a company', sql`select from contact where deleted_at is null and company_id = ${presentCompany(id)}`, 'company_id'],
  ['proposals of a contact', sql`select from proposal where contact_id = ${presentContact(id)}`, 'contact_id'],
  ['activities of a contact', sql`select from activity where contact_id = ${presentContact(id)}`, 'contact_id'],
])('an index finds %s by a former id', async (_, statement, column) => {
  expect(await planOf(ctx, statement)).toMatch(new RegExp(`Index Cond: .*\\b${column} = `))
})
