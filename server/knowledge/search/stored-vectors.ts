import { sql } from 'kysely'
import { createHash } from 'node:crypto'
import type { Transaction } from '../../db/schema.ts'
import { vectorIn } from './binary.ts'

/** What a vector depends on, in 16 bytes: the model and its dimensions, and the text that it was given. */
export function embeddingKey({ model, dimensions }: { model: string; dimensions: number }, text: string): Buffer {
  return createHash('sha256').update(`${model}\n${dimensions}\n${text}`).digest().subarray(0, 16)
}

/** The vectors that the base has already, by key in hexadecimal; of unfinished indexing attempts also. */
export async function findVectors(trx: Transaction, baseId: string, keys: readonly Buffer[]): Promise<Map<string, Float32Array>> {
  const { rows } = await sql<{ key: string; vector: Buffer }>`
    select encode(asked.key, 'hex') as key, vector_send(found.embedding) as vector
    from (select distinct key from unnest(${keys}::bytea[]) as each (key)) as asked
    cross join lateral (
      select embedding from chunk_embedding
      where organization_id = (select app_organization()) and base_id = ${baseId}::uuid and embedding_key = asked.key
      limit 1
    ) as found`.execute(trx)
  return new Map(rows.map(({ key, vector }) => [key, vectorIn(vector)]))
}
