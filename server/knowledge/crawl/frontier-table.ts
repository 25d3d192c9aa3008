import { sql, type Selectable } from 'kysely'
import { withTransaction } from '../../context.ts'
import type { SourcePageTable, Transaction } from '../../db/schema.ts'
import { newId } from '../../lib/ids.ts'
import { enqueueFileDeletion } from '../uploads/delete-files.ts'
import { Superseded, updateFenced, type Attempt } from '../rows/attempt.ts'
import type { Frontier, LastRead, Listing, NewRead, Outcome, PageContent, Waiting } from './frontier.ts'

/** Rows per statement. */
const batchSize = 500

/** Returns the frontier of one attempt to process a source, in `source_page`. Its writes are fenced like those of the attempt. */
export function frontierTable(attempt: Attempt, { baseId, pageLimit }: { baseId: string; pageLimit: number }): Frontier {
  const { ctx, organizationId, sourceId, generation } = attempt
  let place = 0
  let asked = 0
  let open = 0

  const mine = (trx: Transaction) => trx.selectFrom('source_page').where('source_id', '=', sourceId).where('generation', '=', generation)
  const publish = (trx: Transaction) =>
    updateFenced(trx, attempt, { progress_done: asked, progress_total: Math.max(asked, Math.min(open, pageLimit)), progress_unit: 'pages' })

  async function insert(trx: Transaction, listings: readonly Listing[]): Promise<number> {
    let added = 0
    const now = ctx.now()
    for (let from = 0; from < listings.length; from += batchSize) {
      const values = listings.slice(from, from + batchSize).map(({ url, key, depth, hops, skip }) => ({
        organization_id: organizationId,
        id: newId(now.getTime()),
        base_id: baseId,
        source_id: sourceId,
        key,
        url: url.href,
        generation,
        depth,
        hops,
        place: place++,
        waiting: skip === null,
        status: skip === null ? null : ('skipped' as const),
        reason: skip,
        listed_at: now,
      }))
      const rows = await trx
        .insertInto('source_page')
        .values(values)
        .onConflict((conflict) =>
          conflict
            .columns(['organization_id', 'source_id', 'key'])
            .doUpdateSet((row) => ({
              url: row.ref('excluded.url'),
              generation: row.ref('excluded.generation'),
              depth: row.ref('excluded.depth'),
              hops: row.ref('excluded.hops'),
              place: row.ref('excluded.place'),
              waiting: row.ref('excluded.waiting'),
              status: sql<Outcome['status']>`coalesce(excluded.status, source_page.status)`,
              reason: sql<string>`case when excluded.waiting then source_page.reason else excluded.reason end`,
              listed_at: row.ref('excluded.listed_at'),
              tries: 0,
              due_at: null,
              indexed: false,
              part: null,
            }))
            .where('source_page.generation', '<>', generation),
        )
        .returning('waiting')
        .execute()
      added += rows.length
      open += rows.filter(({ waiting }) => waiting).length
    }
    return added
  }

  async function keep(page: Waiting, { content, ...read }: NewRead) {
    const key = `${organizationId}/pages/${page.id}-${generation}.json`
    await ctx.storage.write(key, Buffer.from(JSON.stringify(content)))
    return {
      content_key: key,
      title: read.title,
      language: content.document.language,
      canonical_url: read.canonicalUrl,
      etag: read.etag,
      last_modified: read.lastModified,
      body_hash: read.bodyHash,
      text_hash: read.textHash,
      shape_hash: read.shapeHash,
      rendered: read.rendered,
      thin: read.thin,
    }
  }

  return {
    async progress() {
      const rows = await withTransaction(ctx, (trx) =>
        mine(trx).select(['url', 'shape_hash', 'waiting', 'indexed', 'status', 'http_status', 'place', 'listed_at']).execute(),
      )
      const visited = rows.filter(({ waiting, status, http_status }) => !waiting && (status !== 'skipped' || http_status !== null))
      asked = visited.length
      open = visited.length + rows.filter(({ waiting }) => waiting).length
      place = rows.reduce((next, row) => Math.max(next, row.place + 1), 0)
      return {
        listed: rows.length,
        asked,
        kept: rows.filter(({ indexed }) => indexed).length,
        startedAt: rows.length === 0 ? null : new Date(Math.min(...rows.map(({ listed_at }) => listed_at.getTime()))),
        shapes: rows.flatMap(({ url, indexed, shape_hash }) =>
          indexed && shape_hash !== null ? [{ url: new URL(url), shapeHash: shape_hash }] : [],
        ),
      }
    },

    list: (listings) =>
      withTransaction(ctx, async (trx) => {
        await updateFenced(trx, attempt, {})
        const added = await insert(trx, listings)
        await publish(trx)
        return added
      }),

    next: (taken) =>
      withTransaction(ctx, async (trx) => {
        const waiting = mine(trx).where('waiting', '=', true)
        const free = taken.size === 0 ? waiting : waiting.where('id', 'not in', [...taken])
        const row = await free
          .selectAll()
          .where((where) => where.or([where('due_at', 'is', null), where('due_at', '<=', ctx.now())]))
          .orderBy('depth')
          .orderBy('place')
          .limit(1)
          .executeTakeFirst()
        if (row !== undefined) return toWaiting(row)
        const later = await free.select(({ fn }) => fn.min('due_at').as('dueAt')).executeTakeFirst()
        return later?.dueAt ?? null
      }),

    async settle(page, outcome, found) {
      const read = typeof outcome.serves === 'object' ? await keep(page, outcome.serves.read) : null
      try {
        return await withTransaction(ctx, async (trx) => {
          await updateFenced(trx, attempt, {})
          const before = await mine(trx).select(['content_key', 'waiting']).where('id', '=', page.id).executeTakeFirst()
          if (before?.waiting !== true) throw new Error(`another worker is crawling source ${sourceId}`)
          await trx
            .updateTable('source_page')
            .set({
              waiting: false,
              indexed: outcome.serves !== 'nothing',
              status: outcome.status,
              reason: outcome.reason,
              http_status: outcome.httpStatus,
              ...(outcome.status !== 'failed' && { fetched_at: ctx.now() }),
              stand_in_url: outcome.standInUrl ?? null,
              ...(outcome.bytes !== undefined && { bytes: outcome.bytes }),
              ...read,
            })
            .where('id', '=', page.id)
            .execute()
          if (read !== null && before.content_key !== read.content_key) await enqueueFileDeletion(ctx, trx, [before.content_key])
          const added = await insert(trx, found)
          asked++
          await publish(trx)
          return added
        })
      } catch (error) {
        if (read !== null && error instanceof Superseded) await ctx.storage.delete(read.content_key)
        throw error
      }
    },

    postpone: (page, { url, hops, tries, dueAt }) =>
      withTransaction(ctx, async (trx) => {
        await updateFenced(trx, attempt, {})
        await trx.updateTable('source_page').set({ url: url.href, hops, tries, due_at: dueAt }).where('id', '=', page.id).execute()
      }),

    settleRest: ({ status, reason, serves }) =>
      withTransaction(ctx, async (trx) => {
        await updateFenced(trx, attempt, {})
        await trx
          .updateTable('source_page')
          .set({
            waiting: false,
            status,
            reason,
            http_status: null,
            indexed: serves === 'last' ? sql<boolean>`content_key is not null` : false,
          })
          .where('source_id', '=', sourceId)
          .where('generation', '=', generation)
          .where('waiting', '=', true)
          .execute()
      }),

    async content(page) {
      const row = await withTransaction(ctx, (trx) => mine(trx).select('content_key').where('id', '=', page.id).executeTakeFirst())
      return readContent(attempt, row?.content_key ?? null)
    },
  }
}

/** Reads the stored content of a page. */
export async function readContent({ ctx }: Pick<Attempt, 'ctx'>, key: string | null): Promise<PageContent> {
  if (key === null) throw new Error('nothing was kept of this page')
  return JSON.parse((await ctx.storage.read(key)).toString()) as PageContent
}

function toWaiting(row: Selectable<SourcePageTable>): Waiting {
  return { id: row.id, url: new URL(row.url), key: row.key, depth: row.depth, hops: row.hops, tries: row.tries, last: lastRead(row) }
}

function lastRead(row: Selectable<SourcePageTable>): LastRead | null {
  const { content_key, body_hash, text_hash, shape_hash } = row
  if (content_key === null || body_hash === null || text_hash === null || shape_hash === null) return null
  return {
    etag: row.etag,
    lastModified: row.last_modified,
    bodyHash: body_hash,
    textHash: text_hash,
    shapeHash: shape_hash,
    title: row.title,
    canonicalUrl: row.canonical_url,
    rendered: row.rendered,
    thin: row.thin,
  }
}
