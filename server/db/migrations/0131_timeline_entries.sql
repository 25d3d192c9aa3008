-- Events of contacts that outlive the event log: the timeline of a contact lasts as long as the contact.

create table timeline_entry (
  organization_id uuid not null references organization (id) on delete cascade,
  contact_id uuid not null,
  position bigint not null,
  id uuid not null,
  type text not null,
  -- Ids, states, numbers and times of the record, and the title of a proposal.
  data jsonb not null,
  schema_version smallint not null,
  actor_type text,
  actor_id uuid,
  created_at timestamptz not null,
  primary key (organization_id, contact_id, position),
  foreign key (organization_id, contact_id) references contact (organization_id, id) on delete cascade
);
create index timeline_entry_actor on timeline_entry (organization_id, actor_id) where actor_type = 'user';
alter table timeline_entry enable row level security;
create policy tenant on timeline_entry
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert, delete on timeline_entry to groundwork_app;

-- Also names authors of entries, which outlive the audit entries.
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
  );
$$;
