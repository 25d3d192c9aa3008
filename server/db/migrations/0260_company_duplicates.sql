-- Pairs of companies that are probably the same. As for contacts (0155).

create table company_duplicate (
  organization_id uuid not null references organization (id) on delete cascade,
  id uuid not null,
  -- The company with the lower id.
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
  foreign key (organization_id, first_id) references company (organization_id, id) on delete cascade,
  foreign key (organization_id, second_id) references company (organization_id, id) on delete cascade
);
create index company_duplicate_newest on company_duplicate (organization_id, created_at desc, id desc);
create index company_duplicate_second on company_duplicate (organization_id, second_id);
alter table company_duplicate enable row level security;
create policy tenant on company_duplicate
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert, update, delete on company_duplicate to groundwork_app;

-- Companies to compare, since they were written. Without a unique key on the company, a write never waits for the comparison of an
-- earlier one.
create table company_to_compare (
  organization_id uuid not null references organization (id) on delete cascade,
  id bigint generated always as identity,
  company_id uuid not null,
  primary key (organization_id, id)
);
alter table company_to_compare enable row level security;
create policy tenant on company_to_compare
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, delete on company_to_compare to groundwork_app;

-- Hashes of values, such as a phone number or the beginning of the name. Only companies that share one are compared.
create table company_match_key (
  organization_id uuid not null references organization (id) on delete cascade,
  key bigint not null,
  company_id uuid not null,
  primary key (organization_id, key, company_id)
);
create index company_match_key_company on company_match_key (organization_id, company_id);
alter table company_match_key enable row level security;
create policy tenant on company_match_key
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));

-- The functions below run as their owner: requests never read or write the keys themselves.
create function compare_written_company() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into company_to_compare (organization_id, company_id) values (new.organization_id, new.id);
  if new.deleted_at is not null then
    delete from company_match_key k where k.organization_id = new.organization_id and k.company_id = new.id;
  end if;
  return null;
end $$;
create trigger compare_new_company after insert on company for each row
  when (new.deleted_at is null) execute function compare_written_company();
create trigger compare_changed_company
  after update of name, domains, phone, address, vat_id, deleted_at on company
  for each row
  when ((old.name, old.domains, old.phone, old.address, old.vat_id, old.deleted_at)
    is distinct from (new.name, new.domains, new.phone, new.address, new.vat_id, new.deleted_at))
  execute function compare_written_company();

-- Returns the organizations with companies to compare. Skips from one organization to the next, because one may have many of them.
create function organizations_with_companies_to_compare() returns setof uuid
  language plpgsql stable security definer
  set search_path = public, pg_temp
  set enable_seqscan = off
as $$
declare
  current uuid := (select organization_id from company_to_compare order by organization_id limit 1);
begin
  while current is not null loop
    return next current;
    current := (select organization_id from company_to_compare where organization_id > current order by organization_id limit 1);
  end loop;
end $$;

-- Replaces the keys of the companies. The n-th key is one of the n-th company of `owners`. A table without statistics counts as an
-- empty one, which the planner would read from beginning to end for each company.
create function store_company_match_keys(companies uuid[], owners uuid[], keys bigint[]) returns void
  language plpgsql security definer
  set search_path = public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_seqscan = off
as $$
begin
  delete from company_match_key k using unnest(companies) as company
  where k.organization_id = app_organization() and k.company_id = company
    and not exists (select from unnest(owners, keys) as wanted (owner, key) where wanted.owner = k.company_id and wanted.key = k.key);
  insert into company_match_key (organization_id, key, company_id)
    select app_organization(), wanted.key, wanted.owner from unnest(owners, keys) as wanted (owner, key)
    on conflict do nothing;
end $$;

-- Returns up to `max_companies` companies with each key, and the place of the key in the list.
create function companies_with_match_keys(keys bigint[], max_companies integer) returns table (at integer, company_id uuid)
  language plpgsql stable security definer
  set search_path = public, pg_temp
  set enable_seqscan = off
  set enable_bitmapscan = off
as $$
declare
  organization uuid := app_organization();
begin
  for place in 1 .. cardinality(keys) loop
    return query select place, k.company_id from company_match_key k
      where k.organization_id = organization and k.key = keys[place] limit max_companies;
  end loop;
end $$;

revoke execute on function compare_written_company(), organizations_with_companies_to_compare(),
  store_company_match_keys(uuid[], uuid[], bigint[]), companies_with_match_keys(bigint[], integer) from public;
grant execute on function organizations_with_companies_to_compare(), store_company_match_keys(uuid[], uuid[], bigint[]),
  companies_with_match_keys(bigint[], integer) to groundwork_app;
