-- The deletion of an organization by the operator takes many transactions. The first one sets this time; from then on, nobody can
-- reach the organization.
alter table organization add column deletion_started_at timestamptz;

alter policy tenant on organization
  using (id = (select app_organization()) and deletion_started_at is null)
  with check (id = (select app_organization()) and deletion_started_at is null);

-- Links to proposals and signed upload URLs are not stored, so they are refused by the rows that they lead to.
create policy reachable on proposal_recipient as restrictive for select
  using (exists (select from organization where id = (select app_organization())));
create policy reachable on upload as restrictive for select
  using (exists (select from organization where id = (select app_organization())));

-- Returns one row if the presented setup token is valid, with the oldest organization of this name that has no member, or null.
create or replace function presented_setup(organization_name text) returns table (organization_id uuid)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
as $$
  select (
    select o.id from public.organization o
    where o.name = organization_name and o.deletion_started_at is null
      and not exists (select from public.membership m where m.organization_id = o.id)
    order by o.created_at limit 1
  )
  from identity.setup
  where token_hash = decode(nullif(current_setting('app.setup_hash', true), ''), 'hex') and not exists (select from identity."user");
$$;
