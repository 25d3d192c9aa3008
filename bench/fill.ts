import type { Program } from '@groundwork/e2e/program'
import { connectDatabase, type Database } from '@groundwork/server/db/database'
import { connectToRunning } from '@groundwork/server/db/embedded/embedded'
import { chunkDocument } from '@groundwork/server/knowledge/chunk/chunk-document'
import { embeddingText } from '@groundwork/server/knowledge/chunk/embedding-text'
import { openBundledEmbedder } from '@groundwork/server/knowledge/embed/bundled'
import { parseDocument } from '@groundwork/server/knowledge/extract/parse'
import { writeChunks, type IndexRow } from '@groundwork/server/knowledge/index/write'
import { newId } from '@groundwork/server/lib/ids'
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { evalFolder, readTexts } from './run.ts'

/** Chunks per source. */
const ofSource = 250
const seedSources = 40
const dimensions = 384

export interface Filling {
  readonly db: Database
  /** Adds this many chunks to the knowledge base: chunks of real texts, and variants of them. */
  fill(baseId: string, chunks: number): Promise<void>
  close(): Promise<void>
}

/**
 * Fills knowledge bases without ingestion, which would take an hour for a million chunks. 10,000 chunks of the evaluation sets
 * are chunked, embedded and indexed as usual. Further chunks are variants of them, with the same words and the sum of the
 * chunk's vector and half of another one's.
 */
export async function openFilling(groundwork: Program, organizationId: string, seedBaseId: string): Promise<Filling> {
  const url = groundwork.env['DATABASE_URL']
  const stream = url === undefined ? await connectToRunning(join(groundwork.env['DATA_DIR'] ?? '', 'db')) : null
  const db = connectDatabase(stream === null ? { connectionString: url ?? '' } : { stream }, { connections: 2 })
  await seed(db, organizationId, seedBaseId)
  let variant = 0
  return {
    db,
    async fill(baseId, chunks) {
      for (let left = chunks; left > 0; left -= seedSources * ofSource) {
        await copySources(db, { seedBaseId, baseId, variant: variant++, sources: Math.min(seedSources, Math.ceil(left / ofSource)) })
      }
      if (stream === null) await db.pool.query('analyze chunk, chunk_embedding, posting, source, index_generation')
    },
    close: () => db.close(),
  }
}

interface Seed {
  readonly chunk: IndexRow['chunk']
  readonly given: string
}

async function seed(db: Database, organizationId: string, baseId: string): Promise<void> {
  const seeds = await seedChunks()
  const { vectors, embeddingModel } = await seedVectors(seeds.map(({ given }) => given))
  for (let source = 0; source < seedSources; source++) {
    const sourceId = newId()
    const { rows } = await db.pool.query<{ generation: number }>(
      `insert into source (organization_id, id, base_id, name, type, url, status, stage, metadata, embedding_model, embedding_dimensions, chunks_count, created_at, updated_at)
       values ($1, $2, $3, $4, 'url', 'https://example.com/', 'completed', 'completed', $5, $8, $6, $7, now(), now())
       returning generation`,
      [organizationId, sourceId, baseId, `Source ${source}`, { part: source % 10 }, dimensions, ofSource, embeddingModel],
    )
    const generation = rows[0]?.generation ?? 0
    for (let from = source * ofSource; from < (source + 1) * ofSource; from += 50) {
      const some = seeds.slice(from, from + 50).map(({ chunk }, at) => ({
        id: newId(),
        chunk: { ...chunk, ordinal: from + at - source * ofSource },
        vector: vectors.subarray((from + at) * dimensions, (from + at + 1) * dimensions),
      }))
      const target = { organizationId, baseId, sourceId, generation }
      await db.transaction(organizationId, (trx) => writeChunks(trx, target, some, { title: null, language: 'en' }))
    }
    await db.pool.query('update source set live_generation = generation where id = $1', [sourceId])
  }
}

async function seedChunks(): Promise<Seed[]> {
  const seeds: Seed[] = []
  for (const set of ['squad-dev-open', 'cranfield', 'scifact-train']) {
    for (const { title, text } of await readTexts(join(evalFolder(), 'sets', set, 'corpus.jsonl'))) {
      if (`${title ?? ''}${text}`.trim() === '') continue
      const parsed = await parseDocument({ bytes: Buffer.from(`# ${title ?? ''}\n\n${text}`), fileName: 'a.md' })
      for (const chunk of await chunkDocument(parsed, { strategy: 'semantic', size: 512, overlap: 64 })) {
        seeds.push({ chunk, given: embeddingText(chunk, parsed.title ?? undefined) })
      }
      if (seeds.length >= seedSources * ofSource) return seeds.slice(0, seedSources * ofSource)
    }
  }
  return seeds
}

