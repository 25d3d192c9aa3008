-- The search log of knowledge bases, their evaluations and re-indexes.

-- A search of a knowledge base with its results, written in batches after the replies (server/knowledge/retrievals/log.ts). No
-- foreign keys: a row outlives sources, chunks and tokens. A foreign key to the knowledge base, checked row by row, took half of
-- the time of a batch. The writer locks the row of the knowledge base instead, and a trigger deletes the rows with it.
create table retrieval (
  organization_id uuid not null,
  base_id uuid not null,
  created_at timestamptz not null,
  id uuid not null,
  query text not null,
  -- Equal for queries that differ only in case, white space and final punctuation.
  question_key bytea not null,
  chunk_ids uuid[] not null,
  source_ids uuid[] not null,
  scores real[] not null,
  -- Of all results, including those of other knowledge bases; null without results.
  best_score real,
  -- The kind of the scores: a reranker has its own scale.
  scored_by text not null default 'hybrid' check (scored_by in ('hybrid', 'vector', 'lexical', 'rerank')),
  unanswered boolean not null,
  embed_ms real not null,
  search_ms real not null,
  rerank_ms real not null default 0,
  assemble_ms real not null,
  total_ms real not null,
  degraded text[] not null,
  via text not null check (via in ('api', 'mcp', 'openai', 'dify', 'vapi')),
  token_id uuid,
  primary key (organization_id, base_id, created_at, id)
);
create index retrieval_unanswered on retrieval (organization_id, base_id, created_at, id) where unanswered;
alter table retrieval enable row level security;
create policy tenant on retrieval
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
create policy base_limit on retrieval as restrictive
  using (coalesce(base_id = any ((select app_base_ids())::uuid[]), true));
grant select, insert, delete on retrieval to groundwork_app;

create function remove_retrievals() returns trigger language plpgsql as $$
begin
  delete from retrieval using gone where retrieval.organization_id = gone.organization_id and retrieval.base_id = gone.id;
  return null;
end $$;
create trigger remove_retrievals after delete on base
  referencing old table as gone for each statement execute function remove_retrievals();

-- A question with its expected answer: one of these sources, and a passage with this text if one is given.
create table evaluation_question (
  organization_id uuid not null,
  id uuid not null,
  base_id uuid not null,
  question text not null,
  -- No foreign keys: readers omit deleted sources.
  expected_source_ids uuid[] not null,
  expected_text text,
  note text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, base_id) references base (organization_id, id) on delete cascade
);
create index evaluation_question_newest on evaluation_question (organization_id, base_id, created_at, id);

-- One run over the questions of a knowledge base.
create table evaluation (
  organization_id uuid not null,
  id uuid not null,
  base_id uuid not null,
  status text not null check (status in ('queued', 'running', 'completed', 'failed')),
  note text not null,
  -- topK, similarityThreshold and hybridSearch at the start of the run.
  settings jsonb not null,
  total integer not null,
  done integer not null default 0,
  skipped integer not null,
  degraded integer not null default 0,
  found integer,
  recall float8,
  mrr float8,
  -- The previous run at the end of this one, and the numbers of better and worse questions compared with it.
  previous_id uuid,
  changes jsonb,
  error text,
  created_at timestamptz not null,
  started_at timestamptz,
  completed_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, base_id) references base (organization_id, id) on delete cascade
);
create index evaluation_newest on evaluation (organization_id, base_id, created_at, id);

-- A question at the start of a run, with its result.
create table evaluation_result (
  organization_id uuid not null,
  evaluation_id uuid not null,
  ordinal integer not null,
  base_id uuid not null,
  question_id uuid not null,
  question text not null,
  expected_source_ids uuid[] not null,
  expected_text text,
  done boolean not null default false,
  rank integer,
  recall float8,
  best_score float8,
  degraded boolean not null default false,
  previous_rank integer,
  change text check (change in ('better', 'worse', 'same', 'new')),
  primary key (organization_id, evaluation_id, ordinal),
  foreign key (organization_id, evaluation_id) references evaluation (organization_id, id) on delete cascade
);

-- A second index of a knowledge base, built next to the live one and switched to as a whole.
create table reindex (
  organization_id uuid not null,
  id uuid not null,
  base_id uuid not null,
  status text not null check (status in ('building', 'ready', 'switched', 'rolled_back', 'cancelled', 'failed')),
  settings_before jsonb not null,
  settings_after jsonb not null,
  -- True for a re-index that new settings of the knowledge base started.
  switch_when_ready boolean not null default false,
  -- The results of the evaluation questions in both indexes.
  evaluation jsonb,
  -- Why the whole re-index failed.
  error text,
  -- A processing attempt with a later generation uses the settings of the switch.
  switched_generation bigint,
  -- Until when the switch can be rolled back; null if it cannot.
  kept_until timestamptz,
  ready_at timestamptz,
  switched_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, base_id) references base (organization_id, id) on delete cascade
);
create index reindex_newest on reindex (organization_id, base_id, created_at desc, id desc);
create unique index reindex_open on reindex (organization_id, base_id) where status in ('building', 'ready');

create table reindex_source (
  organization_id uuid not null,
  reindex_id uuid not null,
  source_id uuid not null,
  base_id uuid not null,
  status text not null check (status in ('waiting', 'building', 'done', 'failed', 'switched')),
  -- The generation next to the live one: the new one, and after the switch, the previous one.
  generation bigint,
  -- The generation that was live during the build. The switch skips a source with another live generation.
  of_generation bigint,
  -- The columns of the source that describe an index, for the generation above. Switch and rollback swap them.
  index_config text,
  embedding_model text,
  embedding_dimensions integer,
  chunks_count integer not null default 0,
  -- A digest of the text of the chunks. A resumed build continues only with the same text and the same index_config.
  made_of text,
  -- The size of the new index and of the previous one, for comparison.
  chunks integer not null default 0,
  tokens bigint not null default 0,
  chunks_before integer not null default 0,
  tokens_before bigint not null default 0,
  error text,
  error_code text,
  primary key (organization_id, reindex_id, source_id),
  foreign key (organization_id, reindex_id) references reindex (organization_id, id) on delete cascade,
  foreign key (organization_id, source_id) references source (organization_id, id) on delete cascade
);
create index reindex_source_source on reindex_source (organization_id, source_id);

do $$
declare name text;
begin
  foreach name in array array['evaluation_question', 'evaluation', 'evaluation_result', 'reindex', 'reindex_source'] loop
    execute format('alter table %I enable row level security', name);
    execute format(
      'create policy tenant on %I using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()))',
      name
    );
    execute format(
      'create policy base_limit on %I as restrictive using (coalesce(base_id = any ((select app_base_ids())::uuid[]), true))',
      name
    );
    execute format('grant select, insert, update, delete on %I to groundwork_app', name);
  end loop;
end $$;
