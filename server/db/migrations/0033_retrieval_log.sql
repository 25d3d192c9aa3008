-- Whether searches of the base are written down, and for how many days.
alter table base
  add log_retrievals boolean not null default true,
  add retrieval_days integer not null default 30 check (retrieval_days between 1 and 365);

-- A search of a base: what was asked, and what was found. Written in batches behind the answers, see
-- server/knowledge/retrievals/log.ts. No foreign key but that to the base: a row outlives sources, chunks and tokens.
create table retrieval (
  organization_id uuid not null,
  base_id uuid not null,
  created_at timestamptz not null,
  id uuid not null,
  query text not null,
  -- Questions that are one but for capitals, white space and what stands at their end have one.
  question_key bytea not null,
  chunk_ids uuid[] not null,
  source_ids uuid[] not null,
  scores real[] not null,
  -- Of all that the search found, in other bases too; null where it found nothing.
  best_score real,
  unanswered boolean not null,
  embed_ms real not null,
  search_ms real not null,
  assemble_ms real not null,
  total_ms real not null,
  degraded text[] not null,
  via text not null check (via in ('api', 'mcp', 'openai', 'dify', 'vapi')),
  token_id uuid,
  primary key (organization_id, base_id, created_at, id),
  foreign key (organization_id, base_id) references base (organization_id, id) on delete cascade
);
create index retrieval_unanswered on retrieval (organization_id, base_id, created_at, id) where unanswered;
alter table retrieval enable row level security;
create policy tenant on retrieval
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
create policy base_limit on retrieval as restrictive
  using (coalesce(base_id = any ((select app_base_ids())::uuid[]), true));
grant select, insert, delete on retrieval to groundwork_app;
