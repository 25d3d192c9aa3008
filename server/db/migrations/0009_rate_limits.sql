-- How many requests of a window the programs on this database have claimed, for a token (by its id) or for the whole
-- organization (by the organization's). Written once for many requests; windows that are over go with the next claim.
create table rate_window (
  organization_id uuid not null references organization (id) on delete cascade,
  starts_at timestamptz not null,
  subject_id uuid not null,
  claimed bigint not null,
  primary key (organization_id, starts_at, subject_id)
);
alter table rate_window enable row level security;
create policy tenant on rate_window
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert, update, delete on rate_window to groundwork_app;
