import { createHash } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { SourceTable } from '../../db/schema.ts'
import { SourceError } from '../../lib/errors.ts'
import { expectOk } from '../../outbound/expect-ok.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { enterStage, type Attempt } from './fence.ts'
import { keepFile } from './keep.ts'

const maxBytes = 50_000_000
const timeoutMs = 60_000

export interface Original {
  readonly bytes: Buffer
  /** What is known of its type and name, without a look into it. */
  readonly contentType: string | null
  readonly fileName: string | null
  readonly url: string | null
  /** SHA-256, hexadecimal. */
  readonly hash: string
}

/**
 * The bytes of the source: the uploaded file, or the page, fetched once for each generation and kept.
 * @throws SourceError when the address cannot be fetched; Superseded
 */
export async function obtainOriginal(attempt: Attempt, outbound: Outbound, row: Selectable<SourceTable>): Promise<Original> {
  if (row.type === 'file') {
    const { file_name: fileName, content_type: contentType } = await attempt.ctx.db.transaction(attempt.organizationId, (trx) =>
      trx
        .selectFrom('upload')
        .select(['file_name', 'content_type'])
        .where('id', '=', row.upload_id ?? '')
        .executeTakeFirstOrThrow(),
    )
    return { ...(await stored(attempt, row.original_key)), contentType, fileName, url: null }
  }
  if (row.type !== 'url' || row.url === null) {
    throw new SourceError('unsupported_type', `Sources of type ${row.type} cannot be processed by this version.`)
  }
  const key = `${attempt.organizationId}/originals/${attempt.sourceId}-${attempt.generation}`
  let contentType = row.media_type
  if (row.original_key !== key) {
    await enterStage(attempt, 'fetching')
    const page = expectOk(await outbound.fetch(row.url, { maxBytes, timeoutMs, signal: attempt.signal }))
    contentType = page.headers.get('content-type')
    await keepFile(attempt, 'original_key', { key, bytes: page.body }, { bytes: page.body.length, media_type: contentType })
  }
  return { ...(await stored(attempt, key)), contentType, fileName: null, url: row.url }
}

async function stored({ ctx }: Attempt, key: string | null): Promise<Pick<Original, 'bytes' | 'hash'>> {
  if (key === null) throw new SourceError('internal', 'The file of this source is missing.')
  const bytes = await ctx.storage.read(key)
  return { bytes, hash: createHash('sha256').update(bytes).digest('hex') }
}
