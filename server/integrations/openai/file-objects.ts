import { idInput, wireId } from '@groundwork/api'
import { withTransaction, type Context } from '../../context.ts'
import type { Transaction } from '../../db/schema.ts'
import type { FileResponse } from '../../handlers.ts'
import { requireDocument } from '../../knowledge/sources/document.ts'
import { originalName } from '../../knowledge/sources/original-name.ts'
import { getOriginal } from '../../knowledge/sources/original.ts'
import { AppError } from '../../lib/errors.ts'
import type { IntegrationContext } from '../integration.ts'
import { seconds } from './vector-stores.ts'

const statuses = { processing: 'uploaded', completed: 'processed', failed: 'error' } as const

/**
 * Returns a source as a file object.
 * @throws AppError `not_found`
 */
export async function getFile(ctx: Context, fileId: string): Promise<object> {
  const { source, document } = await withTransaction(ctx, async (trx) => {
    const { id, baseId } = await findSource(trx, fileId)
    return requireDocument(trx, baseId, id)
  })
  return {
    id: wireId('src', source.id),
    object: 'file',
    bytes: source.bytes ?? 0,
    created_at: seconds(source.created_at),
    filename: originalName(source, document),
    purpose: 'assistants',
    status: statuses[source.status],
    ...(source.error !== null && { status_details: source.error }),
  }
}

/**
 * Returns the original of a source, as it was uploaded or fetched.
 * @throws AppError `not_found` also before anything was fetched and for a site; `unavailable` while the content is replaced
 */
export async function getFileContent(ctx: IntegrationContext, fileId: string): Promise<FileResponse> {
  const { id, baseId } = await withTransaction(ctx, (trx) => findSource(trx, fileId))
  return getOriginal(ctx, baseId, id)
}

async function findSource(trx: Transaction, fileId: string): Promise<{ id: string; baseId: string }> {
  const { success, data: id } = idInput('src').safeParse(fileId)
  const row = success ? await trx.selectFrom('source').select('base_id').where('id', '=', id).executeTakeFirst() : undefined
  if (id === undefined || row === undefined) throw new AppError('not_found', 'There is no such file.', { field: 'file_id' })
  return { id, baseId: row.base_id }
}
