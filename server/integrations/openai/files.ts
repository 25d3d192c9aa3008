import { wireId } from '@groundwork/api'
import { sql } from 'kysely'
import { z } from 'zod'
import { withTransaction, type Context } from '../../context.ts'
import { requireBase } from '../../knowledge/rows/bases.ts'
import type { Metadata } from '../source-metadata.ts'
import { toAttributes } from './attributes.ts'
import { toList, pageOf, pageQuery } from './page.ts'
import { baseIdIn, seconds } from './vector-stores.ts'

export const ListFiles = z.strictObject({
  ...pageQuery('src'),
  filter: z.enum(['in_progress', 'completed', 'failed', 'cancelled']).optional(),
})

/**
 * Returns the sources of a knowledge base as files of a vector store.
 * @throws AppError `not_found`
 */
export async function listFiles(ctx: Context, storeId: string, { filter, ...page }: z.output<typeof ListFiles>): Promise<object> {
  const baseId = baseIdIn(storeId)
  const { within, ordered } = pageOf(sql`id`, page)
  const rows = await withTransaction(ctx, async (trx) => {
    await requireBase(trx, baseId)
    const found = await sql<FileRow>`
      select * from (
        select id, name, created_at, bytes, metadata, error, error_code, case
          when status = 'processing' then 'in_progress' when status = 'completed' then 'completed'
          when error_code = 'cancelled' then 'cancelled' else 'failed' end as status
        from source where organization_id = (select app_organization()) and base_id = ${baseId}::uuid
      ) as file
      where (${filter ?? null}::text is null or status = ${filter ?? null}) and ${within} ${ordered}`.execute(trx)
    return found.rows
  })
  return toList(
    rows.map((row) => toFile(row, baseId)),
    page,
  )
}

interface FileRow {
  id: string
  name: string
  created_at: Date
  bytes: number | null
  metadata: Metadata
  error: string | null
  error_code: string | null
  status: string
}

function toFile({ id, name, created_at, bytes, metadata, error, error_code, status }: FileRow, baseId: string) {
  return {
    id: wireId('src', id),
    object: 'vector_store.file',
    created_at: seconds(created_at),
    vector_store_id: wireId('kb', baseId),
    filename: name,
    usage_bytes: bytes ?? 0,
    status,
    last_error: status === 'failed' && error !== null ? { code: errorCode(error_code), message: error } : null,
    attributes: toAttributes(metadata),
    chunking_strategy: { type: 'other' },
  }
}

const invalid = ['corrupt_file', 'encrypted_file', 'too_large', 'empty_content']

function errorCode(code: string | null): 'unsupported_file' | 'invalid_file' | 'server_error' {
  if (code === 'unsupported_type') return 'unsupported_file'
  return code !== null && invalid.includes(code) ? 'invalid_file' : 'server_error'
}
