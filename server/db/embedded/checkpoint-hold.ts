import { rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nullIfMissing } from '../../lib/missing-file.ts'

const heartbeatMs = 1000
/** Age of the last heartbeat after which the holder counts as dead. */
const staleMs = 15_000

const holdFile = (dataDir: string): string => join(dataDir, 'checkpoint-hold')

/** Keeps a program that has the folder open from starting checkpoints, until the returned function is called or this process ends. */
export async function holdCheckpoints(dataDir: string): Promise<() => Promise<void>> {
  const file = holdFile(dataDir)
  await writeFile(file, '', { mode: 0o600 })
  const timer = setInterval(() => {
    const now = new Date()
    // Without a heartbeat, a checkpoint is written, which the copy detects.
    utimes(file, now, now).catch(() => undefined)
  }, heartbeatMs)
  return async () => {
    clearInterval(timer)
    await rm(file, { force: true })
  }
}

export async function areCheckpointsHeld(dataDir: string): Promise<boolean> {
  const found = await stat(holdFile(dataDir)).catch(nullIfMissing)
  return found !== null && Date.now() - found.mtimeMs < staleMs
}
