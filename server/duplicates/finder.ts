import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { noOrganization, selectSql, type CoreServices } from '../context.ts'
import { runOnEvents } from '../events/run-on-events.ts'
import { createLoopRegistry, type LoopRegistry } from '../lib/loop-health.ts'
import { comparedCompanies } from '../company-duplicates/find.ts'
import { comparedContacts } from '../contact-duplicates/find.ts'
import { compareNext } from './find.ts'

/** Polling interval, for lost notifications. */
const pollMs = 2500
/** Minimum interval between polls: in busy times each finds more contacts. */
const gapMs = 250
/** Minimum pause between two batches, in which requests of the embedded engine run. */
const pauseMs = 5
/** Part of the time that comparisons take while the process does other work. */
const busyShare = 0.1
/** The end of the program waits for a pause. */
const maxPauseMs = 2000

/**
 * Compares all contacts and companies that were written, of all organizations. Ends early if the signal is aborted.
 * @param share of the time in which it compares, at most: requests wait for each batch if the database has one session
 */
export async function compareWrittenRecords(services: CoreServices, signal?: AbortSignal, share = 1): Promise<void> {
  let left = await selectSql(
    { ...services, organizationId: noOrganization },
    sql<{ id: string; kind: 'contacts' | 'companies' }>`
      select id, 'contacts' as kind from organizations_to_compare() as id
      union all select id, 'companies' from organizations_with_companies_to_compare() as id`,
  )
  // One batch of each in turn, so that an import of one organization does not delay the others.
  while (left.length > 0) {
    const unfinished: typeof left = []
    for (const each of left) {
      if (signal?.aborted === true) return
      const began = performance.now()
      const ctx = { ...services, organizationId: each.id }
      const isLeft = await (each.kind === 'contacts' ? compareNext(ctx, comparedContacts) : compareNext(ctx, comparedCompanies))
      if (isLeft) unfinished.push(each)
      await pause(performance.now() - began, share)
    }
    left = unfinished
  }
}

/** Waits so long that comparisons take their share of the time, and at most `busyShare` of it if the process does other work meanwhile. */
async function pause(elapsedMs: number, share: number): Promise<void> {
  const before = performance.eventLoopUtilization()
  await sleep(pauseMs)
  const isBusy = performance.eventLoopUtilization(before).utilization > 0.5
  const restMs = elapsedMs * (1 / Math.min(share, isBusy ? busyShare : 1) - 1) - pauseMs
  if (restMs > 0) await sleep(Math.min(restMs, maxPauseMs))
}

/** Starts the search for duplicates, which follows the events of all organizations until it is stopped. */
export function startDuplicateFinder(
  services: CoreServices,
  { loops = createLoopRegistry(services), share = 1 }: { loops?: LoopRegistry; share?: number } = {},
): { stop(): Promise<void> } {
  return runOnEvents(services, (signal) => compareWrittenRecords(services, signal, share), {
    health: loops.loop('duplicate finder'),
    pollMs,
    gapMs,
  })
}
