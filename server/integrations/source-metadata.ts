import { wireId } from '@groundwork/api'
import { select, type Context } from '../context.ts'

export type Metadata = Readonly<Record<string, unknown>>

/** Returns a function from public source id to metadata. */
export async function metadataOf(ctx: Context, sourceIds: readonly string[]): Promise<(sourceId: string) => Metadata> {
  const ids = [...new Set(sourceIds)].map((id) => id.slice(-36))
  if (ids.length === 0) return () => ({})
  const rows = await select(ctx, (db) => db.selectFrom('source').select(['id', 'metadata']).where('id', 'in', ids))
  const byId = new Map(rows.map(({ id, metadata }) => [wireId('src', id), metadata]))
  return (sourceId) => byId.get(sourceId) ?? {}
}
