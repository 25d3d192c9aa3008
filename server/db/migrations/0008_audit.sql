-- Who changed what, when and from where, each entry written in the transaction of its change. Nobody changes it.
create table audit_entry (
  organization_id uuid not null references organization (id) on delete cascade,
  created_at timestamptz not null,
  id uuid not null,
  action text not null,
  actor_type text not null check (actor_type in ('token', 'user', 'system', 'command_line')),
  -- No foreign keys: an entry outlives what it names.
  actor_id uuid,
  address text,
  request_id text,
  -- The prefix of the target's id, and the id without it.
  target_kind text not null,
  target_id uuid not null,
  primary key (organization_id, created_at, id)
);
create index audit_entry_target on audit_entry (organization_id, target_id, created_at, id);
create index audit_entry_actor on audit_entry (organization_id, actor_id, created_at, id);
alter table audit_entry enable row level security;
create policy tenant on audit_entry
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert on audit_entry to groundwork_app;

-- The one way by which entries go. Runs as its owner, whom the policy does not bind, so it compares the organization itself.
create function forget_old_audit_entries() returns void
  language sql security definer
  set search_path = public, pg_temp
as $$
  delete from audit_entry where organization_id = app_organization() and created_at < now() - interval '400 days';
$$;
revoke execute on function forget_old_audit_entries() from public;
grant execute on function forget_old_audit_entries() to groundwork_app;
