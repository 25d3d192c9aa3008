-- A search compared the organization of each contact with a setting, which is read and cast each time: 4.5 of the 11 ms that 7,000 contacts of
-- a million take. Now the functions read it once. Former functions for contacts with a tag and for some contacts become one, which reads
-- only matches between the oldest and the newest of these contacts (22 ms before, 12 now, for a word of 7,000 and a tag of 20,000). A page of
-- the newest matches of a word reads about as many as it shows.

-- Returns an id so that about a share of all contacts are between it and `before`, by the statistics of the table; null if they do not tell.
create function contact_id_before(before uuid, share double precision) returns uuid
  language sql stable security definer
  set search_path = public, pg_temp
as $$
  select bounds[width_bucket(before, bounds) - ceil(share * cardinality(bounds))::integer]
  from (
    select histogram_bounds::text::uuid[] as bounds from pg_stats
    where schemaname = 'public' and tablename = 'contact_terms' and attname = 'contact_id'
  ) as known
$$;

-- Returns contacts that meet a condition and not `besides`, newest first, without those `seen`. `indexed` has the part of the condition that
-- the index is used for, null if very many contacts have each word. About `expected` contacts meet the condition, null if unknown.
create function newest_matches(
  condition tsquery, indexed tsquery, expected integer, besides tsquery, before uuid, max_rows integer, seen uuid[]
) returns uuid[]
  language plpgsql stable security definer
  set search_path = public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_indexscan = off
  set enable_seqscan = off
as $$
declare
  organization constant uuid := app_organization();
  -- A part of the contacts with twice the expected matches. In a larger one, finding them takes about as long as among all.
  share constant double precision := 2.0 * max_rows / expected;
  oldest constant uuid := case when share < 0.1 and indexed = condition then contact_id_before(before, share) end;
  found uuid[] := '{}';
begin
  if indexed is null then
    found := array(select id from recent_contacts_with_terms(condition, besides, before, max_rows + cardinality(seen)) as id
      where (id = any (seen)) is not true limit max_rows);
  elsif oldest is not null then
    found := array(select t.contact_id from contact_terms t
      where t.terms @@ indexed and (besides is null or not t.terms @@ besides)
        and t.organization_id = organization and t.contact_id > oldest and t.contact_id < before and (t.contact_id = any (seen)) is not true);
  end if;
  if cardinality(found) < max_rows then
    found := array(select t.contact_id from contact_terms t
      where t.terms @@ coalesce(indexed, condition) and (indexed = condition or t.terms || '' @@ condition)
        and (besides is null or not t.terms @@ besides)
        and t.organization_id = organization and t.contact_id < before and (t.contact_id = any (seen)) is not true
      limit 8001);
    if cardinality(found) > 8000 then
      found := array(select id from newest_contacts_with_terms(condition, besides, before, max_rows + cardinality(seen)) as id
        where (id = any (seen)) is not true limit max_rows);
    end if;
  end if;
  return array(select id from unnest(found) as id order by id desc limit max_rows);
end $$;

-- Returns the contacts that meet `indexed`, null if more than 500 do, or those of the contacts `among`, which are newest first. About `expected`
-- contacts meet it, null if unknown. Reading a match takes about 1 us, comparing the terms of a contact several times as long: if that takes
-- less time for all `among`, returns these. Two indexes find the matches between the oldest and the newest of them.
create function possible_matches(indexed tsquery, expected integer, among uuid[]) returns uuid[]
  language plpgsql stable security definer
  set search_path = public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_seqscan = off
  set enable_nestloop = off
  set enable_mergejoin = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  max_found constant integer := 500;
  organization constant uuid := app_organization();
  newest constant uuid := among[1];
  oldest constant uuid := among[cardinality(among)];
  found uuid[];
begin
  if among is null then
    if expected > max_found then return null; end if;
    found := array(select t.contact_id from contact_terms t where t.terms @@ indexed and (t.organization_id = organization) is true limit max_found + 1);
    return case when cardinality(found) <= max_found then found end;
  end if;
  if cardinality(among) < greatest(max_found, expected / 6) then return among; end if;
  return array(select id from unnest(among) as id, contact_terms t
    where t.terms @@ indexed and t.organization_id = organization and t.contact_id = id and t.contact_id >= oldest and t.contact_id <= newest);
end $$;

-- As newest_matches, of the contacts `among`, which are newest first.
create function newest_matches_among(
  condition tsquery, indexed tsquery, expected integer, besides tsquery, before uuid, max_rows integer, seen uuid[], among uuid[]
) returns uuid[]
  language plpgsql stable security definer
  set search_path = public, pg_temp
as $$
declare
  conditions constant tsquery[] := array_remove(array[besides, condition], null);
  found uuid[] := '{}';
  compared integer := 0;
  part integer := 500;
begin
  if indexed is not null then
    return array(select m.contact_id from contacts_of_tiers(possible_matches(indexed, expected, among), conditions) as m
      where m.tier = cardinality(conditions) and m.contact_id < before and (m.contact_id = any (seen)) is not true
      order by m.contact_id desc limit max_rows);
  end if;
  while cardinality(found) < max_rows and compared < cardinality(among) loop
    found := found || array(select id
      from newest_of_contacts_with_terms(condition, besides, before, max_rows + cardinality(seen), among[compared + 1 : compared + part]) as id
      where (id = any (seen)) is not true limit max_rows - cardinality(found));
    compared := compared + part;
    part := part * 4;
  end loop;
  return found;
