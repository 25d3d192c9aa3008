import { hasPages } from '@groundwork/api'
import { createHash } from 'node:crypto'
import { withTransaction } from '../../context.ts'
import type { FileResponse } from '../../handlers.ts'
import { AppError } from '../../lib/errors.ts'
import type { KnowledgeContext } from '../context.ts'
import { asReplaced, requireDocument } from './document.ts'
import { originalName } from './original-name.ts'

/**
 * Returns the original of a source as it was uploaded or fetched.
 * @throws AppError `not_found` for the source, before it is fetched, or for a site; `unavailable` while it is replaced
 */
export async function getOriginal(ctx: KnowledgeContext, baseId: string, sourceId: string): Promise<FileResponse> {
  const { source, document } = await withTransaction(ctx, (trx) => requireDocument(trx, baseId, sourceId))
  if (hasPages(source.type)) {
    throw new AppError('not_found', 'A source of type scrape has no original file, only the texts of its pages. GET …/pages lists them.')
  }
  const key = document.original_key
  if (key === null) throw new AppError('not_found', 'The source has no fetched file yet.')
  return {
    name: originalName(source, document),
    mediaType: typeOf(document),
    sizeBytes: await ctx.storage.sizeBytes(key).catch(asReplaced),
    // The bytes of a key never change, so the key replaces their hash until that is known.
    etag: `"${document.content_hash ?? createHash('sha256').update(key).digest('hex')}"`,
    open: (range) => ctx.storage.open(key, range).catch(asReplaced),
  }
}

/** Returns the detected media type with the declared charset. Both are matched, so that nothing else of a header is sent. */
function typeOf({ media_type, content_type }: { media_type: string | null; content_type: string | null }): string {
  const [type = 'application/octet-stream'] = /^[\w.+-]+\/[\w.+-]+/.exec(media_type ?? '') ?? []
  const charset = /;\s*charset="?([\w-]+)/i.exec(content_type ?? '')?.[1]
  return type.startsWith('text/') && charset !== undefined ? `${type}; charset=${charset}` : type
}
