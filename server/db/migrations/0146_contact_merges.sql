-- Merges of contacts. A merged contact is deleted, and its row stays for 30 days, as that of any deleted contact.

-- The contacts that were merged into this one, also indirectly.
alter table contact add merged_ids uuid[] not null default '{}';

-- The ids of merged contacts, with the contact that has their records now.
create table contact_alias (
  organization_id uuid not null references organization (id) on delete cascade,
  id uuid not null,
  contact_id uuid not null,
  primary key (organization_id, id),
  foreign key (organization_id, contact_id) references contact (organization_id, id) on delete cascade
);
create index contact_alias_contact on contact_alias (organization_id, contact_id);
alter table contact_alias enable row level security;
create policy tenant on contact_alias
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert, update, delete on contact_alias to groundwork_app;

-- What undoes a merge. It is deleted with the row of the merged contact.
create table contact_merge (
  organization_id uuid not null references organization (id) on delete cascade,
  merged_id uuid not null,
  survivor_id uuid not null,
  -- The order of the merges into the same contact.
  position integer not null,
  -- Which values were chosen, and the values of the survivor before and after.
  choices jsonb not null,
  before jsonb not null,
  after jsonb not null,
  activity_ids uuid[] not null,
  proposal_ids uuid[] not null,
  recipient_ids uuid[] not null,
  mail_ids uuid[] not null,
  consent_ids uuid[] not null,
  -- Refusals that were added to the history of the survivor, because the stricter consent wins.
  added_consent_ids uuid[] not null,
  created_at timestamptz not null,
  primary key (organization_id, merged_id),
  unique (organization_id, survivor_id, position),
  foreign key (organization_id, merged_id) references contact (organization_id, id) on delete cascade,
  foreign key (organization_id, survivor_id) references contact (organization_id, id) on delete cascade
);
alter table contact_merge enable row level security;
create policy tenant on contact_merge
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert, update, delete on contact_merge to groundwork_app;

-- Moves the timeline of a contact to another one, or only the events whose data names one of the contacts. Nothing else can change
-- the contact of an event. Runs as its owner, to whom the policies do not apply, so it compares the organization itself.
create function move_timeline(from_id uuid, to_id uuid, named uuid[]) returns integer
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  events integer;
  entries integer;
begin
  perform from contact where organization_id = app_organization() and id in (from_id, to_id) having count(*) = 2;
  if not found then
    raise exception 'there is no contact % or %', from_id, to_id;
  end if;
  update event set contact_id = to_id
  where organization_id = app_organization() and contact_id = from_id
    and (named is null or right(coalesce(data ->> 'contactId', data ->> 'id'), 36)::uuid = any (named));
  get diagnostics events = row_count;
  update timeline_entry set contact_id = to_id
  where organization_id = app_organization() and contact_id = from_id
    and (named is null or right(coalesce(data ->> 'contactId', data ->> 'id'), 36)::uuid = any (named));
  get diagnostics entries = row_count;
  return events + entries;
end $$;
revoke execute on function move_timeline(uuid, uuid, uuid[]) from public;
grant execute on function move_timeline(uuid, uuid, uuid[]) to groundwork_app;
