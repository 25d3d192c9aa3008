import { sql, type RawBuilder } from 'kysely'
import { withTransaction, type Context } from '../../context.ts'
import type { Transaction } from '../../db/schema.ts'
import type { Queue } from '../../jobs/jobs.ts'
import { enqueueWork, type OrganizationWork } from '../../work.ts'

/** An indexing attempt. The knowledge base locates its rows. */
export interface Generation {
  readonly baseId: string
  readonly generation: number
}

/** Generations with more chunks in total are removed by `deleteIndexWork`. The trigger `remove_generations` has the same limit. */
const maxChunksAtOnce = 500
/** Rows per transaction of `deleteIndexWork`, which take the embedded engine 50 ms on a busy machine. */
const [chunksPerStep, postingsPerStep] = [500, 5_000]

/** Removes an indexing attempt, as `deleteGenerations` does. */
export function deleteGeneration(ctx: Context, trx: Transaction, { baseId, generation }: Generation): Promise<void> {
  return deleteGenerations(ctx, trx, baseId, [generation])
}

/**
 * Removes generations of a knowledge base. They no longer count as written. Up to `maxChunksAtOnce` chunks are deleted in the same
 * transaction, and more of them later by a job. Searches do not read removed rows, because removed generations are not live.
 */
export function deleteGenerations(ctx: Context, trx: Transaction, baseId: string, generations: readonly number[]): Promise<void> {
  return remove(ctx, trx, baseId, sql`generation = any(${generations}::bigint[])`)
}

/** Removes all indexing attempts of a source, as `deleteGenerations` does. Call it before the row of the source is deleted. */
export function deleteSourceIndex(
  ctx: Context,
  trx: Transaction,
  { baseId, sourceId }: { baseId: string; sourceId: string },
): Promise<void> {
  return remove(ctx, trx, baseId, sql`source_id = ${sourceId}::uuid`)
}

/** Removes all indexing attempts of a knowledge base, as `deleteGenerations` does. Call it before the rows of sources are deleted. */
export function deleteBaseIndex(ctx: Context, trx: Transaction, baseId: string): Promise<void> {
  return remove(ctx, trx, baseId, sql`true`)
}

async function remove(ctx: Context, trx: Transaction, baseId: string, condition: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<{ chunks: number }>`
    delete from index_generation
    where organization_id = (select app_organization()) and base_id = ${baseId}::uuid and ${condition}
    returning chunks`.execute(trx)
  const total = rows.reduce((sum, { chunks }) => sum + chunks, 0)
  if (total > maxChunksAtOnce) await enqueueWork(ctx, trx, deleteIndexWork, {})
}

/** Completes the removal of a generation, so that it can be written again. */
export async function finishRemoval(ctx: Context, { generation }: Pick<Generation, 'generation'>): Promise<void> {
  while (await withTransaction(ctx, (trx) => deleteStep(trx, sql`generation = ${generation}::bigint`)));
}

export const deleteIndexQueue: Queue = {
  name: 'delete-index',
  retryLimit: 20,
  retryDelaySeconds: 2,
  leaseSeconds: 30,
  timeLimitSeconds: 6 * 3600,
}

/** Deletes the rows of removed generations of the organization, each step in a transaction of its own. */
export const deleteIndexWork: OrganizationWork = {
  name: deleteIndexQueue.name,
  queue: deleteIndexQueue,
  async run(ctx, _data, signal) {
    do signal?.throwIfAborted()
    while (await withTransaction(ctx, (trx) => deleteStep(trx, sql`true`)))
  },
}

/** Deletes rows of one removed generation. @returns false if no generation is left to delete */
async function deleteStep(trx: Transaction, condition: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql<{ base: string; generation: number }>`
    select base_id as base, generation from index_removal where organization_id = (select app_organization()) and ${condition}
    order by generation limit 1 for update`.execute(trx)
  const [next] = rows
  if (next === undefined) return false
  const of = sql`organization_id = (select app_organization()) and generation = ${next.generation}::bigint`
  const ofBase = sql`${of} and base_id = ${next.base}::uuid`
  const deleted = await sql<{ rows: number }>`
    with texts as (
      delete from chunk where ${of} and ordinal = any(array(select ordinal from chunk where ${of} order by ordinal limit ${chunksPerStep}::integer))
      returning 1
    ), vectors as (
      delete from chunk_embedding where ${ofBase} and ordinal = any(array(
        select ordinal from chunk_embedding where ${ofBase} order by ordinal limit ${chunksPerStep}::integer))
      returning 1
    ), postings as (
      delete from posting where ${of} and ctid = any(array(select ctid from posting where ${of} limit ${postingsPerStep}::integer))
      returning 1
    )
    select ((select count(*) from texts) + (select count(*) from vectors) + (select count(*) from postings))::integer as rows`.execute(trx)
  if (deleted.rows[0]?.rows === 0) await sql`delete from index_removal where ${of}`.execute(trx)
  return true
}
