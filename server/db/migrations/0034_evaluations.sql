-- A question with what answers it: found in one of these sources, and in a passage with this text where one is given.
create table evaluation_question (
  organization_id uuid not null,
  id uuid not null,
  base_id uuid not null,
  question text not null,
  -- No foreign keys: who reads leaves out sources that are gone.
  expected_source_ids uuid[] not null,
  expected_text text,
  note text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, base_id) references base (organization_id, id) on delete cascade
);
create index evaluation_question_newest on evaluation_question (organization_id, base_id, created_at, id);

-- One run over the questions of a base.
create table evaluation (
  organization_id uuid not null,
  id uuid not null,
  base_id uuid not null,
  status text not null check (status in ('queued', 'running', 'completed', 'failed')),
  note text not null,
  -- topK, similarityThreshold and hybridSearch, as they were when it was started.
  settings jsonb not null,
  total integer not null,
  done integer not null default 0,
  skipped integer not null,
  degraded integer not null default 0,
  found integer,
  recall float8,
  mrr float8,
  -- The run before, as it was when this one ended, and how many questions fared how beside it.
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

-- A question of a run, as it was when the run was started, and what came of it.
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

do $$
declare name text;
begin
  foreach name in array array['evaluation_question', 'evaluation', 'evaluation_result'] loop
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
