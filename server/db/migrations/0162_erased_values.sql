-- Keyed hashes of the addresses, numbers and externalIds of erased persons, so that an import cannot bring them back.

-- The key of an organization, encrypted under the secret key. Without it, the hashes say nothing.
create table erased_value_key (
  organization_id uuid primary key references organization (id) on delete cascade,
  sealed bytea not null
);
alter table erased_value_key enable row level security;
create policy tenant on erased_value_key
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert on erased_value_key to groundwork_app;

create table erased_value (
  organization_id uuid not null references organization (id) on delete cascade,
  -- HMAC-SHA-256 of the field and the value.
  hash bytea not null,
  created_at timestamptz not null,
  primary key (organization_id, hash)
);
alter table erased_value enable row level security;
create policy tenant on erased_value
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert on erased_value to groundwork_app;
