import { randomUUID } from 'node:crypto'
import type { OwnerQuery } from '../db/owner-query.ts'
import type { Storage } from '../storage/storage.ts'

export interface SharedFilesOptions {
  readonly query: OwnerQuery
  readonly storage: Storage
}

/**
 * Checks that the storage belongs to the database: both store the same id, created at the first start. Processes that start
 * concurrently agree on it.
 * @throws Error that names DATA_DIR or STORAGE_URL if the files belong to another database
 */
export async function openSharedFiles(options: SharedFilesOptions): Promise<void> {
  const { query, storage } = options
  const fault = await sharedFilesFault(options)
  if (fault !== null) throw new Error(fault)
  const id = await storage.createId(randomUUID())
  // Another process may have recorded its id first; the first one wins.
  await query('update installation.identity set store_id = $1 where store_id is null', [id])
  const another = await sharedFilesFault(options)
  if (another !== null) throw new Error(another)
}

/** Returns why the program would refuse its files, or null. Has no side effects. */
export async function sharedFilesFault({ query, storage }: SharedFilesOptions): Promise<string | null> {
  const [row] = await query<{ store_id: string | null }>('select store_id from installation.identity')
  const expected = row?.store_id ?? null
  const found = await storage.readId()
  if (expected === found && expected !== null) return null
  const fault = `${storage.setting}: the files in ${storage.location} are not those of this database.`
  if (expected === null) {
    return found !== null || (await hasKnownFiles(query, storage)) ? null : `${fault} None of its newest files exists. ${share}`
  }
  const seen = found === null ? 'but this one has no id' : `but this one has the id ${found}`
  return (
    `${fault} The database knows a store with the id ${expected}, ${seen}. ${share} ` +
    'If files are moved to this place, set STORAGE_URL_PREVIOUS to the former one until `groundwork storage move` has ended. ' +
    `If these are the right files, restored without their id, write it to ${storage.idLocation}.`
  )
}

const share = 'Programs on one database need the same files: share the folder or the bucket between them, or restore it from a backup.'

/** Only for a database from before store ids: returns whether one of its newest files exists. */
async function hasKnownFiles(query: OwnerQuery, storage: Storage): Promise<boolean> {
  const rows = await query<{ key: string }>(
    'select original_key as key from document where original_key is not null order by generation desc limit 20',
  )
  for (const { key } of rows) if (await storage.exists(key)) return true
  return rows.length === 0
}
