-- Pairs of contacts that are probably the same person.

create table contact_duplicate (
  organization_id uuid not null references organization (id) on delete cascade,
  id uuid not null,
  -- The contact with the lower id.
  first_id uuid not null,
  second_id uuid not null,
  confidence real not null,
  reasons text[] not null,
  status text not null check (status in ('open', 'dismissed')),
  created_at timestamptz not null,
  dismissed_at timestamptz,
  primary key (organization_id, id),
  unique (organization_id, first_id, second_id),
  check (first_id < second_id),
  foreign key (organization_id, first_id) references contact (organization_id, id) on delete cascade,
  foreign key (organization_id, second_id) references contact (organization_id, id) on delete cascade
);
create index contact_duplicate_newest on contact_duplicate (organization_id, created_at desc, id desc);
create index contact_duplicate_second on contact_duplicate (organization_id, second_id);
alter table contact_duplicate enable row level security;
create policy tenant on contact_duplicate
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert, update, delete on contact_duplicate to groundwork_app;

-- Contacts to compare, since they were written. Without a unique key on the contact, a write never waits for the comparison of an
-- earlier one.
create table contact_to_compare (
  organization_id uuid not null references organization (id) on delete cascade,
  id bigint generated always as identity,
  contact_id uuid not null,
  primary key (organization_id, id)
);
alter table contact_to_compare enable row level security;
create policy tenant on contact_to_compare
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, delete on contact_to_compare to groundwork_app;

-- Hashes of values, such as a phone number with a word of the name. Only contacts that share one are compared.
create table contact_match_key (
  organization_id uuid not null references organization (id) on delete cascade,
  key bigint not null,
  contact_id uuid not null,
  primary key (organization_id, key, contact_id)
);
create index contact_match_key_contact on contact_match_key (organization_id, contact_id);
alter table contact_match_key enable row level security;
create policy tenant on contact_match_key
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));

-- The functions below run as their owner: requests never read or write the keys themselves.
create function compare_written_contact() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into contact_to_compare (organization_id, contact_id) values (new.organization_id, new.id);
  if new.deleted_at is not null then
    delete from contact_match_key k where k.organization_id = new.organization_id and k.contact_id = new.id;
  end if;
  return null;
end $$;
create trigger compare_new_contact after insert on contact for each row
  when (new.deleted_at is null) execute function compare_written_contact();
create trigger compare_changed_contact
  after update of first_name, last_name, email, phone, emails, phones, address, company_id, deleted_at on contact
  for each row
  when ((old.first_name, old.last_name, old.email, old.phone, old.emails, old.phones, old.address, old.company_id, old.deleted_at)
    is distinct from (new.first_name, new.last_name, new.email, new.phone, new.emails, new.phones, new.address, new.company_id, new.deleted_at))
  execute function compare_written_contact();

-- Returns the organizations with contacts to compare. Skips from one organization to the next, because one may have many of them.
create function organizations_to_compare() returns setof uuid
  language plpgsql stable security definer
  set search_path = public, pg_temp
  set enable_seqscan = off
as $$
declare
  current uuid := (select organization_id from contact_to_compare order by organization_id limit 1);
begin
  while current is not null loop
    return next current;
    current := (select organization_id from contact_to_compare where organization_id > current order by organization_id limit 1);
  end loop;
end $$;

-- Replaces the keys of the contacts. The n-th key is one of the n-th contact of `owners`. A table without statistics counts as an
-- empty one, which the planner would read from beginning to end for each contact.
create function store_contact_match_keys(contacts uuid[], owners uuid[], keys bigint[]) returns void
  language plpgsql security definer
  set search_path = public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_seqscan = off
as $$
begin
  delete from contact_match_key k using unnest(contacts) as contact
  where k.organization_id = app_organization() and k.contact_id = contact
    and not exists (select from unnest(owners, keys) as wanted (owner, key) where wanted.owner = k.contact_id and wanted.key = k.key);
  insert into contact_match_key (organization_id, key, contact_id)
    select app_organization(), wanted.key, wanted.owner from unnest(owners, keys) as wanted (owner, key)
    on conflict do nothing;
end $$;

-- Returns up to `max_contacts` contacts with each key, and the place of the key in the list.
create function contacts_with_match_keys(keys bigint[], max_contacts integer) returns table (at integer, contact_id uuid)
  language plpgsql stable security definer
  set search_path = public, pg_temp
  set enable_seqscan = off
  set enable_bitmapscan = off
as $$
declare
  organization uuid := app_organization();
begin
  for place in 1 .. cardinality(keys) loop
    return query select place, k.contact_id from contact_match_key k
      where k.organization_id = organization and k.key = keys[place] limit max_contacts;
  end loop;
end $$;

revoke execute on function compare_written_contact(), organizations_to_compare(), store_contact_match_keys(uuid[], uuid[], bigint[]),
  contacts_with_match_keys(bigint[], integer) from public;
grant execute on function organizations_to_compare(), store_contact_match_keys(uuid[], uuid[], bigint[]),
  contacts_with_match_keys(bigint[], integer) to groundwork_app;
