import { CrawlSettings } from '@groundwork/api'
import { sql, type Selectable } from 'kysely'
import type { SourceTable, Transaction } from '../../db/schema.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import { crawlSiteQueue, processSourceQueue, type ProcessSource } from './queue.ts'

/**
 * Queues the processing of a source, which carries the generation to be made, in the caller's transaction. Organizations
 * take turns, and so do the bases of each; within a base, who comes first is served first.
 */
export async function enqueueProcessing(jobs: Pick<Jobs, 'enqueue'>, trx: Transaction, row: Selectable<SourceTable>): Promise<void> {
  const queue = row.type === 'scrape' ? crawlSiteQueue : processSourceQueue
  const data: ProcessSource = { organizationId: row.organization_id, sourceId: row.id, generation: row.generation }
  const { rows } = await sql<{ turn: number }>`select take_turn(${queue.name}, ${row.base_id}, ${costOf(row)}) as turn`.execute(trx)
  await jobs.enqueue(trx, queue, data, { priority: -(rows[0]?.turn ?? 0), group: row.organization_id })
}

/** How long a job may keep others waiting, roughly: what is small waits behind less. Of an address, what it had last time. */
function costOf({ type, bytes, crawl }: Selectable<SourceTable>): number {
  if (type === 'scrape') return Math.ceil(CrawlSettings.parse(crawl ?? {}).maxPages / 50)
  if (bytes === null) return 2
  return bytes <= 200_000 ? 1 : bytes <= 4_000_000 ? 4 : 16
}
