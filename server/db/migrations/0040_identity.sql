-- People and how they sign in: users, credentials, sessions and second factors, as the sign-in library keeps them. They
-- belong to no organization, so they are in a schema of their own: groundwork_identity alone may enter it, and nothing else.
create schema identity;

create table identity."user" (
  id uuid primary key,
  name text not null,
  email text not null,
  email_verified boolean not null default false,
  image text,
  two_factor_enabled boolean default false,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index user_email on identity."user" (lower(email));

create table identity.session (
  id uuid primary key,
  user_id uuid not null references identity."user" (id) on delete cascade,
  -- Of no use by itself: the cookie has it signed with the service's secret key.
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index session_of_user on identity.session (user_id);

create table identity.account (
  id uuid primary key,
  user_id uuid not null references identity."user" (id) on delete cascade,
  provider_id text not null,
  account_id text not null,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (provider_id, account_id)
);
create index account_of_user on identity.account (user_id);

create table identity.verification (
  id uuid primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index verification_identifier on identity.verification (identifier);

create table identity.two_factor (
  id uuid primary key,
  user_id uuid not null references identity."user" (id) on delete cascade,
  secret text not null,
  backup_codes text not null,
  verified boolean,
  failed_verification_count integer,
  locked_until timestamptz
);
create index two_factor_of_user on identity.two_factor (user_id);

create table identity.rate_limit (
  id uuid primary key,
  key text not null unique,
  count integer not null,
  last_request bigint not null
);

-- The one-time token that makes the first user: the newest that was handed out, as its hash. At most one row.
create table identity.setup (
  one boolean primary key default true check (one),
  token_hash bytea not null,
  created_at timestamptz not null
);

grant usage on schema identity to groundwork_identity;
grant select, insert, update, delete on identity."user", identity.session, identity.account, identity.verification,
  identity.two_factor, identity.rate_limit to groundwork_identity;

-- Who may do what in an organization.
create table membership (
  organization_id uuid not null references organization (id) on delete cascade,
  user_id uuid not null references identity."user" (id) on delete cascade,
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  created_at timestamptz not null,
  primary key (organization_id, user_id)
);
create index membership_of_user on membership (user_id);
alter table membership enable row level security;
create policy tenant on membership
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert, update, delete on membership to groundwork_app;

-- What follows runs as its owner and so reaches beyond what groundwork_app may: each tells or does one thing.

-- The user of the current transaction: who presents a session that has not ended, or whom it was begun for.
create function app_user() returns uuid
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
as $$
  select case
    when coalesce(current_setting('app.session_token', true), '') = '' then nullif(current_setting('app.user_id', true), '')::uuid
    else (
      select user_id from identity.session
      where token = convert_from(decode(current_setting('app.session_token', true), 'hex'), 'UTF8') and expires_at > now()
    )
  end;
$$;

-- Whoever presents a session has no organization yet: it opens the memberships of its user, and what they are of.
create policy own on membership for select using (user_id = (select app_user()));
create policy member on organization for select using (
  (select app_user()) is not null and id in (select organization_id from membership where user_id = (select app_user()))
);

create function presented_session() returns table (
  session_id uuid, expires_at timestamptz, user_id uuid, name text, email text, email_verified boolean,
  two_factor_enabled boolean, created_at timestamptz
)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
as $$
  select s.id, s.expires_at, u.id, u.name, u.email, u.email_verified, coalesce(u.two_factor_enabled, false), u.created_at
  from identity.session s join identity."user" u on u.id = s.user_id
  where s.token = convert_from(decode(nullif(current_setting('app.session_token', true), ''), 'hex'), 'UTF8') and s.expires_at > now();
$$;

create function setup_needed() returns boolean
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
as $$
  select not exists (select from identity."user");
$$;

-- For who presents the setup token: whether it is the one, and the oldest organization of that name without a member.
create function presented_setup(organization_name text) returns table (organization_id uuid)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
as $$
  select (
    select o.id from public.organization o
    where o.name = organization_name and not exists (select from public.membership m where m.organization_id = o.id)
    order by o.created_at limit 1
  )
  from identity.setup
  where token_hash = decode(nullif(current_setting('app.setup_hash', true), ''), 'hex') and not exists (select from identity."user");
$$;

-- Uses the setup token up. Of several at once one gets true.
create function use_setup(hash bytea) returns boolean
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
as $$
  with used as (
    delete from identity.setup where token_hash = hash and not exists (select from identity."user") returning one
  )
  select exists (select from used);
$$;

-- A new user with a password. It changes none that is there: a known address breaks user_email.
create function create_user(user_id uuid, user_name text, user_email text, password_hash text, at timestamptz) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
as $$
  insert into identity."user" (id, name, email, email_verified, created_at, updated_at)
  values (user_id, user_name, lower(user_email), true, at, at);
  insert into identity.account (id, user_id, provider_id, account_id, password, created_at, updated_at)
  values (gen_random_uuid(), user_id, 'credential', user_id::text, password_hash, at, at);
$$;

-- Names of users whom the audit log of the current organization knows, also of those who have left.
create function actor_names(ids uuid[]) returns table (id uuid, name text)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
as $$
  select u.id, u.name from identity."user" u
  where u.id = any (ids) and exists (
    select from public.audit_entry e where e.organization_id = public.app_organization() and e.actor_id = u.id and e.actor_type = 'user'
  );
$$;

revoke execute on function app_user(), presented_session(), setup_needed(), presented_setup(text), use_setup(bytea),
  create_user(uuid, text, text, text, timestamptz), actor_names(uuid[]) from public;
grant execute on function app_user(), presented_session(), setup_needed(), presented_setup(text), use_setup(bytea),
  create_user(uuid, text, text, text, timestamptz), actor_names(uuid[]) to groundwork_app;

-- The name of an organization in addresses, unique among all of them.
alter table organization add slug text;

create function free_slug(organization_name text) returns text
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  -- Letters without their accents; what is no letter of ASCII or digit divides words.
  stem text := trim(both '-' from left(trim(both '-' from regexp_replace(
    regexp_replace(lower(normalize(organization_name, NFKD)), U&'[\0300-\036f]', '', 'g'), '[^a-z0-9]+', '-', 'g')), 48));
  candidate text;
  n integer := 1;
begin
  if stem = '' then stem := 'organization'; end if;
  candidate := stem;
  while candidate in ('sign-in', 'setup', 'account', 'organizations', 'invitation', 'forgot-password', 'reset-password', 'assets')
    or exists (select from public.organization where slug = candidate)
  loop
    n := n + 1;
    candidate := stem || '-' || n;
  end loop;
  return candidate;
end $$;
revoke execute on function free_slug(text) from public;

do $$
declare each record;
begin
  for each in select id, name from organization order by created_at, id loop
    update organization set slug = free_slug(each.name) where id = each.id;
  end loop;
end $$;
alter table organization alter slug set not null, add constraint organization_slug unique (slug);

-- As its owner, since a slug must differ from those of organizations that the inserter cannot see; one after the other.
create function give_slug() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  if new.slug is null then
    perform pg_advisory_xact_lock(hashtext('organization slug'));
    new.slug := public.free_slug(new.name);
  end if;
  return new;
end $$;
create trigger give_slug before insert on organization for each row execute function give_slug();

-- Whoever signs in may found an organization of their own.
grant insert on organization to groundwork_app;

-- Users make tokens and hand out upload addresses too.
alter table api_token add created_by_user uuid;
