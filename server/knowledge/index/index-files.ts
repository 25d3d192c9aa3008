import { sql } from 'kysely'
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { selectSql, type ReadContext } from '../../context.ts'
import { diskSpace } from '../../lib/disk-space.ts'
import { reportingTo, type LoopHealth } from '../../lib/loop-health.ts'
import { nullIfMissing } from '../../lib/missing-file.ts'
import { languageOf } from './analyze.ts'
import type { BaseIndex } from './base-index.ts'
import type { WarningLog } from './base-indexes.ts'
import type { ComparedModel } from './compared-model.ts'
import { openIndexFile, writeIndexFile, type FileGeneration, type FileHeader, type IndexFile } from './index-file.ts'
import { PositionedFile, UnreadableIndexFile } from './positioned-file.ts'

/**
 * Copies of in-memory indexes in a folder, which a cold search reads instead of the database. The database decides what a search
 * reads: a file only saves reading generations again, which never change.
 */
export interface IndexFiles {
  /**
   * Returns the index of the file, without the generations that the database no longer has; null if no file can be read.
   * @param freeBytes memory for the index; vectors and postings of a larger one stay in the file
   */
  read(ctx: ReadContext, part: FilePart, freeBytes: number): Promise<BaseIndex | null>
  /**
   * Writes the index to its file, some seconds later, if the file differs much or has removed generations.
   * @param onFile called if a large index should be replaced by `read`, which leaves most of it in the file
   */
  keep(ctx: ReadContext, part: FilePart, index: BaseIndex, onFile: () => void): void
  /** Returns whether a complete index is large enough to be replaced by its file, and small enough for the folder. */
  replaces(index: BaseIndex): boolean
  /** Deletes a file that a search could not read. */
  discard(ctx: ReadContext, part: FilePart, error: UnreadableIndexFile): Promise<void>
  /** Deletes files with removed generations, and the least recently used ones beyond the limit of the folder. */
  clean(): Promise<void>
  /** Stops writing. */
  close(): Promise<void>
}

/** The chunks of a knowledge base with vectors of one embedding model. */
export interface FilePart {
  readonly id: string
  readonly model: Pick<ComparedModel, 'name' | 'competences'>
}

export interface IndexFilesOptions {
  readonly folder: string
  readonly maxBytes: number
  readonly contextOf: (organizationId: string) => ReadContext
  readonly log: WarningLog
  /** Told of every cleaning. */
  readonly health?: LoopHealth
  /** Time from a change of an index to its file. */
  readonly delayMs?: number
  /** Time between two cleanings; null for none. */
  readonly cleanEveryMs?: number | null
  /** Smaller indexes have no file: the database returns 1,000 chunks within .1 s. */
  readonly minChunks?: number
  /**
   * Vectors and postings of indexes with as many chunks always stay in the file, from which each search reads some. A search of
   * 100,000 chunks takes 12 ms so, and 8 ms in memory.
   */
  readonly minStoredChunks?: number
}

/** A file is written again when fewer of the chunks are in it. */
export const minShare = 0.9
const extension = '.index'
export const isIndexFile = (name: string): boolean => name.endsWith(extension)
export const modelHash = (name: string): string => createHash('sha256').update(name).digest('hex').slice(0, 16)
/** The names of index files. */
export const fileName = {
  of: (baseId: string, model: string): string => `${baseId}-${modelHash(model)}${extension}`,
  parse: (name: string): { baseId: string; model: string } => ({ baseId: name.slice(0, 36), model: name.slice(37, -extension.length) }),
}
/** An unfinished file this old was left by a program that ended. */
const abandonedMs = 3_600_000

/** The size of a posting. A chunk has one for each of its different terms. */
const postingBytes = 6
/** A large index that changes all the time is written rarely. */
const bytesPerMs = 4_000
/** Files that small indexes keep open: connections need file descriptors too. */
const maxOpenFiles = 500
/** Space that no index file takes from the database. */
export const minFreeBytes = 2 ** 30

