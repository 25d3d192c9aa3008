import { expect, it } from 'vitest'
import type { Context } from './context.ts'
import { auditRetention } from './audit/retention.ts'
import { eventRetention } from './events/retention.ts'
import { defaultRetentionDays } from './lib/retention-days.ts'
import { testApp } from './testing/app.ts'
import { jobName } from './testing/delayed-jobs.ts'

const { organization, database } = await testApp()

it('logs are deleted after the days of their settings', async () => {
  const caller = await organization()
  await caller.call('POST', '/v1/bases', { name: 'A' })
  const { organizationId } = caller
  for (const table of ['event', 'audit_entry'])
    await database.pool.query(`update ${table} set created_at = now() - interval '31 days' where organization_id = $1`, [organizationId])
  const rows = async (table: string): Promise<number> =>
    (await database.pool.query(`select from ${table} where organization_id = $1`, [organizationId])).rows.length
  const during = (days: number): Context => ({ ...caller.ctx, retentionDays: { events: days, audit: days, retrievals: days } })
  for (const [{ work }, table] of [
    [eventRetention, 'event'],
    [auditRetention, 'audit_entry'],
  ] as const) {
    await work.run(during(32), {})
    expect(await rows(table)).toBeGreaterThan(0)
    await work.run(during(30), {})
    expect(await rows(table)).toBe(0)
  }
})

it('a shortened setting also deletes older rows on the next day', async () => {
  const { ctx, organizationId } = await organization()
  const delays = async (events: number): Promise<number[]> => {
    await database.pool.query(`delete from pgboss.job where data ->> 'organizationId' = $1`, [organizationId])
    const during = { ...ctx, retentionDays: { ...defaultRetentionDays, events } }
    await ctx.db.transaction(organizationId, (trx) => eventRetention.enqueue(during, trx, null, new Date()))
    const { rows } = await database.pool.query<{ days: number }>(
      `select round(extract(epoch from start_after - created_on) / 86400)::integer as days from pgboss.job
       where ${jobName} = $1 and data ->> 'organizationId' = $2 order by 1`,
      [eventRetention.work.name, organizationId],
    )
    return rows.map(({ days }) => days)
  }
  expect(await delays(90)).toEqual([91])
  expect(await delays(200)).toEqual([201])
  expect(await delays(30)).toEqual([0, 31])
})
