-- Activities of contacts, and the authors of events.

create table activity (
  organization_id uuid not null references organization (id) on delete cascade,
  id uuid not null,
  contact_id uuid not null,
  type text not null check (type in ('note', 'call', 'email', 'message', 'meeting', 'task')),
  direction text check (direction in ('inbound', 'outbound')),
  text text,
  duration_seconds integer,
  occurred_at timestamptz not null,
  external_id text,
  due_at timestamptz,
  -- A user. It is shown while the user is a member.
  assignee_id uuid,
  done_at timestamptz,
  actor_type text not null check (actor_type in ('token', 'user', 'recipient', 'system', 'command_line')),
  actor_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  unique (organization_id, external_id),
  foreign key (organization_id, contact_id) references contact (organization_id, id) on delete cascade,
  check (type = 'task' or (due_at is null and assignee_id is null and done_at is null))
);
create index activity_newest on activity (organization_id, contact_id, occurred_at desc, id desc);
-- Tasks without a due time come last.
create index activity_open_tasks on activity (organization_id, coalesce(due_at, timestamptz '9999-12-31 23:59:59.999+00'), id)
  where type = 'task' and done_at is null;
create index activity_actor on activity (organization_id, actor_id) where actor_type = 'user';
alter table activity enable row level security;
create policy tenant on activity
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert, update, delete on activity to groundwork_app;

-- Null for events of former versions.
alter table event add actor_type text, add actor_id uuid;

-- The trigger below sets the contact, since the expression of a generated column cannot be changed without a new table.
alter table event alter column contact_id drop expression;
create or replace function place_event() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(4, hashtext(new.organization_id::text));
  new.position := nextval('event_position');
  new.contact_id := case
    when new.type like 'contact.%' then right(new.data ->> 'id', 36)
    when new.type like 'proposal.%' or new.type like 'activity.%' then right(new.data ->> 'contactId', 36)
  end::uuid;
  perform pg_notify('groundwork_events', new.organization_id::text);
  return new;
end $$;

-- Also names members, and authors of activities, which outlive the audit entries.
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
  );
$$;
