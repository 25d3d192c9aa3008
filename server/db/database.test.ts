import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { newId } from '../lib/ids.ts'
import { copyOfTemplate } from '../testing/template.ts'
import type { Database } from './database.ts'

let database: Database
let close: () => Promise<void>
const [first, second] = [newId(), newId()]

beforeAll(async () => {
  const copy = await copyOfTemplate({ serverUrl: inject('serverUrl'), embeddedTemplate: inject('embeddedTemplate') })
  database = copy.database
  close = copy.close
  for (const id of [first, second])
    await database.pool.query(`insert into organization (id, name, created_at) values ($1, 'Test', now())`, [id])
})
afterAll(() => close())

const organizations = (id: string): Promise<{ id: string }[]> => database.select(id, (db) => db.selectFrom('organization').select('id'))
const addBase = (organizationId: string, id: string) => (trx: Parameters<Parameters<Database['transaction']>[1]>[0]) =>
  trx
    .insertInto('base')
    .values({ organization_id: organizationId, id, name: 'B', rag_settings: '{}', created_at: new Date(), updated_at: new Date() })
    .execute()
const bases = (organizationId: string): Promise<{ id: string }[]> =>
  database.select(organizationId, (db) => db.selectFrom('base').select('id'))

it.each([
  '0001-01-01T00:00:00.000Z',
  '0024-05-01T10:00:00.000Z',
  '0099-12-31T23:59:59.999Z',
  '0100-01-01T00:00:00.000Z',
  '2026-11-30T12:00:00.250Z',
])('returns the time %s as it was stored', async (time) => {
  const { rows } = await database.pool.query<{ time: Date }>('select $1::timestamptz as time', [time])
  expect(rows[0]?.time.toISOString()).toBe(time)
})

describe('a transaction of an organization', () => {
  it('sees that one alone, however many go on at once', async () => {
    const seen = await Promise.all(Array.from({ length: 60 }, (_, n) => organizations(n % 2 === 0 ? first : second)))
    expect(seen.map((rows) => rows.map(({ id }) => id))).toEqual(Array.from({ length: 60 }, (_, n) => [n % 2 === 0 ? first : second]))
  })

  it('runs as a role that owns nothing, and leaves the connection as it was', async () => {
    const [row] = await database.select(first, (db) => db.selectNoFrom(sql<string>`current_user::text`.as('role')))
    expect(row).toEqual({ role: 'groundwork_app' })
    const { rows } = await database.pool.query<{ role: string; organization: string }>(
      `select current_user::text as role, coalesce(current_setting('app.organization_id', true), '') as organization`,
    )
    expect(rows[0]).toMatchObject({ organization: '' })
    expect(rows[0]?.role).not.toBe('groundwork_app')
  })

  it('plans a statement once where it is asked to, and the one behind it as ever', async () => {
    const planning = async (plannedOnce?: boolean) => {
      const setting = (name: string) => sql<string>`current_setting(${name})`
      const [row] = await database.select(
        first,
        (db) => db.selectNoFrom([setting('plan_cache_mode').as('mode'), setting('enable_seqscan').as('scans')]),
        plannedOnce === undefined ? {} : { plannedOnce },
      )
      return row
    }
    const [once, asEver] = [
      { mode: 'force_generic_plan', scans: 'off' },
      { mode: 'auto', scans: 'on' },
    ]
    expect(await Promise.all([planning(true), planning(), planning(true), planning(false)])).toEqual([once, asEver, once, asEver])
    expect(await planning()).toEqual(asEver)
  })

  it('keeps all or nothing', async () => {
    const [kept, lost] = [newId(), newId()]
    await database.transaction(first, addBase(first, kept))
    await expect(
      database.transaction(first, async (trx) => {
        await addBase(first, lost)(trx)
        throw new Error('second thoughts')
      }),
    ).rejects.toThrow('second thoughts')
    expect(await bases(first)).toEqual([{ id: kept }])
  })

  it('cannot write into another organization', async () => {
    await expect(database.transaction(first, addBase(second, newId()))).rejects.toThrow('row-level security')
    expect(await bases(second)).toEqual([])
  })

  it('that fails tells its first error, and the connection serves on', async () => {
    for (let round = 0; round < 30; round += 1) {
      await expect(database.transaction(first, (trx) => sql`select 1 / 0`.execute(trx))).rejects.toThrow('division by zero')
      await expect(database.select(first, (db) => db.selectFrom('nowhere' as 'base').select('id'))).rejects.toThrow('nowhere')
      await expect(
        database.transaction(first, (trx) => Promise.all([sql`select 1 / 0`.execute(trx), sql`select 2`.execute(trx)])),
      ).rejects.toThrow('division by zero')
    }
    expect(await organizations(first)).toEqual([{ id: first }])
  })

  it('is repeated when a migration adds a column under its prepared statements, whichever of them it is', async () => {
    const runs: string[] = []
    const twoStatements = () =>
      database.transaction(first, async (trx) => {
        runs.push('run')
        await trx.selectFrom('organization').select('id').execute()
        return trx.selectFrom('company').selectAll().execute()
      })
    await Promise.all(Array.from({ length: 30 }, twoStatements))
    await database.pool.query('alter table company add column later text')
    runs.length = 0
    for (let round = 0; round < 30; round += 1) expect(await twoStatements()).toEqual([])
    // All connections prepare their statements again after the first failure.
    expect(runs).toHaveLength(31)
  })

  it('serves on when a migration adds a column under statements that are planned already', async () => {
    const all = () => database.select(second, (db) => db.selectFrom('contact').selectAll())
    await Promise.all(Array.from({ length: 20 }, all))
    await database.pool.query('alter table contact add column later text')
    const outcomes: string[] = []
    for (let round = 0; round < 30; round += 1)
      outcomes.push(
        await all().then(
          () => 'rows',
          (error: { code: string }) => error.code,
        ),
      )
    expect(outcomes.at(-1)).toBe('rows')
    expect(outcomes.filter((outcome) => outcome !== 'rows' && outcome !== '0A000')).toEqual([])
  })
})
