import type { Storage } from './storage.ts'
import { MissingFileError } from './storage-error.ts'

/**
 * Combines the storage with the former one while files are moved: reads files of both, writes to the storage, and deletes in both.
 * Nothing is lost beside a running move: it copies a file only if the storage has none with this key, and drops the copy again if
 * the original was deleted meanwhile. So a deletion begins with the former storage.
 */
export function movingStorage(storage: Storage, former: Storage): Storage {
  const fromFormer =
    <T>(read: () => Promise<T>) =>
    (error: unknown): Promise<T> => {
      if (error instanceof MissingFileError) return read()
      throw error
    }
  return {
    ...storage,
    read: (key) => storage.read(key).catch(fromFormer(() => former.read(key))),
    open: (key, range) => storage.open(key, range).catch(fromFormer(() => former.open(key, range))),
    sizeBytes: (key) => storage.sizeBytes(key).catch(fromFormer(() => former.sizeBytes(key))),
    exists: async (key) => (await storage.exists(key)) || former.exists(key),
    async delete(key) {
      await former.delete(key)
      await storage.delete(key)
    },
    async deleteOrganization(organizationId) {
      const deleted = await former.deleteOrganization(organizationId)
      return deleted + (await storage.deleteOrganization(organizationId))
    },
    readId: () => commonId(storage, former),
    // The new place has no id until `storage move` has copied everything, so that a program with it alone does not start before.
    createId: async (id) => (await commonId(storage, former)) ?? former.createId(id),
    async *files() {
      yield* storage.files()
      for await (const file of former.files()) if (!(await storage.exists(file.key))) yield file
    },
    async *unfinishedWrites() {
      yield* storage.unfinishedWrites()
      yield* former.unfinishedWrites()
    },
    async cancelWrite(write) {
      await storage.cancelWrite(write)
      await former.cancelWrite(write)
    },
    async holdDeletions() {
      const held = await storage.holdDeletions()
      const formerHeld = await former.holdDeletions().catch(async (error: unknown) => {
        await held.release()
        throw error
      })
      return {
        async *files() {
          const seen = new Set<string>()
          // The former storage first: a file that is moved meanwhile is in one of the lists.
          for (const each of [formerHeld, held])
            for await (const key of each.files()) {
              if (seen.has(key)) continue
              seen.add(key)
              yield key
            }
        },
        open: (key) => held.open(key).catch(fromFormer(() => formerHeld.open(key))),
        async release() {
          await formerHeld.release()
          await held.release()
        },
      }
    },
  }
}

/** @throws Error if both places have an id and the ids differ */
async function commonId(storage: Storage, former: Storage): Promise<string | null> {
  const [id, formerId] = [await storage.readId(), await former.readId()]
  if (id !== null && formerId !== null && id !== formerId)
    throw new Error(
      `STORAGE_URL_PREVIOUS: ${former.location} and ${storage.location} have the files of two installations: their ids are ${formerId} and ${id}.`,
    )
  return id ?? formerId
}