export function createIndexFiles({
  folder,
  maxBytes,
  contextOf,
  log,
  health = reportingTo((err) => log.warn({ err }, 'the folder of index files could not be cleaned')),
  delayMs = 5_000,
  cleanEveryMs = 300_000,
  minChunks = 1_000,
  minStoredChunks = 200_000,
}: IndexFilesOptions): IndexFiles {
  /** By path, the last change that waits to be written. */
  const pending = new Map<string, { readonly timer: NodeJS.Timeout; readonly write: () => Promise<void> }>()
  const writtenAt = new Map<string, number>()
  const closing = new AbortController()
  /** Settles when the last write is done: one at a time. */
  let writing: Promise<void> = Promise.resolve()
  let cleaning: Promise<void> = Promise.resolve()

  const pathOf = ({ organizationId }: ReadContext, { id, model }: FilePart): string =>
    join(folder, organizationId, fileName.of(id, model.name))

  /** Opens a file. One that cannot be read is deleted: the next write replaces it. */
  async function openReadable(path: string): Promise<IndexFile | null> {
    try {
      return await openIndexFile(path).catch(nullIfMissing)
    } catch (err) {
      return discardFile(path, err)
    }
  }

  async function discardFile(path: string, err: unknown): Promise<null> {
    if (!(err instanceof UnreadableIndexFile)) throw err
    log.warn({ err, path }, 'an index file cannot be read and is deleted; the index is read from the database')
    await rm(path, { force: true })
    return null
  }

  async function readFile(ctx: ReadContext, part: FilePart, freeBytes: number): Promise<BaseIndex | null> {
    const path = pathOf(ctx, part)
    const file = await openReadable(path)
    if (file === null) return null
    try {
      const { generations, competences } = file.header
      if (!isDeepStrictEqual(competences, await competencesOf(part, Object.keys(competences)))) {
        await rm(path, { force: true })
        return null
      }
      const byPosition = chunksOf(file.header) >= minStoredChunks || (file.bytes > freeBytes && PositionedFile.open < maxOpenFiles)
      const [index, existing] = await Promise.all([file.readIndex(byPosition), existingGenerations(ctx, part.id, generations)])
      const removed = generations.filter(({ generation }) => !existing.has(generation)).map(({ generation }) => generation)
      index.apply({ fingerprint: '', added: [], postings: [], removed })
      const now = new Date()
      // Another program may have deleted it meanwhile.
      await (removed.length > 0 ? rm(path, { force: true }) : utimes(path, now, now).catch(nullIfMissing))
      return index
    } catch (err) {
      return await discardFile(path, err)
    } finally {
      file.close()
    }
  }

  async function write(ctx: ReadContext, part: FilePart, index: BaseIndex, onFile: () => void): Promise<void> {
    const path = pathOf(ctx, part)
    const stored = await headerOf(path)
    if (stored !== null && hasRemoved(stored, index)) await rm(path, { force: true })
    else if (stored !== null && chunksOf(stored) >= minShare * index.chunks) return onFile()
    const bytes = index.fileBytes
    if (index.chunks < minChunks || bytes > maxBytes) return
    const restMs = (writtenAt.get(path) ?? 0) + bytes / bytesPerMs - Date.now()
    if (restMs > 0) return schedule(path, () => write(ctx, part, index, onFile), restMs)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    if ((await diskSpace(folder)).freeBytes < bytes + minFreeBytes) return
    writtenAt.set(path, Date.now())
    const temporary = `${path}.${randomUUID()}.part`
    try {
      const firstChunks = await firstChunksOf(ctx, part.id, index)
      const competences = await competencesOf(part, index.languages)
      await writeIndexFile(temporary, index, { competences, firstChunks }, closing.signal)
      await rename(temporary, path)
    } finally {
      await rm(temporary, { force: true })
    }
    // A generation that was removed meanwhile has not found the file.
    await cleanFile(ctx, path)
    await limitFolder()
    onFile()
  }

  /** Writes the last of the changes of a file that were scheduled until then. */
  function schedule(path: string, change: () => Promise<void>, ms: number): void {
    if (closing.signal.aborted) return
    const timer = pending.get(path)?.timer ?? setTimeout(() => writeNow(path), ms).unref()
    pending.set(path, { timer, write: change })
  }

  function writeNow(path: string): void {
    const change = pending.get(path)
    pending.delete(path)
    if (change === undefined) return
    writing = writing.then(change.write).catch((err: unknown) => {
      if (!closing.signal.aborted) log.warn({ err }, 'an index file could not be written; the next start reads the index from the database')
    })
  }

  async function headerOf(path: string): Promise<FileHeader | null> {
    const file = await openReadable(path)
    file?.close()
    return file?.header ?? null
  }

  async function cleanFile(ctx: ReadContext, path: string): Promise<void> {
    const header = await headerOf(path)
    if (header === null) return
    const generations = header.generations.map(({ generation }) => generation)
    const [row] = await selectSql(
      ctx,
      sql<{ removed: boolean }>`
      select exists (
        select from unnest(${generations}::bigint[]) as g (generation)
        where not exists (
          select from index_generation i where i.organization_id = (select app_organization()) and i.generation = g.generation
        )
      ) as removed`,
    )
    if (row?.removed !== false) await rm(path, { force: true })
  }

  async function clean(): Promise<void> {
    for (const organizationId of (await readdir(folder).catch(nullIfMissing)) ?? []) {
      const ctx = contextOf(organizationId)
      for (const name of await readdir(join(folder, organizationId))) {
        if (closing.signal.aborted) return
        const path = join(folder, organizationId, name)
        if (isIndexFile(name)) await cleanFile(ctx, path)
        else if (await isOlder(path, abandonedMs)) await rm(path, { force: true })
      }
    }
    await limitFolder()
  }

  /** Deletes the least recently used files until the rest is within the limit. */
  async function limitFolder(): Promise<void> {
    const names = (await readdir(folder, { recursive: true }).catch(nullIfMissing)) ?? []
    const files = await Promise.all(
      names.filter(isIndexFile).map(async (name) => {
        const path = join(folder, name)
        const stats = await stat(path).catch(nullIfMissing)
        return { path, bytes: stats?.size ?? 0, usedAt: stats?.mtimeMs ?? 0 }
      }),
    )
    let total = files.reduce((sum, { bytes }) => sum + bytes, 0)
    for (const { path, bytes } of files.toSorted((one, other) => one.usedAt - other.usedAt)) {
      if (total <= maxBytes) return
      await rm(path, { force: true })
      total -= bytes
    }
  }

  const cleanAgain = (): void => {
    cleaning = cleaning.then(clean).then(health.succeeded, health.failed)
  }
  const interval = cleanEveryMs === null ? undefined : setInterval(cleanAgain, cleanEveryMs).unref()
  if (interval !== undefined) cleanAgain()

  return {
    async read(ctx, part, freeBytes) {
      try {
        return await readFile(ctx, part, freeBytes)
      } catch (err) {
        log.warn({ err }, 'an index file could not be read; the index is read from the database')
        return null
      }
    },
    keep(ctx, part, index, onFile) {
      const replaceLarge = (): void => {
        if (index.chunks >= minStoredChunks && index.storedChunks < minShare * index.chunks) onFile()
      }
      schedule(pathOf(ctx, part), () => write(ctx, part, index, replaceLarge), delayMs)
    },
    replaces: (index) => index.chunks >= minStoredChunks && index.fileBytes + index.terms * postingBytes <= maxBytes,
    async discard(ctx, part, error) {
      await discardFile(pathOf(ctx, part), error)
    },
    clean,
    async close() {
      closing.abort()
      clearInterval(interval)
      for (const { timer } of pending.values()) clearTimeout(timer)
      pending.clear()
      await Promise.all([writing, cleaning])
    },
  }
}

