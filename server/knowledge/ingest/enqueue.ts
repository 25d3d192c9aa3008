import { CrawlSettings } from '@groundwork/api'
import { sql, type Selectable } from 'kysely'
import type { SourceTable, Transaction } from '../../db/schema.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import type { ProcessSource } from '../rows/attempt.ts'
import { crawlSiteQueue, processSourceQueue } from './queue.ts'

/**
 * Queues the processing of a source, whose row has the new generation, in the caller's transaction. Organizations take turns,
 * and so do their knowledge bases; within one, jobs run in order.
 */
export async function enqueueProcessing(jobs: Pick<Jobs, 'enqueue'>, trx: Transaction, row: Selectable<SourceTable>): Promise<void> {
  const queue = row.type === 'scrape' ? crawlSiteQueue : processSourceQueue
  const data: ProcessSource = { organizationId: row.organization_id, sourceId: row.id, generation: row.generation }
  const { rows } = await sql<{ turn: number }>`select take_turn(${queue.name}, ${row.base_id}, ${costOf(row)}) as turn`.execute(trx)
  await jobs.enqueue(trx, queue, data, { priority: -(rows[0]?.turn ?? 0), group: row.organization_id })
}

/** Estimates the cost of a job: small jobs wait less. For a URL, its last size. */
function costOf({ type, bytes, crawl }: Selectable<SourceTable>): number {
  if (type === 'scrape') return Math.ceil(CrawlSettings.parse(crawl ?? {}).maxPages / 50)
  if (bytes === null) return 2
  return bytes <= 200_000 ? 1 : bytes <= 4_000_000 ? 4 : 16
}