/** Stored for the next run, since computing them takes a minute. */
async function seedVectors(texts: readonly string[]): Promise<{ vectors: Float32Array; embeddingModel: string }> {
  const embedder = await openBundledEmbedder({ processes: 2 })
  const embeddingModel = embedder.model
  const file = join(tmpdir(), 'groundwork-bench-vectors.bin')
  const bytes = texts.length * dimensions * 4
  if (existsSync(file)) {
    const kept = await readFile(file)
    if (kept.length === bytes) {
      await embedder.close()
      return { vectors: new Float32Array(kept.buffer, kept.byteOffset, texts.length * dimensions), embeddingModel }
    }
  }
  const vectors = new Float32Array(texts.length * dimensions)
  for (let from = 0; from < texts.length; from += 500) {
    const some = await embedder.embed(texts.slice(from, from + 500), 'passage')
    for (const [at, vector] of some.entries()) vectors.set(vector, (from + at) * dimensions)
    process.stderr.write(`${from + some.length} of ${texts.length} embedded\n`)
  }
  await embedder.close()
  await writeFile(file, Buffer.from(vectors.buffer))
  return { vectors, embeddingModel }
}

interface Copying {
  readonly seedBaseId: string
  readonly baseId: string
  /** Number of the variant. No two variants have the same vectors or texts. */
  readonly variant: number
  readonly sources: number
}

async function copySources(db: Database, { seedBaseId, baseId, variant, sources }: Copying): Promise<void> {
  const client = await db.pool.connect()
  try {
    await client.query('begin')
    await client.query(
      `create temporary table copied on commit drop as
       select s.organization_id, s.generation as seed, nextval('source_generation') as generation, gen_random_uuid() as id
       from (select * from source where base_id = $1 order by generation offset $2 limit $3) as s`,
      [seedBaseId, sources === seedSources ? 0 : (variant * sources) % (seedSources - sources + 1), sources],
    )
    const base = `'${baseId}'::uuid`
    await client.query(`
      insert into source (organization_id, id, base_id, name, type, url, status, stage, metadata, embedding_model, embedding_dimensions,
        chunks_count, generation, live_generation, created_at, updated_at)
      select c.organization_id, c.id, ${base}, s.name, s.type, s.url, s.status, s.stage, s.metadata, s.embedding_model, s.embedding_dimensions,
        s.chunks_count, c.generation, c.generation, now(), now()
      from copied c join source s on s.generation = c.seed`)
    await client.query(`
      insert into index_generation (organization_id, generation, base_id, source_id, language, chunks, terms)
      select c.organization_id, c.generation, ${base}, c.id, g.language, g.chunks, g.terms
      from copied c join index_generation g on g.generation = c.seed`)
    await client.query(`
      insert into chunk (organization_id, generation, ordinal, id, base_id, source_id, text, start_offset, end_offset, heading_path, tokens)
      select c.organization_id, c.generation, k.ordinal, gen_random_uuid(), ${base}, c.id, k.text || ' (${variant})', k.start_offset, k.end_offset,
        k.heading_path, k.tokens
      from copied c join chunk k on k.organization_id = c.organization_id and k.generation = c.seed`)
    await client.query(`
      insert into posting (organization_id, base_id, term, language, generation, entries)
      select c.organization_id, ${base}, p.term, p.language, c.generation, p.entries
      from copied c join posting p on p.generation = c.seed`)
    await client.query(
      `
      with seeds as materialized (
        select generation, ordinal, embedding, row_number() over (order by generation, ordinal) - 1 as place
        from chunk_embedding where base_id = $1
      )
      insert into chunk_embedding (organization_id, base_id, generation, ordinal, embedding)
      select c.organization_id, ${base}, c.generation, a.ordinal,
        l2_normalize(a.embedding + b.embedding * array_fill(0.5::real, array[${dimensions}])::vector)
      from copied c join seeds a on a.generation = c.seed
      join seeds b on b.place = (a.place * 7 + 1 + $2::bigint * 37) % ${seedSources * ofSource}`,
      [seedBaseId, variant],
    )
    await client.query('commit')
  } finally {
    client.release()
  }
}

/** Returns whether the program has written the index of a knowledge base to a file. */
export async function hasIndexFile({ env }: Program): Promise<boolean> {
  const names = await readdir(join(env['DATA_DIR'] ?? '', 'index'), { recursive: true }).catch(() => []) // none yet
  return names.some((name) => name.endsWith('.index'))
}
