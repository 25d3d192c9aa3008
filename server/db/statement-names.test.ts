import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testApp } from '../testing/app.ts'
import { statementNames } from './statement-names.ts'

describe('names of statements', () => {
  it('are kept for those used most recently', () => {
    const names = statementNames(3)
    const [a, b, c] = ['a', 'b', 'c'].map((text) => names.of(text))
    expect(names.of('a')).toBe(a)
    const d = names.of('d')
    expect(new Set([a, b, c, d]).size).toBe(4)
    expect(['c', 'a', 'd'].map((text) => names.of(text))).toEqual([c, a, d])
    expect(names.of('b')).not.toBe(b)
  })

  it('are not given to texts that are too long to keep prepared', () => {
    expect(statementNames(3).of('x'.repeat(20_001))).toBeUndefined()
  })
})

describe('after a thousand different statements', async () => {
  const { organization, database } = await testApp()
  const caller = await organization()
  const { organizationId: id } = caller
  for (const email of ['a@example.com', 'b@example.com', 'c@example.com']) await caller.call('POST', '/v1/contacts', { email })

  it('each was answered for its organization, also without parameters', async () => {
    for (let n = 0; n < 1000; n += 1) {
      const statement = (db: Parameters<Parameters<typeof database.select>[1]>[0]) =>
        db.selectFrom('contact').select(sql<number>`count(*) + ${sql.lit(n)}`.as('n'))
      const rows = n % 2 === 0 ? await database.select(id, statement) : await database.transaction(id, (trx) => statement(trx).execute())
      expect(rows).toEqual([{ n: 3 + n }])
    }
  })

  it('totals and overview are true', async () => {
    const { headers } = await caller.call('GET', '/v1/contacts?count=true')
    expect(headers['x-total-count']).toBe('3')
    const { body } = await caller.call('GET', '/v1/overview')
    expect(body.totals.contacts).toBe(3)
  })

  it('a connection keeps no more than 200 prepared, beside those of its own', async () => {
    const { rows } = await database.pool.query<{ n: number }>('select count(*) as n from pg_prepared_statements')
    // The embedded engine has one session for all connections.
    expect(rows[0]?.n).toBeLessThanOrEqual(204 * database.pool.totalCount)
    expect(rows[0]?.n).toBeGreaterThan(4)
  })
})
