-- Where the values of contacts come from: one row for each change of a contact, with the fields that it changed.

create table contact_change (
  organization_id uuid not null,
  contact_id uuid not null,
  -- The order of the changes of a contact, which clocks of several processes do not tell.
  position integer not null,
  id uuid not null,
  created_at timestamptz not null,
  actor_type text not null check (actor_type in ('token', 'user', 'recipient', 'system', 'command_line')),
  actor_id uuid,
  how text not null check (how in ('typed', 'heard', 'imported', 'api', 'merged', 'reverted', 'verified')),
  -- What the client named, such as the id of a call.
  reference text,
  -- Values of the API by field; former is null if the change created the contact.
  former jsonb,
  changed jsonb not null,
  -- The fields that a person has verified.
  verified text[],
  primary key (organization_id, contact_id, position),
  foreign key (organization_id, contact_id) references contact (organization_id, id) on delete cascade
);
create index contact_change_actor on contact_change (organization_id, actor_id, created_at);
create index contact_change_import on contact_change (organization_id, reference, created_at) where how = 'imported';
alter table contact_change enable row level security;
create policy tenant on contact_change
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert, delete on contact_change to groundwork_app;

-- Also names authors of changes of contacts, which outlive the audit entries.
create or replace function actor_names(ids uuid[]) returns table (id uuid, name text)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
as $$
  select u.id, u.name from identity."user" u
  where u.id = any (ids) and (
    exists (select from public.membership m where m.organization_id = public.app_organization() and m.user_id = u.id)
    or exists (
      select from public.audit_entry e where e.organization_id = public.app_organization() and e.actor_id = u.id and e.actor_type = 'user'
    )
    or exists (select from public.api_token t where t.organization_id = public.app_organization() and t.created_by_user = u.id)
    or exists (
      select from public.activity a where a.organization_id = public.app_organization() and a.actor_id = u.id and a.actor_type = 'user'
    )
    or exists (
      select from public.timeline_entry t where t.organization_id = public.app_organization() and t.actor_id = u.id and t.actor_type = 'user'
    )
    or exists (
      select from public.consent_change c where c.organization_id = public.app_organization() and c.actor_id = u.id and c.actor_type = 'user'
    )
    or exists (
      select from public.contact_change c where c.organization_id = public.app_organization() and c.actor_id = u.id and c.actor_type = 'user'
    )
  );
$$;
