import { describe, expect, it } from 'vitest'
import { ownerQuery } from '../db/owner-query.ts'
import { withTransaction } from '../context.ts'
import { testApp } from '../testing/app.ts'
import { enqueueWork } from '../work.ts'
import { deleteIndexWork } from '../knowledge/index/remove.ts'
import { listJobs, retryJob } from './jobs.ts'

const { organization, database } = await testApp()
const { pool } = database
const query = ownerQuery(pool)

const caller = await organization()
await withTransaction(caller.ctx, (trx) => enqueueWork(caller.ctx, trx, deleteIndexWork, {}, { delaySeconds: 3600 }))

describe('jobs', () => {
  it('are listed by state, and due at once when they are retried', async () => {
    const [job, ...others] = await listJobs(query, 'waiting')
    expect([job, others]).toEqual([
      {
        id: expect.any(String),
        queue: 'delete-index',
        state: 'waiting',
        organizationId: `org_${caller.organizationId}`,
        createdAt: expect.any(String),
        dueAt: expect.any(String),
        retries: 0,
        error: null,
      },
      [],
    ])
    const { id = '' } = job ?? {}
    const isDue = async () => (await query('select from pgboss.job where id = $1 and start_after <= now()', [id])).length === 1
    expect(await isDue()).toBe(false)
    expect(await retryJob(pool, id, new Date())).toEqual({ id, queue: 'delete-index' })
    expect(await isDue()).toBe(true)

    const fail = `update pgboss.job set state = 'failed', retry_count = retry_limit, completed_on = now(), output = '{"message": "disk full"}' where id = $1`
    await query(fail, [id])
    expect(await listJobs(query, 'waiting')).toEqual([])
    expect(await listJobs(query, 'failed')).toMatchObject([{ id, state: 'failed', error: 'disk full' }])
    await retryJob(pool, id, new Date())
    const [after] = await query('select state, retry_count < retry_limit as "hasAttempt", completed_on from pgboss.job where id = $1', [id])
    expect(after).toEqual({ state: 'retry', hasAttempt: true, completed_on: null })
    const { body } = await caller.call('GET', '/v1/audit?action=job.retried')
    expect(body.data).toMatchObject([{ actor: { type: 'command_line' }, targetId: `job_${id}` }, {}])
  })

  it('that a worker has, or that do not exist, are refused', async () => {
    await query(`update pgboss.job set state = 'active'`)
    const [job] = await listJobs(query, 'active')
    for (const id of [job?.id ?? '', 'x']) await expect(retryJob(pool, id, new Date())).rejects.toThrow(`no waiting or failed job ${id}`)
  })
})
