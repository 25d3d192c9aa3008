-- Saved views of the list of sources. They belong to the organization, and each knowledge base offers them.

create table source_view (
  organization_id uuid not null references organization (id) on delete cascade,
  id uuid not null,
  name text not null,
  filter jsonb,
  q text,
  sort text not null,
  shared boolean not null,
  -- A member. There is no foreign key, because an import adds views before memberships.
  owner_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  check (shared or owner_id is not null)
);
create index source_view_newest on source_view (organization_id, created_at desc, id desc);
alter table source_view enable row level security;
create policy tenant on source_view
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert, update, delete on source_view to groundwork_app;

-- One function for the views of all lists, in place of one for each. The trigger names their table.
create function saved_view_owner_left() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  execute format('delete from %I where organization_id = $1 and owner_id = $2 and not shared', tg_argv[0])
    using old.organization_id, old.user_id;
  execute format('update %I set owner_id = null where organization_id = $1 and owner_id = $2', tg_argv[0])
    using old.organization_id, old.user_id;
  return null;
end $$;
revoke execute on function saved_view_owner_left() from public;

drop trigger contact_view_owner_left on membership;
drop function contact_view_owner_left();
create trigger contact_view_owner_left after delete on membership
  for each row execute function saved_view_owner_left('contact_view');

drop trigger proposal_list_view_owner_left on membership;
drop function proposal_list_view_owner_left();
create trigger proposal_list_view_owner_left after delete on membership
  for each row execute function saved_view_owner_left('proposal_list_view');

create trigger source_view_owner_left after delete on membership
  for each row execute function saved_view_owner_left('source_view');
