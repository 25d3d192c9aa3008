import { sql } from 'kysely'
import { setTimeout as pause } from 'node:timers/promises'
import { withTransaction } from '../../context.ts'
import { exceedsQuota } from '../../db/quota-error.ts'
import { mergeRows } from '../crawl/merge.ts'
import { chunksOfPages, type IndexedPage } from '../crawl/page-chunks.ts'
import { deleteGenerations } from '../index/remove.ts'
import { Superseded, updateFenced } from '../rows/attempt.ts'
import { dropParts } from '../rows/site-parts.ts'
import type { Run } from './source-type.ts'
import { embedAndWriteChunks } from './write-chunks.ts'

/** Pages of a part: few at first, so that they are searchable soon, then so many that a site of 10,000 pages has some hundred parts. */
const [pagesOfFirst, pagesPerPart] = [10, 100]
/** Delays between looks for new pages: before the first part and after it. */
const [firstPauseMs, laterPauseMs] = [500, 10_000]

/** Runs a first crawl and makes the pages that it has read searchable meanwhile. Throws the errors of the crawl alone. */
export async function publishDuring(run: Run, crawl: () => Promise<void>): Promise<void> {
  const ended = new AbortController()
  const publishing = publishUntil(run, AbortSignal.any([run.attempt.signal, ended.signal]))
  try {
    await crawl()
  } finally {
    ended.abort()
    await publishing
  }
}

async function publishUntil(run: Run, signal: AbortSignal): Promise<void> {
  try {
    for (let first = true; !signal.aborted;) {
      const limit = first ? pagesOfFirst : pagesPerPart
      const published = await publishNext(run, limit)
      if (published !== null) first &&= published.length === 0
      if (published?.length === limit) continue
      // It rejects when the signal ends the loop.
      await pause(first && published !== null ? firstPauseMs : laterPauseMs, undefined, { signal }).catch(() => undefined)
    }
  } catch (error) {
    // The complete index would exceed the quota too, which fails the attempt after the crawl.
    if (!exceedsQuota(error)) throw error
  }
}

/** Returns a function that makes a page searchable, with other ones that were read, unless it is or an earlier batch has failed. */
export function publisherOfRest(run: Run): (page: Pick<IndexedPage, 'id'>) => Promise<void> {
  let searchable: Set<string> | null = null
  let failed = false
  return async ({ id }) => {
    searchable ??= new Set((await readPages(run)).filter(({ part }) => part !== null).map((page) => page.id))
    if (failed || searchable.has(id)) return
    const published = await publishNext(run, pagesPerPart)
    failed = published === null || published.length === 0
    for (const page of published ?? []) searchable.add(page)
  }
}

/** Publishes the nearest pages that are not searchable yet. @returns their ids; null if that failed. @throws AppError `quota_exceeded` */
async function publishNext(run: Run, limit: number): Promise<string[] | null> {
  const { attempt } = run
  try {
    const read = await readPages(run)
    const merged = mergeRows(read)
    const pages = read.filter(({ id, part }) => part === null && !merged.has(id)).slice(0, limit)
    if (pages.length > 0) await publish(run, pages)
    return pages.map(({ id }) => id)
  } catch (err) {
    if (exceedsQuota(err)) throw err
    // The complete index contains the same pages: a lasting error fails the attempt when that is written.
    if (!(err instanceof Superseded) && !attempt.signal.aborted)
      attempt.ctx.log.warn({ err, sourceId: attempt.sourceId }, 'pages of a site could not be made searchable before the end of its crawl')
    return null
  }
}

/** Returns the pages with text, nearest first. */
function readPages({ attempt: { ctx, sourceId, generation } }: Run) {
  return withTransaction(ctx, (trx) =>
    trx
      .selectFrom('source_page')
      .select(['id', 'key', 'url', 'title', 'language', 'canonical_url', 'text_hash', 'content_key', 'part'])
      .where('source_id', '=', sourceId)
      .where('generation', '=', generation)
      .where('indexed', '=', true)
      .orderBy('depth')
      .orderBy('place')
      .execute(),
  )
}

