-- Saved views of the list of proposals.

create table proposal_list_view (
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
create index proposal_list_view_newest on proposal_list_view (organization_id, created_at desc, id desc);
alter table proposal_list_view enable row level security;
create policy tenant on proposal_list_view
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert, update, delete on proposal_list_view to groundwork_app;

create function proposal_list_view_owner_left() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  delete from proposal_list_view where organization_id = old.organization_id and owner_id = old.user_id and not shared;
  update proposal_list_view set owner_id = null where organization_id = old.organization_id and owner_id = old.user_id;
  return null;
end $$;
revoke execute on function proposal_list_view_owner_left() from public;
create trigger proposal_list_view_owner_left after delete on membership for each row execute function proposal_list_view_owner_left();
