-- An address of a crawled source: what is to do about it, what came of it, and what was last read there. One row for
-- each page in all crawls; `generation` is the crawl that met it last.
create table source_page (
  organization_id uuid not null,
  id uuid not null,
  base_id uuid not null,
  source_id uuid not null,
  -- What addresses of one page have in common.
  key text not null,
  url text not null,
  generation bigint not null,
  depth integer not null,
  place integer not null,
  hops integer not null,
  tries integer not null default 0,
  waiting boolean not null,
  due_at timestamptz,
  -- Whether its text is part of the generation.
  indexed boolean not null default false,
  status text check (status in ('fetched', 'unchanged', 'skipped', 'failed')),
  reason text,
  http_status integer,
  -- As the page itself says, while it is read.
  canonical_url text,
  -- Where it redirects, or the page that it is a duplicate of.
  stand_in_url text,
  title text,
  language text,
  etag text,
  last_modified text,
  body_hash text,
  text_hash text,
  shape_hash text,
  content_key text,
  chunks integer not null default 0,
  fetched_at timestamptz,
  listed_at timestamptz not null,
  primary key (organization_id, id),
  unique (organization_id, source_id, key),
  foreign key (organization_id, source_id) references source (organization_id, id) on delete cascade
);
create index source_page_waiting on source_page (organization_id, source_id, generation, depth, place) where waiting;
create index source_page_order on source_page (organization_id, source_id, listed_at, id);
create index source_page_content on source_page (organization_id, content_key) where content_key is not null;
alter table source_page enable row level security;
create policy tenant on source_page
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
create policy base_limit on source_page as restrictive
  using (coalesce(base_id = any ((select app_base_ids())::uuid[]), true));
grant select, insert, update, delete on source_page to groundwork_app;

-- How a site is to be crawled: maxPages, include, exclude.
alter table source add crawl jsonb;

-- The page of the site that a chunk is from; null where the source is one document.
alter table chunk add page_id uuid;

-- A site can speak many languages, and each is analysed as what it is.
alter table index_generation drop constraint index_generation_pkey, add primary key (organization_id, generation, language);

-- When a host may be asked next, whoever asks: what a host sees is one crawler. Nobody can read which hosts these are.
create schema pacing;
create table pacing.host (name text primary key, free_at timestamptz not null);

-- Takes the next turn and keeps the gap behind it free; milliseconds until the turn.
create function take_turn(host_name text, gap_ms float8) returns float8 language sql volatile security definer set search_path = '' as $$
  delete from pacing.host where name in (
    select name from pacing.host where free_at < clock_timestamp() - interval '1 hour' and name <> host_name for update skip locked
  );
  insert into pacing.host as h (name, free_at) values (host_name, clock_timestamp() + gap_ms * interval '1 millisecond')
  on conflict (name) do update set free_at = greatest(h.free_at, clock_timestamp()) + gap_ms * interval '1 millisecond'
  returning greatest(0, extract(epoch from free_at - clock_timestamp()) * 1000 - gap_ms)::float8;
$$;

-- Gives nobody a turn for so long.
create function rest_host(host_name text, rest_ms float8) returns void language sql volatile security definer set search_path = '' as $$
  insert into pacing.host as h (name, free_at) values (host_name, clock_timestamp() + rest_ms * interval '1 millisecond')
  on conflict (name) do update set free_at = greatest(h.free_at, excluded.free_at);
$$;
revoke execute on function take_turn(text, float8), rest_host(text, float8) from public;
grant execute on function take_turn(text, float8), rest_host(text, float8) to groundwork_app;
