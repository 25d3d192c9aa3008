import type { Pool } from 'pg'
import { listBackups } from '../backup/backup-folder.ts'
import type { BackupPlace } from '../backup/backup-place.ts'
import type { NewestBackup, PoolUse } from './gauges.ts'

export function poolUse({ totalCount, idleCount, waitingCount, options }: Pool): PoolUse {
  return { inUse: totalCount - idleCount, idle: idleCount, waiting: waitingCount, max: options.max }
}

/** A bucket answers each list with a request, so it is asked at most once in this time. */
const listedForMs = 60_000

/** Returns a function that returns the age of the newest backup in the place. */
export function newestBackup(place: BackupPlace, everyMs: number, now: () => Date): () => Promise<NewestBackup> {
  let [newest, listedAt]: [Date | null, number] = [null, -Infinity]
  return async () => {
    const at = now().getTime()
    if (at - listedAt >= listedForMs) {
      const [backup] = await listBackups(place)
      newest = backup?.at ?? null
      listedAt = at
    }
    return { ageSeconds: newest === null ? null : Math.max(0, at - newest.getTime()) / 1000, everySeconds: everyMs / 1000 }
  }
}