end $$;

-- Returns contacts in the order of the conditions that they meet, newest first among equals, after a place in this order: of all
-- contacts, or of those `among`, which are newest first. `indexed` and `expected` are those of newest_matches, for each condition. Each match
-- meets `any_indexed`; null if very many contacts do.
create function contacts_in_tiers(
  tiers tsquery[], indexed tsquery[], expected integer[], any_indexed tsquery, after_tier integer, after_id uuid, max_rows integer, among uuid[]
) returns table (contact_id uuid, tier integer)
  language plpgsql stable security definer
  set search_path = public, pg_temp
as $$
declare
  last_id constant uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  earlier tsquery;
  before uuid;
  remaining integer := max_rows;
  found uuid[] := case when any_indexed is not null then possible_matches(any_indexed, (select max(each) from unnest(expected) as each), among) end;
  seen uuid[] := '{}';
begin
  if found is not null then
    return query select m.contact_id, m.tier from contacts_of_tiers(found, tiers) as m
      where m.tier > after_tier or (m.tier = after_tier and m.contact_id < after_id)
      order by m.tier, m.contact_id desc limit max_rows;
    return;
  end if;
  for at in 1 .. cardinality(tiers) loop
    if at >= after_tier then
      before := case when at = after_tier then after_id else last_id end;
      found := case when among is null then newest_matches(tiers[at], indexed[at], expected[at], earlier, before, remaining, seen)
        else newest_matches_among(tiers[at], indexed[at], expected[at], earlier, before, remaining, seen, among) end;
      return query select id, at from unnest(found) as id;
      remaining := remaining - cardinality(found);
      exit when remaining <= 0;
      seen := seen || found;
    end if;
    -- The pages before have shown the matches of these, which are not among the seen.
    if at < after_tier or (at = after_tier and after_id < last_id) then earlier := coalesce(earlier || tiers[at], tiers[at]); end if;
  end loop;
end $$;

-- As before, but the organization is read once.
create or replace function contacts_alike(
  near tsquery, near_indexed tsquery, alike tsquery, alike_indexed tsquery, exact tsquery, whole tsquery, whole_indexed tsquery,
  max_whole integer, max_rows integer
) returns table (contact_id uuid, names text)
  language plpgsql stable security definer
  set search_path = public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_indexscan = off
  set enable_seqscan = off
as $$
declare
  max_compared constant integer[] := array[1000, 300];
  conditions constant tsquery[] := array[near, alike];
  indexed constant tsquery[] := array[near_indexed, alike_indexed];
  organization constant uuid := app_organization();
  found_ids uuid[] := '{}';
  found_names text[] := '{}';
  ranks real[] := '{}';
  besides tsquery := exact;
begin
  if whole_indexed is null
    and (select count(*) from recent_contacts_with_terms(whole, null, 'ffffffff-ffff-ffff-ffff-ffffffffffff', max_whole)) >= max_whole then return; end if;
  if (select count(*) from (select from contact_terms t
      where t.organization_id = organization and t.terms @@ coalesce(whole_indexed, whole)
        and (whole_indexed = whole or t.terms || '' @@ whole) limit max_whole) as found) >= max_whole then return; end if;
  for at in 1 .. 2 loop
    exit when cardinality(found_ids) >= max_compared[at];
    select found_ids || array_agg(f.contact_id), found_names || array_agg(f.names), ranks || array_agg(f.rank)
      into found_ids, found_names, ranks from (
        select t.contact_id, t.names, ts_rank(t.terms, alike) as rank from contact_terms t
        where t.organization_id = organization and t.terms @@ coalesce(indexed[at], conditions[at])
          and (indexed[at] = conditions[at] or t.terms || '' @@ conditions[at]) and not t.terms @@ besides
        limit max_compared[at] - cardinality(found_ids)
      ) as f;
    besides := besides || near;
  end loop;
  return query select f.id, f.names from unnest(found_ids, found_names, ranks) as f (id, names, rank)
    order by f.rank desc, f.id desc limit max_rows;
end $$;

create or replace function contacts_with_terms(condition tsquery) returns table (contact_id uuid)
  language plpgsql stable security definer
  set search_path = public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_indexscan = off
  set enable_seqscan = off
as $$
declare
  organization constant uuid := app_organization();
begin
  return query select t.contact_id from contact_terms t where t.organization_id = organization and t.terms @@ condition;
end $$;

revoke execute on function contact_id_before(uuid, double precision),
  newest_matches(tsquery, tsquery, integer, tsquery, uuid, integer, uuid[]), possible_matches(tsquery, integer, uuid[]),
  newest_matches_among(tsquery, tsquery, integer, tsquery, uuid, integer, uuid[], uuid[]),
  contacts_in_tiers(tsquery[], tsquery[], integer[], tsquery, integer, uuid, integer, uuid[]) from public;
grant execute on function contacts_in_tiers(tsquery[], tsquery[], integer[], tsquery, integer, uuid, integer, uuid[]) to groundwork_app;
