-- Consent of contacts for each channel, and messages that are withheld.

create table consent_change (
  organization_id uuid not null references organization (id) on delete cascade,
  id uuid not null,
  contact_id uuid not null,
  channel text not null check (channel in ('email', 'phone', 'sms', 'post')),
  state text not null check (state in ('granted', 'denied', 'unknown')),
  at timestamptz not null,
  source text,
  wording text,
  actor_type text not null check (actor_type in ('token', 'user', 'recipient', 'system', 'command_line')),
  actor_id uuid,
  created_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, contact_id) references contact (organization_id, id) on delete cascade
);
create index consent_change_newest on consent_change (organization_id, contact_id, created_at desc, id desc);
create index consent_change_actor on consent_change (organization_id, actor_id) where actor_type = 'user';
alter table consent_change enable row level security;
create policy tenant on consent_change
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert, update, delete on consent_change to groundwork_app;

-- The latest state of each channel, such as {"email": "denied"}, without unknown ones. Null if all are unknown.
alter table contact add consent jsonb;

-- Why the message that sends the proposal was not sent to the recipient.
alter table proposal_recipient add withheld text;

-- Also names authors of changes of consent, which outlive the audit entries.
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
  );
$$;
