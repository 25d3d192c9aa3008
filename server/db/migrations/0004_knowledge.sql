-- Knowledge bases: sources with their documents, crawled pages and index.

-- Keeps updated_at if the clock steps back.
create function keep_updated_at() returns trigger language plpgsql as $$
begin
  new.updated_at := old.updated_at;
  return new;
end $$;

create table base (
  organization_id uuid not null references organization (id) on delete cascade,
  id uuid not null,
  name text not null,
  description text not null default '',
  starred boolean not null default false,
  rag_settings jsonb not null,
  -- The language of most sources, a BCP 47 tag: assumed for texts whose language cannot be detected.
  language text,
  -- Whether searches are logged, and for how many days.
  log_retrievals boolean not null default true,
  retrieval_days integer not null default 30 check (retrieval_days between 1 and 365),
  -- Searches are logged from this time on; null if they always were.
  retrievals_since timestamptz,
  -- The last deletion of a source, or the last change of a deleted source if that is later: `stats.lastUpdatedAt` needs it.
  sources_removed_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id)
);
create index base_newest on base (organization_id, created_at desc, id desc);
alter table base enable row level security;
create policy tenant on base
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
-- Restrictive: in addition to the policy `tenant`. Chunks, vectors and postings need none, because they are reached through a
-- live generation of a source. With coalesce the planner estimates that half of the rows pass. With a plain "is null or = any"
-- it estimates almost none, and plans searches of whole knowledge bases accordingly.
create policy base_limit on base as restrictive
  using (coalesce(id = any ((select app_base_ids())::uuid[]), true));
grant select, insert, update, delete on base to groundwork_app;
create trigger keep_updated_at before update on base for each row
  when (new.updated_at < old.updated_at) execute function keep_updated_at();

create table upload (
  organization_id uuid not null references organization (id) on delete cascade,
  id uuid not null,
  file_name text not null,
  content_type text not null,
  size_bytes bigint not null,
  storage_key text not null,
  -- The knowledge bases of the token that started the upload; null if the token was not limited. A token that is limited to
  -- other or fewer knowledge bases does not see the upload.
  base_ids uuid[] default app_base_ids(),
  -- Whether a source was created from it. After the deletion of its last source, the upload counts as deleted, even before the
  -- job that deletes its file.
  used boolean not null default false,
  received_at timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  primary key (organization_id, id),
  unique (organization_id, storage_key)
);
alter table upload enable row level security;
create policy tenant on upload
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
create policy base_limit on upload as restrictive
  using (case when (select app_base_ids()) is null then true else coalesce(base_ids <@ (select app_base_ids()), false) end);
grant select, insert, update, delete on upload to groundwork_app;

-- Unique over all sources, so that a generation alone identifies one indexing attempt of one source.
create sequence source_generation;
grant usage on sequence source_generation to groundwork_app;

create table source (
  organization_id uuid not null,
  id uuid not null,
  base_id uuid not null,
  external_id text,
  name text not null,
  type text not null check (type in ('file', 'url', 'youtube', 'scrape')),
  url text,
  upload_id uuid,
  -- Settings of a crawl: maxPages, include, exclude.
  crawl jsonb,
  -- Id and requested language of a video, then its properties.
  video jsonb,
  rag_settings_override jsonb,
  metadata jsonb not null default '{}',
  enabled boolean not null default true,
  sync_schedule text check (sync_schedule in ('hourly', 'daily', 'weekly')),
  -- When the next scheduled sync is due. A job for another time does nothing.
  next_sync_at timestamptz,
  status text not null check (status in ('processing', 'completed', 'failed')),
  stage text not null,
  -- When a worker last entered the stage, and the progress at that time. The speed since then gives the remaining time.
  stage_started_at timestamptz,
  progress_from integer not null default 0,
  progress_done integer not null default 0,
  progress_total integer not null default 0,
  progress_unit text not null default '',
  -- Chunks of the attempt with an existing vector.
  progress_reused integer not null default 0,
  -- The latest stage that an event reported. A resumed attempt does not report it again.
  last_emitted_stage text not null default 'queued',
  -- True for a scheduled sync that emits nothing until it finds a change.
  silent boolean not null default false,
  error text,
  error_code text,
  warnings text[] not null default '{}',
  -- The attempt that may write. A late worker has another one and writes nothing.
  generation bigint not null default nextval('source_generation'),
  -- The attempt that is searched; null until the first one is complete.
  live_generation bigint,
  -- The chunking settings and the embedding model of the live generation. An unchanged document is indexed again only if they
  -- change.
  index_config text,
  -- The same for the chunks that the attempt has written so far. A resumed attempt with another configuration starts again.
  pending_index_config text,
  chunks_count integer not null default 0,
  embedding_model text,
  embedding_dimensions integer,
  media_type text,
  content_hash text,
  bytes bigint,
  pages integer,
  language text,
  title text,
  canonical_url text,
  last_synced_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, base_id) references base (organization_id, id) on delete cascade
);
create index source_newest on source (organization_id, base_id, created_at desc, id desc);
create index source_upload on source (organization_id, upload_id) where upload_id is not null;
create unique index source_external_id on source (organization_id, base_id, external_id) where external_id is not null;
alter table source enable row level security;
create policy tenant on source
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
create policy base_limit on source as restrictive
  using (coalesce(base_id = any ((select app_base_ids())::uuid[]), true));
