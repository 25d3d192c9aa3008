import { sql } from 'kysely'
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { noOrganization, selectSql, withTransaction, type ReadContext } from '../../context.ts'
import { diskSpace } from '../../lib/disk-space.ts'
import { closed } from '../../lib/durable-files.ts'
import { reportingTo, type LoopHealth } from '../../lib/loop-health.ts'
import { nullIfMissing } from '../../lib/missing-file.ts'
import { copiesFolder } from '../../storage/keys.ts'
import { MissingFileError } from '../../storage/storage-error.ts'
import type { Storage } from '../../storage/storage.ts'
import type { WarningLog } from './base-indexes.ts'
import { openIndexFile, type FileHeader } from './index-file.ts'
import { chunksOf, fileName, isIndexFile, minFreeBytes, minShare, modelHash } from './index-files.ts'
import { UnreadableIndexFile } from './positioned-file.ts'
import { modelParts } from './rank-by-model.ts'
import type { SearchIndexes } from './search-indexes.ts'

/**
 * Copies of large index files in the object storage, which a machine with an empty folder downloads instead of reading the database.
 * As with index files, the database decides what a search finds. A copy is deleted when one of its generations is removed.
 */
export interface IndexCopies {
  /** Downloads the files of these knowledge bases that the folder does not have. Logs errors: the database has the same content. */
  fetch(ctx: ReadContext, bases: readonly CopiedBase[]): Promise<void>
  /** Stores copies of the files in the folder that have none, or one that lacks much, and deletes outdated copies. */
  update(): Promise<void>
  /** Stops; resolves when the current work has ended. */
  close(): Promise<void>
}

/** A knowledge base with the embedding model of an index. */
export interface CopiedBase {
  readonly id: string
  readonly model: { readonly name: string }
}

export interface IndexCopiesOptions {
  readonly folder: string
  /** Limit of the folder. */
  readonly maxBytes: number
  readonly storage: Storage
  readonly contextOf: (organizationId: string) => ReadContext
  readonly now: () => Date
  readonly log: WarningLog
  readonly health?: LoopHealth
  /** Time between two updates; null for none. */
  readonly updateEveryMs?: number | null
  /** Smaller indexes have no copy: the database returns them within a second. */
  readonly minChunks?: number
}

interface NewCopy {
  readonly baseId: string
  readonly model: string
  readonly key: string
  readonly header: FileHeader
  readonly bytes: number
}

/** A copy whose writing began this long ago was left by a program that ended. */
const abandonedMs = 3_600_000
/** Copies of an index are stored at most this fast, on average. */
const bytesPerMs = 1_000
/** A search waits at most this long for a copy. */
const fetchMs = 60_000
/** A file that the folder lacks is looked for this often. */
const lookMs = 300_000
/** Remembered knowledge bases. */
const maxLooked = 10_000

