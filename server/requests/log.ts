import type { Database } from '../db/database.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { createDeferredLog, type DeferredLog, type DeferredLogOptions } from '../lib/deferred-log.ts'
import { loggedRequest, type AnsweredRequest, type LoggedRequest } from './request.ts'
import { writeRequests } from './write.ts'

export interface RequestLog extends Pick<DeferredLog<LoggedRequest>, 'flush' | 'close'> {
  /** Records a request without a statement. */
  readonly record: (request: AnsweredRequest) => void
}

export interface RequestLogServices {
  readonly requestLog: RequestLog
}

/** Creates the log of API requests: rows are kept in memory, so that no reply waits for them, and written within about a second. */
export function createRequestLog(db: Database, { jobs, ...options }: DeferredLogOptions & { jobs: Jobs }): RequestLog {
  const { add, flush, close } = createDeferredLog<LoggedRequest>(
    {
      write: (organizationId, rows) => writeRequests(db, { jobs, organizationId }, rows),
      messages: {
        late: 'API requests could not be written to their log yet',
        dropped: 'API requests came faster than the database writes their log: the oldest were left out',
        lost: 'API requests are not in their log: it could not be written at the end',
      },
    },
    { full: 2000, batch: 500, capacity: 20_000, ...options },
  )
  return {
    record(request) {
      const row = loggedRequest(request)
      if (row !== null) add([row])
    },
    flush,
    close,
  }
}