export const chunksOf = ({ generations }: FileHeader): number => generations.reduce((sum, { chunks }) => sum + chunks, 0)

const hasRemoved = ({ generations }: FileHeader, index: BaseIndex): boolean =>
  generations.some(({ generation, hasVectors }) => index.rangeOf(generation)?.hasVectors !== hasVectors)

async function isOlder(path: string, ms: number): Promise<boolean> {
  const stats = await stat(path).catch(nullIfMissing)
  return stats !== null && Date.now() - stats.mtimeMs > ms
}

/** Returns the competence of the model by analysis. */
async function competencesOf({ model }: FilePart, analyses: readonly string[]): Promise<Record<string, number>> {
  const competences = await model.competences(analyses.map(languageOf))
  return Object.fromEntries(analyses.map((analysis) => [analysis, competences[languageOf(analysis)] ?? 0]))
}

/** Returns the first chunk of each live generation that still exists. */
async function firstChunksOf(ctx: ReadContext, baseId: string, index: BaseIndex): Promise<Map<number, FileGeneration['firstChunk']>> {
  const firsts = index.ranges.map(({ generation, from }) => ({ generation, ordinal: index.ordinals[from] ?? 0 }))
  const rows = await readFirstChunks(ctx, baseId, firsts)
  return new Map(rows.map(({ generation, ordinal, id }) => [generation, { ordinal, id }]))
}

/** Returns the generations whose first chunk is still the same. */
async function existingGenerations(ctx: ReadContext, baseId: string, generations: readonly FileGeneration[]): Promise<Set<number>> {
  const ids = new Map(generations.map(({ generation, firstChunk }) => [generation, firstChunk.id]))
  const firsts = generations.map(({ generation, firstChunk }) => ({ generation, ordinal: firstChunk.ordinal }))
  const rows = await readFirstChunks(ctx, baseId, firsts)
  return new Set(rows.filter(({ generation, id }) => ids.get(generation) === id).map(({ generation }) => generation))
}

interface ChunkPlace {
  readonly generation: number
  readonly ordinal: number
}

const readFirstChunks = (
  ctx: ReadContext,
  baseId: string,
  places: readonly ChunkPlace[],
): Promise<(ChunkPlace & { readonly id: string })[]> =>
  selectSql(
    ctx,
    sql`
    select p.generation, p.ordinal, c.id
    from unnest(${places.map(({ generation }) => generation)}::bigint[], ${places.map(({ ordinal }) => ordinal)}::integer[])
      as p (generation, ordinal)
    cross join lateral (
      select id from chunk
      where organization_id = (select app_organization()) and generation = p.generation and ordinal = p.ordinal
        and base_id = ${baseId}::uuid
      offset 0
    ) as c`,
  )
