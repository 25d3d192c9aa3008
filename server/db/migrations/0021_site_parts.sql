-- The pages that a site's first crawl has read so far, as generations that are searched until the first complete index replaces
-- them. Each holds some pages and never changes, like any generation, so a search never reads a page that is half written.
create table source_part (
  organization_id uuid not null,
  generation bigint not null,
  base_id uuid not null,
  source_id uuid not null,
  -- The generation of the attempt that wrote it.
  attempt bigint not null,
  embedding_model text not null,
  chunks integer not null default 0,
  -- False while it is being written.
  searched boolean not null default false,
  primary key (organization_id, generation),
  foreign key (organization_id, source_id) references source (organization_id, id) on delete cascade
);
create index source_part_base on source_part (organization_id, base_id);
create index source_part_source on source_part (organization_id, source_id);
alter table source_part enable row level security;
create policy tenant on source_part
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
create policy base_limit on source_part as restrictive
  using (coalesce(base_id = any ((select app_base_ids())::uuid[]), true));
grant select, insert, update, delete on source_part to groundwork_app;

-- The part with the chunks of the page.
alter table source_page add column part bigint;
