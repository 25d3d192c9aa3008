import type pg from 'pg'

export interface OrganizationsFilling {
  readonly organizations: number
  readonly contacts: number
  readonly sources: number
  readonly chunks: number
}

/** Organizations that are filled in one transaction. */
const batch = 100
/** Different vectors. */
const vectors = 1000
const each = (total: number, organizations: number): number => Math.ceil(total / organizations)

/**
 * Adds organizations with a knowledge base each by SQL: their contacts, sources of uploads, and chunks with texts, terms and random
 * vectors. The columns are those of the schema of migration 0025.
 */
export async function fillOrganizations(database: pg.Client, filling: OrganizationsFilling): Promise<void> {
  const { organizations } = filling
  const [contacts, sources] = [each(filling.contacts, organizations), each(filling.sources, organizations)]
  const chunks = each(filling.chunks, organizations * sources)
  await database.query(`create temporary table filled as
    select gen_random_uuid() as id, gen_random_uuid() as base_id, n from generate_series(1, ${organizations}) n`)
  await database.query(
    'create temporary table filled_source (organization_id uuid, base_id uuid, id uuid, generation bigint, upload_id uuid)',
  )
  await database.query(`create temporary table filled_vector as
    select n, l2_normalize(array(select random() - 0.5 + n * 0 from generate_series(1, 384))::real[]::vector) as embedding
    from generate_series(0, ${vectors - 1}) n`)
  await database.query(`insert into organization (id, name, slug, created_at) select id, 'Filled ' || n, 'filled-' || n, now() from filled`)
  await database.query(`insert into base (organization_id, id, name, rag_settings, created_at, updated_at)
    select id, base_id, 'Base', (select rag_settings from base limit 1), now(), now() from filled`)
  for (let from = 1; from <= organizations; from += batch) {
    const some = `(select * from filled where n between ${from} and ${from + batch - 1}) f`
    await database.query('truncate filled_source')
    await database.query(`insert into filled_source select f.id, f.base_id, gen_random_uuid(), nextval('source_generation'), gen_random_uuid()
      from ${some}, generate_series(1, ${sources})`)
    await database.query(`
      insert into contact (organization_id, id, first_name, last_name, email, created_at, updated_at)
      select f.id, gen_random_uuid(), 'Rental', 'Desk ' || n.n, 'desk-' || n.n || '@example.com', now(), now()
      from ${some}, generate_series(1, ${contacts}) n`)
    await database.query(`
      insert into upload (organization_id, id, file_name, content_type, size_bytes, storage_key, used, received_at, expires_at, created_at)
      select organization_id, upload_id, 'a.md', 'text/markdown', 1000, organization_id || '/uploads/' || upload_id, true, now(), now(), now()
      from filled_source`)
    await database.query(`
      insert into source (organization_id, id, base_id, name, type, upload_id, status, stage, chunks_count, generation, live_generation,
        bytes, created_at, updated_at)
      select organization_id, id, base_id, 'A', 'file', upload_id, 'completed', 'completed', ${chunks}, generation, generation, 1000, now(), now()
      from filled_source`)
    await database.query(`
      insert into index_generation (organization_id, generation, base_id, source_id, language, chunks, terms)
      select organization_id, generation, base_id, id, 'en', ${chunks}, ${chunks * 20} from filled_source`)
    await database.query(`
      insert into chunk (organization_id, generation, ordinal, id, base_id, source_id, text, start_offset, end_offset, heading_path, tokens)
      select organization_id, generation, n, gen_random_uuid(), base_id, id, repeat('The valve meets the harvest near the lantern. ', 12), n * 550, n * 550 + 550,
        '{}', 120
      from filled_source, generate_series(0, ${chunks - 1}) n`)
    await database.query(`
      insert into posting (organization_id, base_id, term, language, generation, entries)
      select organization_id, base_id, term, 'en', generation,
        array(select (n::bigint << 32) | (120 << 12) | 12 from generate_series(0, ${chunks - 1}) n)
      from filled_source, unnest(array['', 'valve', 'meet', 'harvest', 'near', 'lantern']) term`)
    await database.query(`
      insert into chunk_embedding (organization_id, base_id, generation, ordinal, embedding)
      select s.organization_id, s.base_id, s.generation, o.ordinal, v.embedding
      from filled_source s cross join generate_series(0, ${chunks - 1}) o (ordinal)
        join filled_vector v on v.n = (s.generation * ${chunks} + o.ordinal) % ${vectors}`)
  }
  await database.query('vacuum analyze')
}
