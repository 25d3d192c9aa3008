import { sql } from 'kysely'
import { createHash } from 'node:crypto'
import { selectSql, type Context } from '../../context.ts'
import { vectorIn } from './binary-format.ts'

/** Returns a 16-byte key of everything that a vector depends on: the model, its dimensions and the embedded text. */
export function embeddingKey({ model, dimensions }: { model: string; dimensions: number }, text: string): Buffer {
  return createHash('sha256').update(`${model}\n${dimensions}\n${text}`).digest().subarray(0, 16)
}

/** Returns the stored vectors of a knowledge base by key in hexadecimal, including vectors of unfinished indexing attempts. */
export async function findVectors(ctx: Context, baseId: string, keys: readonly Buffer[]): Promise<Map<string, Float32Array>> {
  const statement = sql<{ key: string; vector: Buffer }>`
    select encode(asked.key, 'hex') as key, vector_send(found.embedding) as vector
    from (select distinct key from unnest(${keys}::bytea[]) as each (key)) as asked
    cross join lateral (
      select embedding from chunk_embedding
      where organization_id = (select app_organization()) and base_id = ${baseId}::uuid and embedding_key = asked.key
      limit 1
    ) as found`
  return new Map((await selectSql(ctx, statement)).map(({ key, vector }) => [key, vectorIn(vector)]))
}
