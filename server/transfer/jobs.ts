import type { Selectable } from 'kysely'
import { statementBuilder } from '../db/statement-builder.ts'
import type { BulkSession } from '../db/bulk-session.ts'
import type { SourceTable } from '../db/schema.ts'
import { purgeAnswersWork } from '../idempotency/purge.ts'
import { deadLetterOf, type EnqueueOptions, type Jobs, type Queue } from '../jobs/jobs.ts'
import { shortJobsQueue } from '../jobs/short-jobs.ts'
import { enqueueProcessing } from '../knowledge/ingest/begin.ts'
import { crawlSiteQueue, processSourceQueue } from '../knowledge/ingest/queue.ts'
import { followModelWork } from '../knowledge/reindex/follow-model.ts'
import { buildShadowQueue, enqueueBuild } from '../knowledge/reindex/queue.ts'
import { sendMailWork } from '../mail/send.ts'
import { queues } from '../queues.ts'
import { redeliverWork } from '../webhooks/redeliver-range.ts'
import type { ExportedJob } from './format.ts'
import type { GenerationMap } from './generations.ts'

/** Short jobs that the former installation completes, and one about rows that an export leaves out. */
const excludedHandlers: readonly string[] = [sendMailWork.name, redeliverWork.name, purgeAnswersWork.name]

/** Returns the jobs of an organization that wait or run, in the order in which they were added, without their traces. */
export async function readJobs({ query }: Pick<BulkSession, 'query'>, organizationId: string): Promise<ExportedJob[]> {
  const [found] = await query<{ queues: boolean }>(`select to_regclass('pgboss.job') is not null as queues`)
  if (found?.queues !== true) return []
  return query<ExportedJob>(
    `select name as queue, data - 'traceparent' as data, to_json(start_after) #>> '{}' as "dueAt" from pgboss.job
     where data ->> 'organizationId' = $1 and state <= 'active' and coalesce(data ->> 'handler', '') <> all ($2)
     order by created_on, id`,
    [organizationId, excludedHandlers],
  )
}

export interface JobTarget {
  readonly session: Pick<BulkSession, 'query'>
  readonly jobs: Pick<Jobs, 'statement'>
  readonly organizationId: string
  readonly generations: GenerationMap
  readonly now: Date
}

/**
 * Adds exported jobs in the open transaction of the session. Jobs that were running begin again, and those whose attempts had run out
 * get new ones. Also lets knowledge bases follow the embedding model of the target.
 */
export async function addJobs(target: JobTarget, exported: readonly ExportedJob[]): Promise<void> {
  const { session, organizationId, now } = target
  await session.query(`select set_config('app.organization_id', $1, true)`, [organizationId])
  for (const job of exported) await addJob(target, { ...job, data: mapData(job.data, target.generations) })
  const bases = await session.query<{ baseId: string }>(
    'select distinct base_id as "baseId" from source where organization_id = $1 and live_generation is not null',
    [organizationId],
  )
  for (const { baseId } of bases) {
    const data = { baseId, organizationId, handler: followModelWork.name }
    await addJob(target, { queue: shortJobsQueue.name, data, dueAt: now.toISOString() })
  }
}

/** The session returns numbers of eight bytes as text. */
type SourceRow = Omit<Selectable<SourceTable>, 'generation' | 'live_generation' | 'bytes'> &
  Readonly<Record<'generation' | 'live_generation' | 'bytes', string | null>>

async function addJob({ session, jobs, organizationId, now }: JobTarget, { queue: name, data, dueAt }: ExportedJob): Promise<void> {
  const queue = queues.find((each) => each.name === name || deadLetterOf(each) === name)
  if (queue === undefined) throw new Error(`The export has a job of an unknown queue: ${name}.`)
  const add = async (to: Queue, of: object, options?: EnqueueOptions): Promise<void> => {
    const { sql, parameters } = await jobs.statement(to, of, options)
    await session.query(sql, [...parameters])
  }
  // The builder only builds the statement of the job, which runs in the transaction of the session.
  const adding: Pick<Jobs, 'enqueue'> = { enqueue: (_trx, to, of, options) => add(to, of, options) }
  const { sourceId, generation, reindexId, handler } = data
  if (queue === processSourceQueue || queue === crawlSiteQueue) {
    const [row] = await session.query<SourceRow>(`select * from source where organization_id = $1 and id = $2`, [organizationId, sourceId])
    // A job of a former attempt does nothing.
    if (row === undefined || typeof generation !== 'number' || Number(row.generation) !== generation) return
    const [live, bytes] = [row.live_generation, row.bytes].map((value) => (value === null ? null : Number(value)))
    const numbers = { generation, live_generation: live ?? null, bytes: bytes ?? null }
    return enqueueProcessing(adding, statementBuilder, { ...row, ...numbers })
  }
  if (queue === buildShadowQueue) {
    const [row] = await session.query<{ baseId: string; chunks: number }>(
      'select base_id as "baseId", chunks_count as chunks from source where organization_id = $1 and id = $2',
      [organizationId, sourceId],
    )
    // The number is 0 for an attempt that was removed meanwhile.
    if (row === undefined || typeof generation !== 'number' || generation === 0) return
    const build = { organizationId, reindexId: String(reindexId), sourceId: String(sourceId), generation }
    return enqueueBuild(adding, statementBuilder, build, row)
  }
  const delaySeconds = Math.max(0, Math.ceil((new Date(dueAt).getTime() - now.getTime()) / 1000))
  await add(queue, data, { delaySeconds, ...(typeof handler === 'string' && { handler }) })
}

/** Replaces numbers of indexing attempts, and keys with them. Keys of files that the export does not have are left out. */
function mapData(data: ExportedJob['data'], generations: GenerationMap): ExportedJob['data'] {
  const { generation, keys } = data
  return {
    ...data,
    // No attempt has the number 0.
    ...(typeof generation === 'number' && { generation: Number(generations.numberOf(String(generation)) ?? 0) }),
    ...(Array.isArray(keys) && { keys: keys.flatMap((key) => generations.keyOf(String(key)) ?? []) }),
  }
}
