import type { NewSource } from '@groundwork/api'
import type { Insertable, Selectable } from 'kysely'
import type { DocumentTable, SourceTable, Transaction, UploadTable } from '../../db/schema.ts'
import { admittedUrl } from '../../outbound/admitted-url.ts'
import type { KnowledgeContext } from '../context.ts'
import { takeUpload } from '../uploads/uploads.ts'
import { watchUrl } from '../video/address.ts'
import { requestedVideo, type SourceVideo } from '../video/source-video.ts'

/** The origin of a source's documents: a URL, an upload with its bytes, or an upload in place of a URL. */
export interface Origin {
  readonly url: string | null
  readonly upload: Selectable<UploadTable> | null
  readonly video: SourceVideo | null
}

/**
 * Returns the origin in a request; its upload is locked until the transaction ends.
 * @throws AppError `validation_error` for a storageUrl that is not ready or belongs to another organization, a URL without a
 * video, or one that outbound requests never reach
 */
export async function requestedOrigin(
  ctx: KnowledgeContext,
  trx: Transaction,
  input: Pick<NewSource, 'type' | 'url' | 'storageUrl' | 'language'>,
): Promise<Origin> {
  const video = requestedVideo(ctx, input)
  if (video === null && input.url !== undefined) admittedUrl(ctx.outbound, input.url)
  return {
    url: video === null ? (input.url ?? null) : watchUrl(video.id),
    upload: input.storageUrl === undefined ? null : await takeUpload(trx, input.storageUrl),
    video,
  }
}

type FirstDocument = Omit<Insertable<DocumentTable>, 'organization_id' | 'generation' | 'ordinal' | 'base_id' | 'source_id'>

/** Returns document 0 of a generation with this origin. Without an upload, its bytes are to be fetched. */
export function firstDocument({ url, upload, video }: Origin): FirstDocument {
  return {
    url,
    video: video && JSON.stringify(video),
    ...(upload !== null && {
      upload_id: upload.id,
      file_name: upload.file_name,
      content_type: upload.content_type,
      original_key: upload.storage_key,
      bytes: upload.size_bytes,
    }),
  }
}

/** Returns document 0 of a generation with the origin of the live or last generation. */
export async function sameOrigin(trx: Transaction, row: Selectable<SourceTable>): Promise<FirstDocument> {
  const { url, video, ...file } = await trx
    .selectFrom('document')
    .select(['url', 'video', 'upload_id', 'file_name', 'content_type', 'original_key', 'bytes'])
    .where('generation', '=', row.live_generation ?? row.generation)
    .where('source_id', '=', row.id)
    .where('ordinal', '=', 0)
    .executeTakeFirstOrThrow()
  return { url, video: video === null ? null : JSON.stringify(video), ...(file.upload_id !== null && file) }
}
