import { idInput, wireId } from '@groundwork/api'
import { sql, type RawBuilder } from 'kysely'
import { z } from 'zod'
import { withTransaction, type Context } from '../../context.ts'
import { AppError } from '../../lib/errors.ts'
import { toList, pageOf, pageQuery } from './page.ts'

export const ListVectorStores = z.strictObject(pageQuery('kb'))

export interface VectorStore {
  id: string
  object: 'vector_store'
  created_at: number
  name: string
  description: string
  usage_bytes: number
  file_counts: Record<'in_progress' | 'completed' | 'failed' | 'cancelled' | 'total', number>
  status: 'in_progress' | 'completed'
  expires_at: null
  last_active_at: number
  metadata: object
}

/** Returns the knowledge bases as vector stores. */
export async function listVectorStores(ctx: Context, page: z.output<typeof ListVectorStores>): Promise<object> {
  const { within, ordered } = pageOf(sql`b.id`, page)
  return toList(await readStores(ctx, within, ordered), page)
}

/** @throws AppError `not_found` */
export async function getVectorStore(ctx: Context, id: string): Promise<VectorStore> {
  const [store] = await readStores(ctx, sql`b.id = ${baseIdIn(id)}::uuid`, sql``)
  if (store === undefined) throw noSuchStore()
  return store
}

/**
 * Returns the id of a knowledge base.
 * @throws AppError `not_found` for an invalid id
 */
export function baseIdIn(id: string | undefined): string {
  const { success, data } = idInput('kb').safeParse(id)
  if (!success) throw noSuchStore()
  return data
}

const noSuchStore = (): AppError => new AppError('not_found', 'There is no such vector store.', { field: 'vector_store_id' })

async function readStores(ctx: Context, within: RawBuilder<unknown>, ordered: RawBuilder<unknown>): Promise<VectorStore[]> {
  const rows = await withTransaction(ctx, async (trx) => {
    const found = await sql<StoreRow>`
      select b.id, b.name, b.description, b.created_at, greatest(b.updated_at, s.updated_at) as active_at, s.*
      from base b
      cross join lateral (
        select count(*) as total, count(*) filter (where status = 'processing') as in_progress,
          count(*) filter (where status = 'completed') as completed,
          count(*) filter (where status = 'failed' and error_code = 'cancelled') as cancelled,
          coalesce(sum(bytes), 0)::float8 as bytes, max(updated_at) as updated_at
        from source where organization_id = b.organization_id and base_id = b.id
      ) as s
      where b.organization_id = (select app_organization()) and ${within} ${ordered}`.execute(trx)
    return found.rows
  })
  return rows.map(toStore)
}

interface StoreRow {
  id: string
  name: string
  description: string
  created_at: Date
  active_at: Date
  total: number
  in_progress: number
  completed: number
  cancelled: number
  bytes: number
}

function toStore({ id, name, description, created_at, active_at, total, in_progress, completed, cancelled, bytes }: StoreRow): VectorStore {
  return {
    id: wireId('kb', id),
    object: 'vector_store',
    created_at: seconds(created_at),
    name,
    description,
    usage_bytes: bytes,
    file_counts: { in_progress, completed, failed: total - in_progress - completed - cancelled, cancelled, total },
    status: in_progress > 0 ? 'in_progress' : 'completed',
    expires_at: null,
    last_active_at: seconds(active_at),
    metadata: {},
  }
}

export const seconds = (time: Date): number => Math.floor(time.getTime() / 1000)
