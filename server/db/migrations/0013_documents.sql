-- What the chunks of a generation were read from, in order: the file, the page, or the many pages of a source that has
-- many. A source begins at document 0. While one generation serves, the next has documents of its own, so that neither
-- the record nor a citation tells of what is not searched yet.
create table document (
  organization_id uuid not null,
  generation bigint not null,
  ordinal integer not null,
  base_id uuid not null,
  source_id uuid not null,
  -- Where it is fetched; null for an upload.
  url text,
  -- What is known of the video whose transcript it is.
  video jsonb,
  upload_id uuid,
  file_name text,
  -- What the sender of the bytes calls them.
  content_type text,
  -- Keys in storage: the bytes, null until they are there, and what was read out of them. Documents may share them.
  original_key text,
  content_key text,
  content_hash text,
  bytes bigint,
  media_type text,
  pages integer,
  language text,
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

insert into document (organization_id, generation, ordinal, base_id, source_id, url, video, upload_id, file_name, content_type, original_key,
  content_key, content_hash, bytes, media_type, pages, language, warnings)
select s.organization_id, coalesce(s.live_generation, s.generation), 0, s.base_id, s.id, s.url, s.video, s.upload_id, u.file_name,
  coalesce(u.content_type, s.media_type), s.original_key,
  s.content_key, s.content_hash, s.bytes, s.media_type, s.pages, s.language, s.warnings
from source s left join upload u on u.organization_id = s.organization_id and u.id = s.upload_id;

alter table source
  drop original_key,
  drop content_key,
  -- How the live generation was cut and embedded: what is unchanged need not be indexed again unless this is to change.
  add indexed_as text;