export function createIndexCopies({
  folder,
  maxBytes,
  storage,
  contextOf,
  now,
  log,
  health = reportingTo((err) => log.warn({ err }, 'copies of index files could not be updated')),
  updateEveryMs = 300_000,
  minChunks = 20_000,
}: IndexCopiesOptions): IndexCopies {
  /** By path, when the file was last looked for, and the search for it. */
  const looked = new Map<string, { readonly at: number; readonly fetched: Promise<void> }>()
  const storedAt = new Map<string, number>()
  const closing = new AbortController()
  let updating: Promise<void> = Promise.resolve()

  async function fetchFile(ctx: ReadContext, { id, model }: CopiedBase, path: string): Promise<void> {
    if ((await stat(path).catch(nullIfMissing)) !== null) return
    const [copy] = await selectSql(
      ctx,
      sql<{ key: string; bytes: number }>`
        select storage_key as key, bytes::float8 as bytes from index_copy
        where organization_id = (select app_organization()) and base_id = ${id}::uuid and model = ${modelHash(model.name)}
          and stored_at is not null
        order by stored_at desc limit 1`,
    )
    if (copy === undefined || copy.bytes > maxBytes) return
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    if ((await diskSpace(folder)).freeBytes < copy.bytes + minFreeBytes) return
    const temporary = `${path}.${randomUUID()}.part`
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(fetchMs)])
    const content = await storage.open(copy.key, null).catch(async (error: unknown) => {
      if (error instanceof MissingFileError) await deleteRow(ctx, copy.key)
      throw error
    })
    const target = createWriteStream(temporary, { mode: 0o600 })
    try {
      await pipeline(content, target, { signal })
      await rename(temporary, path)
    } finally {
      await closed(target)
      await rm(temporary, { force: true })
    }
  }

  /** Stores a copy of a file, unless there is one that has most of its chunks. */
  async function store(ctx: ReadContext, name: string): Promise<void> {
    const path = join(folder, ctx.organizationId, name)
    const file = await openIndexFile(path).catch((error: unknown) => {
      // The next search deletes it.
      if (error instanceof UnreadableIndexFile) return null
      return nullIfMissing(error)
    })
    if (file === null) return
    file.close()
    const { header, bytes } = file
    const restMs = (storedAt.get(path) ?? -Infinity) + bytes / bytesPerMs - performance.now()
    if (chunksOf(header) < minChunks || restMs > 0) return
    const { baseId, model } = fileName.parse(name)
    const key = `${ctx.organizationId}/${copiesFolder}/${baseId}-${model}-${randomUUID()}.index`
    if (!(await claim(ctx, { baseId, model, key, header, bytes }))) return
    storedAt.set(path, performance.now())
    await storage.write(key, createReadStream(path, { signal: closing.signal }))
    const isStored = await withTransaction(ctx, async (trx) => {
      const { rows } = await sql`
        update index_copy set stored_at = ${now()}
        where organization_id = (select app_organization()) and storage_key = ${key} returning 1`.execute(trx)
      return rows.length > 0
    })
    // Deleted meanwhile, with its organization or by another program.
    if (!isStored) await storage.delete(key)
  }

  /**
   * Adds the row of a copy before its file is written, so that the file is found if the program ends. A former copy is used until then.
   * @returns false if there is one already that has most of the chunks, or another program writes one
   */
  function claim(ctx: ReadContext, { baseId, model, key, header, bytes }: NewCopy): Promise<boolean> {
    const format = formatOf(header)
    const chunks = chunksOf(header)
    const generations = header.generations.map(({ generation }) => generation)
    return withTransaction(ctx, async (trx) => {
      const { rows } = await sql`
        insert into index_copy (organization_id, base_id, model, storage_key, format, chunks, bytes, generations, started_at)
        select app_organization(), ${baseId}::uuid, ${model}, ${key}, ${format}, ${chunks}::integer, ${bytes}::bigint,
          ${generations}::bigint[], ${now()}
        where not exists (
          select from index_copy
          where organization_id = (select app_organization()) and base_id = ${baseId}::uuid and model = ${model}
            and (stored_at is null or (format = ${format} and chunks >= ${minShare * chunks}::float8)))
        returning 1`.execute(trx)
      return rows.length > 0
    })
  }

  async function deleteOutdated(): Promise<void> {
    const outdated = await selectSql(
      contextOf(noOrganization),
      sql<{ organizationId: string; key: string }>`
        select organization_id as "organizationId", storage_key as key
        from outdated_index_copies(${new Date(now().getTime() - abandonedMs)})`,
    )
    for (const { organizationId, key } of outdated) {
      // The file first: its row leads to it until it is deleted.
      await storage.delete(key)
      await deleteRow(contextOf(organizationId), key)
    }
  }

  async function update(): Promise<void> {
    await deleteOutdated()
    for (const organizationId of (await readdir(folder).catch(nullIfMissing)) ?? []) {
      for (const name of (await readdir(join(folder, organizationId)).catch(nullIfMissing)) ?? []) {
        if (closing.signal.aborted) return
        if (isIndexFile(name)) await store(contextOf(organizationId), name)
      }
    }
    // Generations that were removed while a file was written.
    await deleteOutdated()
  }

  const updateAgain = (): void => {
    updating = updating.then(update).then(health.succeeded, (error: unknown) => {
      if (!closing.signal.aborted) health.failed(error)
    })
  }
  const interval = updateEveryMs === null ? undefined : setInterval(updateAgain, updateEveryMs).unref()

  async function fetchOnce(ctx: ReadContext, base: CopiedBase): Promise<void> {
    if (closing.signal.aborted) return
    const path = join(folder, ctx.organizationId, fileName.of(base.id, base.model.name))
    const last = looked.get(path)
    if (last !== undefined && performance.now() - last.at < lookMs) return last.fetched
    const fetched = fetchFile(ctx, base, path).catch((err: unknown) => {
      if (!closing.signal.aborted)
        log.warn({ err }, 'the copy of an index file could not be downloaded; the index is read from the database')
    })
    // A map keeps insertion order: the first entry is the oldest.
    looked.delete(path)
    looked.set(path, { at: performance.now(), fetched })
    const [oldest] = looked.keys()
    if (looked.size > maxLooked && oldest !== undefined) looked.delete(oldest)
    return fetched
  }

  return {
    async fetch(ctx, bases) {
      await Promise.all(bases.map((base) => fetchOnce(ctx, base)))
    },
    update,
    async close() {
      closing.abort()
      clearInterval(interval)
      await Promise.all([updating, ...Array.from(looked.values(), ({ fetched }) => fetched)])
    },
  }
}

/** A copy of another format was made by another version, or trusts the embedding model otherwise. */
const formatOf = ({ version, competences }: FileHeader): string =>
  createHash('sha256')
    .update(JSON.stringify([version, Object.entries(competences).toSorted(([one], [other]) => (one < other ? -1 : 1))]))
    .digest('hex')

/** Returns the indexes, whose searches first download the files that the folder does not have. */
export const withCopies = (indexes: SearchIndexes, copies: IndexCopies): SearchIndexes => ({
  ...indexes,
  async find(ctx, query, signal) {
    // The index of a re-index is short-lived and has no file.
    const parts = modelParts(query.scope, query.compared).filter(({ reindexId }) => reindexId === undefined)
    await copies.fetch(ctx, parts)
    return indexes.find(ctx, query, signal)
  },
  async close() {
    await copies.close()
    await indexes.close()
  },
})

const deleteRow = (ctx: ReadContext, key: string): Promise<unknown> =>
  withTransaction(ctx, (trx) =>
    sql`delete from index_copy where organization_id = (select app_organization()) and storage_key = ${key}`.execute(trx),
  )