grant select, insert, update, delete on source to groundwork_app;
create trigger keep_updated_at before update on source for each row
  when (new.updated_at < old.updated_at) execute function keep_updated_at();

-- The documents that the chunks of a generation were read from, in order: the file, the page, or the pages of a site. A source
-- begins with document 0. The next generation has its own documents, so that neither the record of the source nor a citation
-- shows anything that is not searched yet.
create table document (
  organization_id uuid not null,
  generation bigint not null,
  ordinal integer not null,
  base_id uuid not null,
  source_id uuid not null,
  -- The URL to fetch; null for an upload.
  url text,
  -- Properties of the video whose transcript it is.
  video jsonb,
  upload_id uuid,
  file_name text,
  -- The media type that the sender declared.
  content_type text,
  -- Keys in the file storage: of the bytes, null before they are stored, and of the extracted text. Documents may share them.
  original_key text,
  content_key text,
  content_hash text,
  bytes bigint,
  media_type text,
  pages integer,
  language text,
  -- Title and URL for citations. The URL is the target of redirects, or the canonical URL of the page.
  title text,
  canonical_url text,
  warnings text[] not null default '{}',
  -- For a conditional request (RFC 9110, 13.1).
  etag text,
  last_modified text,
  primary key (organization_id, generation, ordinal),
  foreign key (organization_id, source_id) references source (organization_id, id) on delete cascade
);
create index document_source on document (organization_id, source_id);
create index document_upload on document (organization_id, upload_id) where upload_id is not null;
create index document_original on document (organization_id, original_key);
create index document_content on document (organization_id, content_key);
alter table document enable row level security;
create policy tenant on document
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
create policy base_limit on document as restrictive
  using (coalesce(base_id = any ((select app_base_ids())::uuid[]), true));
grant select, insert, update, delete on document to groundwork_app;

