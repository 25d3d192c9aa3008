-- One indexing attempt of one source, and what BM25 needs to know of it. Rows of the tables below belong to a
-- generation; they are searched once their source names it as its live one.
create table index_generation (
  organization_id uuid not null,
  generation bigint not null,
  base_id uuid not null,
  source_id uuid not null,
  -- The language its text was analysed as: a query is analysed likewise before it is compared.
  language text not null,
  chunks integer not null default 0,
  terms bigint not null default 0,
  primary key (organization_id, generation),
  foreign key (organization_id, source_id) references source (organization_id, id) on delete cascade
);
create index index_generation_source on index_generation (organization_id, source_id);

create table chunk (
  organization_id uuid not null,
  generation bigint not null,
  ordinal integer not null,
  id uuid not null,
  base_id uuid not null,
  source_id uuid not null,
  text text not null,
  start_offset integer not null,
  end_offset integer not null,
  heading_path text[] not null,
  page integer,
  page_end integer,
  tokens integer not null,
  primary key (organization_id, generation, ordinal),
  unique (organization_id, id)
);

-- Narrow: an exact scan reads vectors and little else. Rows of up to 8 kB (2,000 dimensions) stay out of the TOAST table;
-- STORAGE PLAIN would refuse longer ones. No dimension in the type: it is the model's. Partitioned by base so that an approximate index stays small enough to be right under a filter.
create table chunk_embedding (
  organization_id uuid not null,
  base_id uuid not null,
  generation bigint not null,
  ordinal integer not null,
  embedding vector not null,
  primary key (organization_id, base_id, generation, ordinal)
) partition by hash (base_id);
alter table chunk_embedding alter column embedding set storage external;
do $$ begin
  for i in 0..15 loop
    execute format('create table chunk_embedding_%s partition of chunk_embedding for values with (modulus 16, remainder %s)', i, i);
    execute format('alter table chunk_embedding_%s set (toast_tuple_target = 8160)', i);
    execute format('alter table chunk_embedding_%s enable row level security', i);
  end loop;
end $$;

-- The inverted index: one row a term and written batch. An entry is ordinal << 32 | chunk length << 12 | term frequency.
-- No primary key: equal keys of the two indexes share one index entry.
create table posting (
  organization_id uuid not null,
  base_id uuid not null,
  term text collate "C" not null,
  language text not null,
  generation bigint not null,
  entries bigint[] not null
);
create index posting_term on posting (organization_id, base_id, term);
create index posting_generation on posting (generation);

-- Whatever removes a generation, be it a new one, its source or its base, removes its rows in the same transaction.
create function remove_generations() returns trigger language plpgsql as $$
begin
  delete from posting using gone where posting.generation = gone.generation and posting.organization_id = gone.organization_id;
  delete from chunk_embedding using gone
    where chunk_embedding.organization_id = gone.organization_id and chunk_embedding.base_id = gone.base_id
      and chunk_embedding.generation = gone.generation;
  delete from chunk using gone where chunk.organization_id = gone.organization_id and chunk.generation = gone.generation;
  return null;
end $$;
create trigger remove_generations after delete on index_generation
  referencing old table as gone for each statement execute function remove_generations();

do $$
declare name text;
begin
  foreach name in array array['index_generation', 'chunk', 'chunk_embedding', 'posting'] loop
    execute format('alter table %I enable row level security', name);
    execute format(
      'create policy tenant on %I using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()))',
      name
    );
    execute format('grant select, insert, update, delete on %I to groundwork_app', name);
  end loop;
end $$;
