import type { Pool } from 'pg'
import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import { coalesced } from '../../lib/coalesced.ts'
import { breaksConnection } from '../connection-error.ts'
import { assertSessions } from '../session-check.ts'
import { endOfLog, positionOfReplica, replayedLog, type Position } from './log-position.ts'

/** A read waits at most this long for the replica to replay the transactions before it. */
const maxWaitMs = 100
const pollPauseMs = 2
/** The primary answers for this long after the replica has failed or was behind. */
const suspensionMs = 1000

export interface Admission {
  /** Returns false if the replica may have restarted since: it may then answer from an earlier position. */
  isValid(): boolean
}

export interface Gate {
  /** Returns null if the primary must answer. */
  admit(): Promise<Admission | null>
  failed(error: unknown): void
}

/** Decides which reads the replica may answer. */
export function replicaGate(
  { primary, replica, watcher }: { primary: Pool; replica: Pool; watcher: Pool },
  { replicaUrl, log }: { replicaUrl: string; log: Pick<Logger, 'info' | 'warn'> },
): Gate {
  let replayed = 0n
  /**
   * Counts new connections. A replica that restarts ends all former ones, and may begin at an earlier position. So a read on a
   * connection that is newer than its admission does not count, and idle connections stay open.
   */
  let connectionCount = 0
  let hasSessions = false
  let suspendedUntil = 0
  /** The reason why the replica does not serve; null while it does. */
  let trouble: string | null = null
  for (const pool of [replica, watcher])
    pool.on('connect', () => {
      connectionCount += 1
      replayed = 0n
    })

  const isSuspended = (): boolean => performance.now() < suspendedUntil
  const suspend = (reason: string): void => {
    suspendedUntil = performance.now() + suspensionMs
    // The next read asks the replica for its position before it is sent there.
    replayed = 0n
    if (trouble !== reason) log.warn({ reason }, 'the database replica does not serve; the primary answers its reads')
    trouble = reason
  }
  const end = coalesced(() => endOfLog(primary))
  const position = coalesced(async () => {
    if (!hasSessions) await assertSessions('DATABASE_REPLICA_URL', replicaUrl)
    hasSessions = true
    return replayedLog(watcher)
  })
  const update = async (system: string): Promise<void> => {
    try {
      const { lsn } = positionOfReplica(await position(), system)
      if (lsn > replayed) replayed = lsn
    } catch (error) {
      suspend(error instanceof Error ? error.message : String(error))
    }
  }
  /** Returns whether the replica has replayed the log up to this position, before the time is over. */
  const reaches = async ({ system, lsn }: Position): Promise<boolean> => {
    const deadline = performance.now() + maxWaitMs
    let hasAnswered = false
    const isReached = (): boolean => replayed >= lsn
    while (!isReached()) {
      const leftMs = deadline - performance.now()
      if (leftMs <= 0) suspend(hasAnswered ? `it is more than ${maxWaitMs} ms behind` : (trouble ?? 'it does not answer'))
      if (isSuspended()) return false
      await within(
        leftMs,
        update(system).then(() => void (hasAnswered = true)),
      )
      if (!isReached()) await setTimeout(pollPauseMs)
    }
    return true
  }

  // The first connection takes longer than a read may wait.
  end().then(
    ({ system }) => update(system),
    () => undefined, // The start fails with the same error.
  )

  return {
    async admit() {
      if (isSuspended()) return null
      // The primary answers the read, with this error if it lasts.
      const target = await end().catch(() => null)
      if (target === null || !(await reaches(target))) return null
      if (trouble !== null) log.info('the database replica serves again')
      trouble = null
      const connected = connectionCount
      return { isValid: () => connectionCount === connected }
    },
    failed(error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (breaksConnection(error)) suspend(reason)
      else log.warn({ reason }, 'the primary answers a read that failed on the database replica')
    },
  }
}

/** Resolves when `work` ends, or after this time. */
async function within(ms: number, work: Promise<void>): Promise<void> {
  const ended = new AbortController()
  await Promise.race([work, setTimeout(ms, undefined, { signal: ended.signal }).catch(() => undefined)])
  ended.abort()
}
