-- Certificates of accepted proposals, and the keys that sign them.

-- The keys belong to no organization, so they are in the schema that is closed to groundwork_app.
create table installation.signing_key (
  -- The JWK thumbprint (RFC 7638) of the public key.
  id text primary key,
  public_key bytea not null,
  -- PKCS #8, encrypted under the secret key. A retired key has none, so that nobody can sign with it again.
  sealed_private_key bytea,
  created_at timestamptz not null,
  retired_at timestamptz,
  check ((sealed_private_key is null) = (retired_at is not null))
);
-- At most one key is current.
create unique index signing_key_current on installation.signing_key ((true)) where retired_at is null;

-- The functions below run as their owner, because groundwork_app cannot access the table. Each has one purpose.

-- Returns the current key. Its replacement waits until the transaction ends, so no certificate is newer than its retired key.
create function current_signing_key() returns table (id text, public_key bytea, sealed_private_key bytea, created_at timestamptz)
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
as $$
  select id, public_key, sealed_private_key, created_at from installation.signing_key where retired_at is null for share;
$$;

-- Adds the first key. Of several concurrent calls, one adds its key. Does nothing if there is a current key.
create function add_signing_key(key_id text, public_key bytea, sealed_private_key bytea, at timestamptz) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
as $$
  insert into installation.signing_key (id, public_key, sealed_private_key, created_at) values ($1, $2, $3, $4)
    on conflict do nothing;
$$;

create function public_signing_keys() returns table (id text, public_key bytea, created_at timestamptz, retired_at timestamptz)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
as $$
  select id, public_key, created_at, retired_at from installation.signing_key order by created_at, id;
$$;

revoke execute on function current_signing_key(), add_signing_key(text, bytea, bytea, timestamptz), public_signing_keys() from public;
grant execute on function current_signing_key(), add_signing_key(text, bytea, bytea, timestamptz), public_signing_keys() to groundwork_app;

create table certificate (
  organization_id uuid not null references organization (id) on delete cascade,
  id uuid not null,
  -- Consecutive within the organization.
  sequence integer not null check (sequence > 0),
  proposal_id uuid not null,
  -- The file: canonical JSON (RFC 8785). The other columns repeat parts of it.
  json text not null,
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  previous_hash text,
  key_id text not null,
  signature text not null,
  issued_at timestamptz not null,
  primary key (organization_id, id),
  unique (organization_id, sequence),
  unique (organization_id, proposal_id),
  check ((previous_hash is null) = (sequence = 1)),
  foreign key (organization_id, proposal_id) references proposal (organization_id, id)
);
alter table certificate enable row level security;
create policy tenant on certificate
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
-- A certificate is never changed or deleted.
grant select, insert on certificate to groundwork_app;
