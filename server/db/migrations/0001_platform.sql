create extension if not exists vector;
create extension if not exists pg_trgm;

-- The organization that the current transaction acts for; null outside one, which matches no row.
create function app_organization() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.organization_id', true), '')::uuid;

-- Policies compare with (select app_organization()): a sub-select is evaluated once a statement, a bare call once a row.

create table organization (
  id uuid primary key,
  name text not null,
  currency text not null default 'USD',
  last_proposal_number integer not null default 1000,
  created_at timestamptz not null
);
alter table organization enable row level security;
create policy tenant on organization
  using (id = (select app_organization())) with check (id = (select app_organization()));

create table api_token (
  organization_id uuid not null references organization (id) on delete cascade,
  id uuid not null,
  name text not null,
  hash bytea not null unique,
  scopes text[] not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null,
  primary key (organization_id, id)
);
alter table api_token enable row level security;
create policy tenant on api_token
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
-- Who presents a token does not know its organization yet: possession of the hash opens that one row, for reading.
create policy bearer on api_token for select
  using (hash = decode(nullif(current_setting('app.token_hash', true), ''), 'hex'));

create table contact (
  organization_id uuid not null references organization (id) on delete cascade,
  id uuid not null,
  external_id text,
  first_name text,
  last_name text,
  email text,
  phone text,
  tags text[] not null default '{}',
  source text,
  last_interaction_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  search_text text not null generated always as (
    lower(coalesce(first_name, '') || ' ' || coalesce(last_name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(phone, ''))
  ) stored,
  primary key (organization_id, id)
);
create index contact_newest on contact (organization_id, created_at desc, id desc) where deleted_at is null;
create unique index contact_external_id on contact (organization_id, external_id) where deleted_at is null;
create index contact_email on contact (organization_id, email) where deleted_at is null;
create index contact_phone on contact (organization_id, phone) where deleted_at is null;
create index contact_search on contact using gin (search_text gin_trgm_ops);
alter table contact enable row level security;
create policy tenant on contact
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));

create table proposal (
  organization_id uuid not null references organization (id) on delete cascade,
  id uuid not null,
  number integer,
  title text not null,
  contact_id uuid not null,
  total_amount numeric(14, 2) not null,
  currency text not null,
  status text not null check (status in ('draft', 'pending', 'completed', 'rejected', 'expired', 'voided')),
  items jsonb,
  message text,
  external_id text,
  sent_at timestamptz,
  viewed_at timestamptz,
  completed_at timestamptz,
  rejected_at timestamptz,
  expires_at timestamptz,
  voided_at timestamptz,
  void_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  unique (organization_id, number),
  -- Given when it is sent, so that a deleted draft leaves no gap. What was voided may have been a draft or not.
  check (status = 'voided' or (number is null) = (status = 'draft')),
  unique (organization_id, external_id),
  foreign key (organization_id, contact_id) references contact (organization_id, id)
);
create index proposal_newest on proposal (organization_id, created_at desc, id desc);
create index proposal_contact on proposal (organization_id, contact_id, created_at desc);
alter table proposal enable row level security;
create policy tenant on proposal
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));

create table base (
  organization_id uuid not null references organization (id) on delete cascade,
  id uuid not null,
  name text not null,
  description text not null default '',
  starred boolean not null default false,
  rag_settings jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id)
);
create index base_newest on base (organization_id, created_at desc, id desc);
alter table base enable row level security;
create policy tenant on base
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));

create table upload (
  organization_id uuid not null references organization (id) on delete cascade,
  id uuid not null,
  file_name text not null,
  content_type text not null,
  size_bytes bigint not null,
  storage_key text not null,
  received_at timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  primary key (organization_id, id),
  unique (organization_id, storage_key)
);
alter table upload enable row level security;
create policy tenant on upload
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));

-- Unique over all sources, so that a generation alone names one indexing attempt of one source.
create sequence source_generation;

create table source (
  organization_id uuid not null,
  id uuid not null,
  base_id uuid not null,
  name text not null,
  type text not null check (type in ('file', 'url', 'youtube', 'scrape')),
  url text,
  upload_id uuid,
  rag_settings_override jsonb,
  metadata jsonb not null default '{}',
  enabled boolean not null default true,
  status text not null check (status in ('processing', 'completed', 'failed')),
  stage text not null,
  progress_done integer not null default 0,
  progress_total integer not null default 0,
  progress_unit text not null default '',
  error text,
  error_code text,
  warnings text[] not null default '{}',
  -- The attempt that may write; whoever works under another one is late and writes nothing.
  generation bigint not null default nextval('source_generation'),
  -- The attempt that is searched; null until the first one is complete.
  live_generation bigint,
  chunks_count integer not null default 0,
  embedding_model text,
  embedding_dimensions integer,
  media_type text,
  content_hash text,
  bytes bigint,
  pages integer,
  language text,
  original_key text,
  content_key text,
  last_synced_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, base_id) references base (organization_id, id) on delete cascade
);
create index source_newest on source (organization_id, base_id, created_at desc, id desc);
create index source_upload on source (organization_id, upload_id) where upload_id is not null;
alter table source enable row level security;
create policy tenant on source
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));

grant usage on schema public to groundwork_app;
grant select, update on organization to groundwork_app;
grant select, insert, update, delete on api_token, contact, proposal, base, upload, source to groundwork_app;
grant usage on sequence source_generation to groundwork_app;
