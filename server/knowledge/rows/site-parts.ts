import { sql, type Selectable } from 'kysely'
import type { Context } from '../../context.ts'
import type { SourceTable, Transaction } from '../../db/schema.ts'
import { deleteGenerations } from '../index/remove.ts'

/**
 * Deletes the parts of a site that is being crawled for the first time. The caller has locked the row.
 * @param kept the generation of the attempt whose searched parts remain; without one, all parts are deleted
 */
export async function dropParts(
  ctx: Context,
  trx: Transaction,
  { id, base_id }: Selectable<SourceTable>,
  kept: number | null = null,
): Promise<void> {
  const { rows } = await sql<{ generation: number }>`
    delete from source_part
    where organization_id = (select app_organization()) and source_id = ${id}::uuid and not (searched and attempt is not distinct from ${kept}::bigint)
    returning generation`.execute(trx)
  if (rows.length === 0) return
  const generations = rows.map(({ generation }) => generation)
  await trx.updateTable('source_page').set({ part: null }).where('source_id', '=', id).where('part', 'in', generations).execute()
  await deleteGenerations(ctx, trx, base_id, generations)
}

/** Returns the generations of the pages that are searched during the first crawl of a site. */
export async function searchedParts(trx: Transaction, sourceId: string): Promise<number[]> {
  const rows = await trx
    .selectFrom('source_part')
    .select('generation')
    .where('source_id', '=', sourceId)
    .where('searched', '=', true)
    .execute()
  return rows.map(({ generation }) => generation)
}
