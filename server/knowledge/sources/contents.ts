import { hasPages, wireId, type ListChunks, type SourceChunk, type SourceContent } from '@groundwork/api'
import { withTransaction, type Context } from '../../context.ts'
import { AppError } from '../../lib/errors.ts'
import type { KnowledgeContext } from '../context.ts'
import type { PageContent } from '../crawl/frontier.ts'
import type { ExtractedDocument } from '../extract/document.ts'
import { readChunks, type StoredChunk } from '../index/read-chunks.ts'
import { asReplaced, requireDocument } from './document.ts'
import { outlineOf } from './outline.ts'
import { requireSource } from '../rows/require-source.ts'
import { searchedParts } from '../rows/site-parts.ts'

/**
 * Returns the searchable chunks of a source in document order; those of a site in its first crawl in the order of their pages' reading.
 * @throws AppError `not_found`
 */
export function listChunks(
  ctx: Context,
  baseId: string,
  sourceId: string,
  { limit, cursor }: ListChunks,
): Promise<{ data: SourceChunk[]; nextCursor: string | null }> {
  return withTransaction(ctx, async (trx) => {
    const { live_generation: generation } = await requireSource(trx, baseId, sourceId)
    const from = cursor === undefined ? 0 : decodeOrdinal(cursor) + 1
    const generations = generation === null ? await searchedParts(trx, sourceId) : [generation]
    if (generations.length === 0) return { data: [], nextCursor: null }
    const rows = await readChunks(trx, generations, { from, limit: limit + 1 })
    const data = rows.slice(0, limit).map(toSourceChunk)
    const last = data.at(-1)
    return { data, nextCursor: rows.length > limit && last !== undefined ? encodeOrdinal(last.ordinal) : null }
  })
}

function toSourceChunk({ id, sitePage, ...chunk }: StoredChunk): SourceChunk {
  const page = sitePage && { pageId: wireId('pag', sitePage.id), pageUrl: sitePage.url, pageTitle: sitePage.title }
  return { id: wireId('chk', id), ...chunk, ...page }
}

const encodeOrdinal = (ordinal: number): string => Buffer.from(`o${ordinal}`).toString('base64url')

function decodeOrdinal(cursor: string): number {
  const match = /^o(\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))
  if (match === null) throw new AppError('bad_request', 'cursor is not one that this list returned', { field: 'cursor' })
  return Number(match[1])
}

/**
 * Returns the text that the spans of citations refer to.
 * @throws AppError `not_found` for the source, while there is no text, or for a site; `unavailable` while it is replaced
 */
export async function getContent(ctx: KnowledgeContext, baseId: string, sourceId: string): Promise<SourceContent> {
  const { source, document } = await withTransaction(ctx, (trx) => requireDocument(trx, baseId, sourceId))
  if (hasPages(source.type)) {
    throw new AppError(
      'not_found',
      'A source of type scrape has a text for each page. GET …/pages lists the pages, and GET …/pages/{pageId}/content returns the text of one.',
    )
  }
  if (document.content_key === null) throw new AppError('not_found', 'The source has no text yet.')
  return toContent((await readStored(ctx, document.content_key)) as ExtractedDocument, document.url)
}

/**
 * Returns the text of a page of a site, which the spans of citations refer to.
 * @throws AppError `not_found` for source and page, or if the page has no stored text; `unavailable` while it is replaced
 */
export async function getPageContent(ctx: KnowledgeContext, baseId: string, sourceId: string, pageId: string): Promise<SourceContent> {
  const page = await withTransaction(ctx, async (trx) => {
    await requireSource(trx, baseId, sourceId)
    const of = trx.selectFrom('source_page').select(['url', 'content_key']).where('source_id', '=', sourceId).where('id', '=', pageId)
    return of.executeTakeFirst()
  })
  if (page === undefined) throw new AppError('not_found', 'The source has no page with this id.', { field: 'pageId' })
  if (page.content_key === null)
    throw new AppError('not_found', 'No text is stored for this page. GET …/pages shows its status and the reason.')
  const { document } = (await readStored(ctx, page.content_key)) as PageContent
  return toContent(document, page.url)
}

async function readStored(ctx: KnowledgeContext, key: string): Promise<unknown> {
  const bytes = await ctx.storage.read(key).catch(asReplaced)
  return JSON.parse(bytes.toString())
}

function toContent(document: ExtractedDocument, url: string | null): SourceContent {
  const { title, mediaType, language, pages, text } = document
  return { title, url, mediaType, language, pages, text, outline: outlineOf(document) }
}
