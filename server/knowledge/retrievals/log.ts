import type { SearchReply } from '@groundwork/api'
import type { Context } from '../../context.ts'
import type { Database } from '../../db/database.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import { createDeferredLog, type DeferredLog, type DeferredLogOptions } from '../../lib/deferred-log.ts'
import { retrievalsOf, type Retrieval } from './retrieval.ts'
import type { RetentionDays } from '../../lib/retention-days.ts'
import { writeRetrievals } from './write.ts'

export interface RetrievalLog extends Pick<DeferredLog<Retrieval>, 'flush' | 'close'> {
  /** Records a search for each of the knowledge bases, without a statement. */
  readonly record: (ctx: Context, baseIds: readonly string[], reply: SearchReply) => void
}

export interface RetrievalLogOptions extends DeferredLogOptions {
  jobs: Jobs
  retentionDays: RetentionDays
  now: () => Date
}

/** Creates the retrieval log: rows are kept in memory, so that no reply waits for them, and written within about a second. */
export function createRetrievalLog(db: Database, { jobs, retentionDays, now, ...options }: RetrievalLogOptions): RetrievalLog {
  const { add, flush, close } = createDeferredLog<Retrieval>(
    {
      write: (organizationId, rows) => writeRetrievals(db, { jobs, retentionDays, organizationId }, rows),
      messages: {
        late: 'searches could not be written down yet',
        dropped: 'searches came faster than the database writes them down: the oldest were left out',
        lost: 'searches are not in their log: it could not be written at the end',
      },
    },
    options,
  )
  return { record: (ctx, baseIds, reply) => add(retrievalsOf(ctx, baseIds, reply, now())), flush, close }
}

/** For searches that are not recorded. */
export const notLogged: RetrievalLog = { record: () => undefined, flush: async () => undefined, close: async () => undefined }
