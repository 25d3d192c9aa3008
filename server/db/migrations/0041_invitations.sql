-- Who was invited and has not come yet. What is accepted goes, and the audit log remembers it.
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

-- Messages of an organization on their way; where there is no mail server, those that were written as files instead.
create table mail (
  organization_id uuid not null references organization (id) on delete cascade,
  id uuid not null,
  recipient text not null,
  subject text not null,
  text text not null,
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

-- Members of the current organization as others of it see them.
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

-- For who presents the token of an invitation: what it is to, and whether its address is that of a user already.
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

revoke execute on function organization_members(), presented_invitation() from public;
grant execute on function organization_members(), presented_invitation() to groundwork_app;
