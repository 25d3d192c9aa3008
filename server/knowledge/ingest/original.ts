import { createHash } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { SourceTable } from '../../db/schema.ts'
import { SourceError } from '../../lib/errors.ts'
import { expectOk } from '../../outbound/expect-ok.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { obtainTranscript, transcriptType } from '../video/obtain.ts'
import type { VideoService } from '../video/service.ts'
import { storedVideo, type SourceVideo } from '../video/source-video.ts'
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
  /** What is known of the video whose transcript the bytes are; null for other sources. */
  readonly video: SourceVideo | null
}

/**
 * The bytes of the source: the uploaded file, or the page, fetched once for each generation and kept.
 * @throws SourceError when the address cannot be fetched; Superseded
 */
export async function obtainOriginal(
  attempt: Attempt,
  { outbound, video }: { outbound: Outbound; video: VideoService },
  row: Selectable<SourceTable>,
): Promise<Original> {
  if (row.upload_id !== null) {
    const { file_name: fileName, content_type: contentType } = await attempt.ctx.db.transaction(attempt.organizationId, (trx) =>
      trx
        .selectFrom('upload')
        .select(['file_name', 'content_type'])
        .where('id', '=', row.upload_id ?? '')
        .executeTakeFirstOrThrow(),
    )
    return { ...(await stored(attempt, row.original_key)), contentType, fileName, url: null, video: storedVideo(row.video) }
  }
  const key = `${attempt.organizationId}/originals/${attempt.sourceId}-${attempt.generation}`
  let about = storedVideo(row.video)
  if (about !== null) {
    if (row.original_key !== key) {
      await enterStage(attempt, 'fetching')
      const transcript = await obtainTranscript(video, about, attempt.signal)
      about = transcript.video
      await keepFile(
        attempt,
        'original_key',
        { key, bytes: transcript.bytes },
        { video: JSON.stringify(about), bytes: transcript.bytes.length, media_type: transcriptType },
      )
    }
    return { ...(await stored(attempt, key)), contentType: transcriptType, fileName: null, url: null, video: about }
  }
  if (row.type !== 'url' || row.url === null) {
    throw new SourceError('unsupported_type', `Sources of type ${row.type} cannot be processed by this version.`)
  }
  let contentType = row.media_type
  if (row.original_key !== key) {
    await enterStage(attempt, 'fetching')
    const page = expectOk(await outbound.fetch(row.url, { maxBytes, timeoutMs, signal: attempt.signal }))
    contentType = page.headers.get('content-type')
    await keepFile(attempt, 'original_key', { key, bytes: page.body }, { bytes: page.body.length, media_type: contentType })
  }
  return { ...(await stored(attempt, key)), contentType, fileName: null, url: row.url, video: null }
}

async function stored({ ctx }: Attempt, key: string | null): Promise<Pick<Original, 'bytes' | 'hash'>> {
  if (key === null) throw new SourceError('internal', 'The file of this source is missing.')
  const bytes = await ctx.storage.read(key)
  return { bytes, hash: createHash('sha256').update(bytes).digest('hex') }
}
