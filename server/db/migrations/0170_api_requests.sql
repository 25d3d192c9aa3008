-- The log of API requests, written in batches after the replies (server/requests/log.ts).

-- `id` is the request id, whose first 48 bits are `created_at`: the primary key serves the list, the look-up by id and the deletion.
-- There are no foreign keys, which would be checked row by row. The writer locks the row of the organization instead.
create table api_request (
  organization_id uuid not null,
  created_at timestamptz not null,
  id uuid not null,
  method text not null,
  route text not null,
  path text not null,
  status smallint not null,
  duration_ms real not null,
  actor_type text not null check (actor_type in ('token', 'user')),
  actor_id uuid not null,
  primary key (organization_id, created_at, id)
);
create index api_request_actor on api_request (organization_id, actor_id, created_at, id);
alter table api_request enable row level security;
create policy tenant on api_request
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert, delete on api_request to groundwork_app;
