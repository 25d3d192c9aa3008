import type { ChildProcess } from 'node:child_process'
import type { Logger } from 'pino'
import { startBackgroundProcess } from '../lib/background-process.ts'
import { childEntry } from '../lib/entry.ts'
import { createWakeableSleep } from '../lib/wakeable-sleep.ts'
import type { BackupAnswer, BackupOrder } from './backup-child.ts'
import { backupName, deleteOldBackups, dueInMs, recordFailure } from './backup-folder.ts'
import type { BackupPlace } from './backup-place.ts'

export interface ScheduledBackupOptions {
  readonly place: BackupPlace
  readonly everyMs: number
  /** Number of backups to keep. */
  readonly keep: number
  readonly source: Pick<BackupOrder, 'to' | 'credentials' | 'dataDir' | 'databaseUrl' | 'storage' | 'programVersion' | 'seal'>
  readonly log: Pick<Logger, 'info' | 'error'>
  readonly now: () => Date
}

/** Longest pause, so that a change of the clock does not delay a backup for long. */
const maxPauseMs = 60_000

/**
 * Backs up whenever the newest backup in the place is old enough. Several programs may share the place: only one backup runs at a time
 * on one storage, and each program looks at the place before it starts one.
 */
export function startScheduledBackups(options: ScheduledBackupOptions): { stop(): Promise<void> } {
  const { place, everyMs, log, now } = options
  const ending = new AbortController()
  const pause = createWakeableSleep()
  let child: ChildProcess | null = null
  const backUpOnce = async (): Promise<void> => {
    await place.prepare()
    const at = now()
    const name = backupName(at)
    const started = startBackgroundProcess(childEntry(import.meta.url, './backup-child'))
    child = started
    const answer = await answerTo(started, { ...options.source, name, now: at })
    child = null
    if (ending.signal.aborted) return
    if ('error' in answer) throw new Error(answer.error)
    await deleteOldBackups(place, options.keep)
    await recordFailure(place, null)
    log.info({ to: place.location, name, ...answer }, 'backed up')
  }
  const run = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      const dueMs = await dueInMs(place, everyMs, now())
      if (dueMs <= 0) {
        await backUpOnce().catch(async (error: unknown) => {
          const message = error instanceof Error ? error.message : String(error)
          log.error({ to: place.location, reason: message }, 'the scheduled backup failed')
          await recordFailure(place, message)
        })
      } else await pause.sleep(Math.min(dueMs, maxPauseMs))
    }
  }
  const ended = (async () => {
    while (!ending.signal.aborted) {
      await run().catch((error: unknown) =>
        log.error({ to: place.location, reason: String(error) }, 'the place for backups cannot be used'),
      )
      if (!ending.signal.aborted) await pause.sleep(maxPauseMs)
    }
  })()
  return {
    async stop() {
      ending.abort()
      pause.wake()
      // An unfinished backup is deleted before the next one.
      child?.kill('SIGKILL')
      await ended
    },
  }
}

function answerTo(child: ChildProcess, order: BackupOrder): Promise<BackupAnswer> {
  return new Promise((resolve) => {
    child.once('message', (answer: BackupAnswer) => resolve(answer))
    child.once('close', (code, signal) => resolve({ error: `the process of the backup ended with ${signal ?? `code ${code}`}` }))
    child.once('error', (error) => resolve({ error: error.message }))
    child.send(order)
  })
}
