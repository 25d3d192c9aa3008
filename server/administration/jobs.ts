import { wireId } from '@groundwork/api'
import type { Pool } from 'pg'
import type { OwnerQuery } from '../db/owner-query.ts'
import { ownerTransaction } from '../db/owner-transaction.ts'
import { auditByOperator } from './audit.ts'

export const jobStates = ['waiting', 'active', 'failed'] as const
export type JobState = (typeof jobStates)[number]

/** A job of a queue, as the operator sees it. */
export interface ListedJob {
  readonly id: string
  /** The queue, or the kind of a short job. */
  readonly queue: string
  readonly state: JobState
  /** With the prefix `org_`; null for a job of no organization. */
  readonly organizationId: string | null
  readonly createdAt: string
  /** When a worker may take it. */
  readonly dueAt: string
  /** Attempts that have failed. */
  readonly retries: number
  /** The error of the last attempt; null if none failed. */
  readonly error: string | null
}

const maxListed = 1_000

const stateOf = `case j.state when 'active' then 'active' when 'failed' then 'failed' else 'waiting' end`

/** Returns the oldest jobs, up to 1,000, that wait, run or failed finally. Failed jobs are deleted an hour after their end. */
export async function listJobs(query: OwnerQuery, state: JobState | undefined): Promise<ListedJob[]> {
  const [queues] = await query<{ exist: boolean }>(`select to_regclass('pgboss.job') is not null as exist`)
  if (queues?.exist !== true) return []
  const rows = await query<Omit<ListedJob, 'createdAt' | 'dueAt'> & { createdAt: Date; dueAt: Date }>(
    `select j.id, coalesce(j.data ->> 'handler', j.name) as queue, ${stateOf} as state, j.data ->> 'organizationId' as "organizationId",
       j.created_on as "createdAt", j.start_after as "dueAt", j.retry_count as retries, j.output ->> 'message' as error
     from pgboss.job j where j.state in ('created', 'retry', 'active', 'failed') and ($1::text is null or ${stateOf} = $1)
     order by j.created_on, j.id limit ${maxListed}`,
    [state ?? null],
  )
  return rows.map(({ organizationId, createdAt, dueAt, ...row }) => ({
    ...row,
    organizationId: organizationId === null ? null : wireId('org', organizationId),
    createdAt: createdAt.toISOString(),
    dueAt: dueAt.toISOString(),
  }))
}

/**
 * Makes a failed or waiting job due now. A failed one gets one more attempt.
 * @throws Error if there is no such job, or a worker has it
 */
export function retryJob(pool: Pool, id: string, now: Date): Promise<{ id: string; queue: string }> {
  return ownerTransaction(pool, async (client) => {
    const { rows } = await client.query<{ name: string; queue: string; organizationId: string | null }>(
      `update pgboss.job set retry_limit = retry_limit + (state = 'failed')::integer, start_after = now(), completed_on = null,
         state = case state when 'failed' then 'retry' else state end
       where id::text = $1 and state in ('created', 'retry', 'failed')
       returning name, coalesce(data ->> 'handler', name) as queue, data ->> 'organizationId' as "organizationId"`,
      [id],
    )
    const [job] = rows
    if (job === undefined) throw new Error(`There is no waiting or failed job ${id}.`)
    await client.query(`select pg_notify('groundwork_jobs', $1)`, [job.name])
    const { rowCount } = await client.query('select from organization where id::text = $1', [job.organizationId])
    if (job.organizationId !== null && rowCount === 1)
      await auditByOperator(client, job.organizationId, now, { action: 'job.retried', target: `job_${id}` })
    return { id, queue: job.queue }
  })
}
