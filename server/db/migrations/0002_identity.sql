-- Users and their sign-in, memberships, invitations and mail.

-- The tables of the sign-in library: users, credentials, sessions and second factors. They belong to no organization, so they
-- are in their own schema, and groundwork_identity can access nothing else.
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
  -- Useless by itself: the cookie contains it signed with the secret key.
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
create index reset_of_user on identity.verification (value) where identifier like 'reset-password:%';

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

-- The hash of the newest token for creating the first user. At most one row.
create table identity.setup (
  one boolean primary key default true check (one),
  token_hash bytea not null,
  created_at timestamptz not null
);

grant usage on schema identity to groundwork_identity;
grant select, insert, update, delete on identity."user", identity.session, identity.account, identity.verification,
  identity.two_factor, identity.rate_limit to groundwork_identity;

-- A changed password ends all open reset links of its user: an older link in a mailbox must not change it again.
create function identity.end_resets() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  delete from identity.verification where identifier like 'reset-password:%' and value = new.user_id::text;
  return null;
end $$;
create trigger end_resets after insert or update of password on identity.account
  for each row when (new.password is not null) execute function identity.end_resets();

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

-- Open invitations. An accepted one is deleted, and the audit log keeps its entry.
create table invitation (
  organization_id uuid not null references organization (id) on delete cascade,
  id uuid not null,
  email text not null,
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  token_hash bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (organization_id, id)
);
create unique index invitation_email on invitation (organization_id, lower(email));
alter table invitation enable row level security;
create policy tenant on invitation
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert, update, delete on invitation to groundwork_app;

-- Unsent messages of an organization. Without a mail server, the messages that were written as files.
create table mail (
  organization_id uuid not null references organization (id) on delete cascade,
  id uuid not null,
  recipient text not null,
  subject text not null,
  text text not null,
  -- The role that the link in the message grants.
  gives_role text check (gives_role in ('owner', 'admin', 'member', 'viewer')),
  -- Why the last attempt to send it failed.
  error text,
  created_at timestamptz not null,
  primary key (organization_id, id)
);
create index mail_newest on mail (organization_id, created_at desc, id desc);
alter table mail enable row level security;
create policy tenant on mail
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert, update, delete on mail to groundwork_app;

-- The functions below run as their owner and therefore reach data that groundwork_app cannot access. Each has one purpose.

-- The user of the current transaction: the user of the presented, valid session, or the user that the transaction was opened for.
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

-- A request with a session has no organization yet: it can read the memberships of its user and their organizations.
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

-- Returns one row if the presented setup token is valid, with the oldest organization of this name that has no member, or null.
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

-- Uses up the setup token. Of several concurrent calls, one returns true.
create function use_setup(hash bytea) returns boolean
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
as $$
  with used as (
    delete from identity.setup where token_hash = hash and not exists (select from identity."user") returning one
  )
  select exists (select from used);
$$;

-- Creates a user with a password. It changes no existing user: a known address violates user_email.
create function create_user(user_id uuid, user_name text, user_email text, password_hash text, at timestamptz) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
as $$
  insert into identity."user" (id, name, email, email_verified, created_at, updated_at)
  values (user_id, user_name, lower(user_email), true, at, at);
  insert into identity.account (id, user_id, provider_id, account_id, password, created_at, updated_at)
  values (gen_random_uuid(), user_id, 'credential', user_id::text, password_hash, at, at);
$$;

-- Names of users in the audit log of the current organization, and of users that created one of its API tokens: such a token
-- outlives the audit entry. Includes former members.
create function actor_names(ids uuid[]) returns table (id uuid, name text)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
as $$
  select u.id, u.name from identity."user" u
  where u.id = any (ids) and (
    exists (
      select from public.audit_entry e where e.organization_id = public.app_organization() and e.actor_id = u.id and e.actor_type = 'user'
    )
    or exists (select from public.api_token t where t.organization_id = public.app_organization() and t.created_by_user = u.id)
  );
$$;

-- The members of the current organization, as other members see them.
create function organization_members() returns table (
  id uuid, name text, email text, role text, two_factor_enabled boolean, created_at timestamptz
)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
as $$
  select u.id, u.name, u.email, m.role, coalesce(u.two_factor_enabled, false), m.created_at
  from public.membership m join identity."user" u on u.id = m.user_id
  where m.organization_id = public.app_organization();
$$;

-- The invitation with the presented token, and whether a user has its address.
create function presented_invitation() returns table (
  organization_id uuid, id uuid, organization_name text, email text, role text, user_exists boolean
)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
as $$
  select i.organization_id, i.id, o.name, i.email, i.role,
    exists (select from identity."user" u where lower(u.email) = lower(i.email))
  from public.invitation i join public.organization o on o.id = i.organization_id
  where i.token_hash = decode(nullif(current_setting('app.invitation_hash', true), ''), 'hex') and i.expires_at > now();
$$;

revoke execute on function app_user(), presented_session(), setup_needed(), presented_setup(text), use_setup(bytea),
  create_user(uuid, text, text, text, timestamptz), actor_names(uuid[]), organization_members(), presented_invitation() from public;
grant execute on function app_user(), presented_session(), setup_needed(), presented_setup(text), use_setup(bytea),
  create_user(uuid, text, text, text, timestamptz), actor_names(uuid[]), organization_members(), presented_invitation() to groundwork_app;

-- Whether an address has an open invitation in any organization: a user of the identity provider without an account is admitted
-- only then. The sign-in library learns nothing else.
create function identity.is_invited(address text) returns boolean
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
as $$
  select exists (select from public.invitation i where lower(i.email) = lower(address) and i.expires_at > now());
$$;
revoke execute on function identity.is_invited(text) from public;
grant execute on function identity.is_invited(text) to groundwork_identity;
