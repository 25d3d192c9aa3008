import { randomUUID } from 'node:crypto'
import type { S3Objects } from './objects.ts'

/** Prefix of deleted files that a backup may still read, and of the hold itself. */
export const heldPrefix = '.held/'
const holdKey = `${heldPrefix}hold`
const heartbeatMs = 10_000
/** Age of the last heartbeat after which the holder counts as dead. */
const staleMs = 60_000

export interface S3DeletionHold {
  keyOf(key: string): string
  release(): Promise<void>
}

/** Holds deletions until it is released or this process ends. Only one hold at a time. */
export async function holdDeletions(objects: S3Objects, location: string): Promise<S3DeletionHold> {
  const another = `Another backup of ${location} is running, or was stopped within the last minute.`
  if (await areDeletionsHeld(objects)) throw new Error(another)
  await deleteHeld(objects)
  const own = Buffer.from(randomUUID())
  const beat = (): Promise<void> => objects.put(holdKey, own, 'holding deletions')
  await beat()
  // If several backups begin at the same time, the last one holds the deletions.
  if ((await objects.get(holdKey, 'holding deletions'))?.equals(own) !== true) throw new Error(another)
  const timer = setInterval(() => {
    // A missed heartbeat is repeated by the next one.
    beat().catch(() => undefined)
  }, heartbeatMs)
  return {
    keyOf: heldKey,
    async release() {
      clearInterval(timer)
      await objects.delete(holdKey, 'releasing deletions')
      await deleteHeld(objects)
    },
  }
}

const heldKey = (key: string): string => `${heldPrefix}${key}`

/** Deletes a file. Keeps a copy if deletions are held. */
export async function deleteUnlessHeld(objects: S3Objects, key: string): Promise<void> {
  const action = 'deleting a file'
  const isHeld = await areDeletionsHeld(objects)
  if (isHeld) await objects.copy(key, heldKey(key), action)
  await objects.delete(key, action)
  // The hold may have been released in between.
  if (isHeld && !(await areDeletionsHeld(objects))) await objects.delete(heldKey(key), action)
}

/** Deletes files that a backup held and could not delete, because its process was killed. */
export async function deleteStaleHold(objects: S3Objects): Promise<void> {
  if (!(await areDeletionsHeld(objects))) await deleteHeld(objects)
}

async function deleteHeld(objects: S3Objects): Promise<void> {
  for await (const { key } of objects.list(heldPrefix)) await objects.delete(key, 'deleting a held file')
}

/** Compares times of the service only: the clock of this machine does not matter. */
async function areDeletionsHeld(objects: S3Objects): Promise<boolean> {
  const found = await objects.head(holdKey, 'looking for a running backup')
  return found !== null && found.answeredAt.getTime() - found.modifiedAt.getTime() < staleMs
}
