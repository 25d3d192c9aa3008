-- A second index of a base, built beside the one that is searched and switched to as a whole.
create table reindex (
  organization_id uuid not null,
  id uuid not null,
  base_id uuid not null,
  status text not null check (status in ('building', 'ready', 'switched', 'rolled_back', 'cancelled', 'failed')),
  settings_before jsonb not null,
  settings_after jsonb not null,
  -- What the questions of the base found in either index.
  evaluation jsonb,
  -- Why it as a whole failed.
  error text,
  -- An attempt to process a source under a later generation knows the settings that the switch gave to the base.
  switched_generation bigint,
  -- Until when the switch can be undone; null where it cannot.
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
  -- The generation beside the live one: that which is built, and after the switch, that which served before.
  generation bigint,
  -- The live one beside which it was built: what serves since is of no concern to it.
  of_generation bigint,
  -- What the source's record tells of an index, for the generation above. Switch and rollback swap them.
  indexed_as text,
  embedding_model text,
  embedding_dimensions integer,
  chunks_count integer not null default 0,
  -- What its passages are made of, so that a build which is taken up again goes on only with the same ones.
  made_of text,
  -- What was built and what was there before, to be compared.
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
  foreach name in array array['reindex', 'reindex_source'] loop
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