/** Writes pages as a generation of their own and makes it searchable in one transaction. @throws SourceError; Superseded */
async function publish(run: Run, pages: readonly IndexedPage[]): Promise<void> {
  const { attempt, row, chunking } = run
  const { ctx, organizationId, sourceId } = attempt
  const part = await beginPart(run)
  try {
    const target = { organizationId, baseId: row.base_id, sourceId, generation: part.generation }
    const counts = new Map<string, number>()
    async function* counted() {
      for await (const chunk of chunksOfPages(attempt, pages, chunking, part.firstOrdinal)) {
        const page = chunk.document.pageId ?? ''
        counts.set(page, (counts.get(page) ?? 0) + 1)
        yield chunk
      }
    }
    const chunks = await embedAndWriteChunks(attempt, target, counted(), 0, async (trx) => {
      await updateFenced(trx, attempt, {})
    })
    await endPart(run, part.generation, chunks, counts)
  } catch (error) {
    await withTransaction(ctx, async (trx) => {
      await updateFenced(trx, attempt, {})
      await trx.deleteFrom('source_part').where('generation', '=', part.generation).execute()
      await deleteGenerations(ctx, trx, row.base_id, [part.generation])
    })
    throw error
  }
}

async function beginPart({ attempt, row }: Run): Promise<{ generation: number; firstOrdinal: number }> {
  const { ctx, organizationId, sourceId } = attempt
  return withTransaction(ctx, async (trx) => {
    await updateFenced(trx, attempt, {})
    const { rows } = await sql<{ generation: number; firstOrdinal: number }>`
      insert into source_part (organization_id, generation, base_id, source_id, attempt, embedding_model)
      values (${organizationId}::uuid, nextval('source_generation'), ${row.base_id}::uuid, ${sourceId}::uuid, ${attempt.generation}::bigint,
        ${ctx.embedder.model})
      returning generation, (
        select coalesce(sum(chunks), 0)::integer from source_part
        where organization_id = (select app_organization()) and source_id = ${sourceId}::uuid and attempt = ${attempt.generation}::bigint
          and searched
      ) as "firstOrdinal"`.execute(trx)
    const [part] = rows
    if (part === undefined) throw new Error('no part was inserted')
    return part
  })
}

/**
 * Makes a written part searchable, in place of those of earlier attempts.
 * @throws Superseded, or Error if another worker has published one of the pages
 */
async function endPart({ attempt, row }: Run, generation: number, chunks: number, counts: ReadonlyMap<string, number>): Promise<void> {
  const { ctx, sourceId } = attempt
  await withTransaction(ctx, async (trx) => {
    const { stage } = await updateFenced(trx, attempt, {})
    const { rows: marked } = await sql`
      update source_page p set part = ${generation}::bigint, chunks = c.chunks
      from unnest(${[...counts.keys()]}::uuid[], ${[...counts.values()]}::integer[]) as c (id, chunks)
      where p.organization_id = (select app_organization()) and p.id = c.id and p.source_id = ${sourceId}::uuid
        and p.generation = ${attempt.generation}::bigint and p.part is null
      returning p.id`.execute(trx)
    const part = await trx
      .updateTable('source_part')
      .set({ searched: true, chunks })
      .where('generation', '=', generation)
      .returning('generation')
      .executeTakeFirst()
    if (marked.length !== counts.size || part === undefined) throw new Error(`another worker is publishing source ${sourceId}`)
    await dropParts(ctx, trx, row, attempt.generation)
    const { rows } = await sql<{ chunks: number; pages: number }>`
      select
        (select coalesce(sum(chunks), 0)::integer from source_part
          where organization_id = (select app_organization()) and source_id = ${sourceId}::uuid) as chunks,
        (select count(*)::integer from source_page
          where organization_id = (select app_organization()) and source_id = ${sourceId}::uuid and part is not null) as pages`.execute(trx)
    await updateFenced(trx, attempt, {
      chunks_count: rows[0]?.chunks ?? 0,
      // After the crawl, it is the number of all pages with text.
      ...(stage === 'fetching' && { pages: rows[0]?.pages ?? 0 }),
      embedding_model: ctx.embedder.model,
      embedding_dimensions: ctx.embedder.dimensions,
    })
  })
}