-- A URL of a crawled source: pending or visited, with its result. One row per page over all crawls; `generation` is the last
-- crawl that found it.
create table source_page (
  organization_id uuid not null,
  id uuid not null,
  base_id uuid not null,
  source_id uuid not null,
  -- The same for all URLs of one page.
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
  -- The canonical URL that the page names.
  canonical_url text,
  -- The target of its redirect, or the page with the same text.
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
  -- Whether a browser rendered its text. If so, ETag and date of the page do not tell whether it changed.
  rendered boolean not null default false,
  -- Whether a browser might show more text, but none rendered the page.
  thin boolean not null default false,
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

-- One indexing attempt of one source by language, with the counts that BM25 needs. Rows of the tables below belong to a
-- generation. They are searched once it is the live generation of their source.
create table index_generation (
  organization_id uuid not null,
  generation bigint not null,
  base_id uuid not null,
  source_id uuid not null,
  -- The language of the analysis of the text. A query is analysed in the same way.
  language text not null,
  chunks integer not null default 0,
  terms bigint not null default 0,
  primary key (organization_id, generation, language),
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
  -- The page of the site; null if the source is one document.
  page_id uuid,
  text text not null,
  start_offset integer not null,
  end_offset integer not null,
  heading_path text[] not null,
  page integer,
  page_end integer,
  -- The second of the recording at which a passage of a transcript begins.
  start_second integer,
  tokens integer not null,
  primary key (organization_id, generation, ordinal),
  unique (organization_id, id)
);

-- Narrow: an exact scan reads vectors and little else. Rows of up to 8 kB (2,000 dimensions) stay out of the TOAST table; STORAGE
-- PLAIN would refuse longer ones. The type has no dimension, because the model determines it. Partitioned by knowledge base, so
-- that an approximate index stays small enough to be correct under a filter.
create table chunk_embedding (
  organization_id uuid not null,
  base_id uuid not null,
  generation bigint not null,
  ordinal integer not null,
  embedding vector not null,
  -- A hash of model and text: equal texts of a knowledge base are embedded once. Null for rows from before this column.
  embedding_key bytea,
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
create index chunk_embedding_key on chunk_embedding (organization_id, base_id, embedding_key);

-- The inverted index: one row per term and written batch. An entry is ordinal << 32 | chunk length << 12 | term frequency.
-- Without a primary key: equal keys of the two indexes share one index entry.
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

-- Deletes the rows of a removed generation in the same transaction, whether a new generation, the deletion of its source or that
-- of its knowledge base removed it.
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

-- The time that a text denotes in ISO 8601: a date (its midnight in UTC), or a date and time with an offset. Null for any other
-- text, never an error: filters apply it to any metadata. api/search-filter.ts reads the same format.
create function moment_of(value text) returns timestamptz
  language sql stable parallel safe
  return case when value ~ '^(?!0000)\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-](0\d|1[0-4]):[0-5]\d))?$'
    then case when substr(value, 9, 2)::integer <= extract(day from
      make_date(substr(value, 1, 4)::integer, substr(value, 6, 2)::integer, 1) + interval '1 month' - interval '1 day')
      then (case when length(value) = 10 then value || 'T00:00:00Z' else value end)::timestamptz
    end
  end;

-- The keys of metadata whose values are times, with their milliseconds since 1970.
create function moments_of(metadata jsonb) returns jsonb
  language sql stable parallel safe
  return (
    select coalesce(jsonb_object_agg(key, floor(extract(epoch from moment_of(value)) * 1000)), '{}')
    from jsonb_each_text(metadata)
    where moment_of(value) is not null
  );

-- When the next request to a host may be sent, by any crawl. The schema is closed to groundwork_app, so that no organization sees
-- the hosts of others.
create schema pacing;
create table pacing.host (name text primary key, free_at timestamptz not null);

-- Claims the next slot of a host and keeps the gap after it free. Returns the milliseconds until the slot.
create function take_turn(host_name text, gap_ms float8) returns float8 language sql volatile security definer set search_path = '' as $$
  delete from pacing.host where name in (
    select name from pacing.host where free_at < clock_timestamp() - interval '1 hour' and name <> host_name for update skip locked
  );
  insert into pacing.host as h (name, free_at) values (host_name, clock_timestamp() + gap_ms * interval '1 millisecond')
  on conflict (name) do update set free_at = greatest(h.free_at, clock_timestamp()) + gap_ms * interval '1 millisecond'
  returning greatest(0, extract(epoch from free_at - clock_timestamp()) * 1000 - gap_ms)::float8;
$$;

-- Leaves a host alone for a time.
create function rest_host(host_name text, rest_ms float8) returns void language sql volatile security definer set search_path = '' as $$
  insert into pacing.host as h (name, free_at) values (host_name, clock_timestamp() + rest_ms * interval '1 millisecond')
  on conflict (name) do update set free_at = greatest(h.free_at, excluded.free_at);
$$;
revoke execute on function take_turn(text, float8), rest_host(text, float8) from public;
grant execute on function take_turn(text, float8), rest_host(text, float8) to groundwork_app;

-- Tickets of a queue that organizations share: jobs of one knowledge base run in order, those of different ones alternate. This
-- is self-clocked fair queueing (Golestani 1994): a job gets a number behind the last one of its knowledge base, by its cost, and
-- jobs start in the order of their numbers. A knowledge base without waiting jobs begins at the number that is being served, so
-- it neither saves up idle time nor pays for it.
create table queue_turn (
  organization_id uuid not null,
  queue text not null,
  base_id uuid not null,
  -- The number of the newest job.
  last integer not null,
  primary key (organization_id, queue, base_id),
  foreign key (organization_id, base_id) references base (organization_id, id) on delete cascade
);
create index queue_turn_last on queue_turn (queue, last);
alter table queue_turn enable row level security;
create policy tenant on queue_turn
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
create policy base_limit on queue_turn as restrictive
  using (coalesce(base_id = any ((select app_base_ids())::uuid[]), true));
grant select on queue_turn to groundwork_app;

-- Returns the number of a new job; the negative number is its priority. It runs as its owner, because the number that is being
-- served belongs to all organizations. It reveals nothing else about them, and writes only rows of the caller's organization.
--
-- The number that is being served is the lowest one that waits for its first start. New numbers are always above it, so it never
-- decreases. A job that waits for a retry keeps its old, low number and does not count. If nothing waits, it is the highest number
-- ever assigned, and the job costs nothing: numbers increase only under a backlog.
--
-- An organization with n waiting knowledge bases pays n times the cost, or it would get n times its share.
--
-- The row of the knowledge base is the only lock: its jobs get their numbers one after the other, and organizations never wait
-- for each other.
create function take_turn(of_queue text, of_base uuid, cost integer) returns integer
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  next_turn integer;
  served bigint;
  step bigint := 0;
  turn integer;
begin
  select -priority into next_turn from pgboss.job
    where name = of_queue and state < 'active' and state = 'created' and not blocked and start_after <= now()
    order by priority desc limit 1;
  served := coalesce(next_turn, (select last from queue_turn where queue = of_queue order by last desc limit 1), 0);
  if next_turn is not null then
    step := cost::bigint * (1 + (
      select count(*) from queue_turn
        where organization_id = app_organization() and queue = of_queue and base_id <> of_base and last >= served
    ));
  end if;
  insert into queue_turn as flow (organization_id, queue, base_id, last)
    values (app_organization(), of_queue, of_base, least(served + step, 2147483647))
    on conflict (organization_id, queue, base_id)
      do update set last = least(greatest(flow.last, served) + step, 2147483647)
    returning last into turn;
  return turn;
end $$;
revoke execute on function take_turn(text, uuid, integer) from public;
grant execute on function take_turn(text, uuid, integer) to groundwork_app;
