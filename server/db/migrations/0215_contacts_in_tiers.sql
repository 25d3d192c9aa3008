-- A search compared each match of a condition with the conditions before it, to find it once. That unpacks the terms of each match, which
-- took most of its time (23 ms for a word of 7,000 contacts of a million). Now it knows the matches that it has found. It compares the terms
-- with those conditions only that a former page has shown the matches of.

create or replace function contacts_in_tiers(tiers tsquery[], indexed tsquery[], after_tier integer, after_id uuid, max_rows integer)
  returns table (contact_id uuid, tier integer)
  language plpgsql stable security definer
  set search_path = public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_indexscan = off
  set enable_seqscan = off
as $$
declare
  last_id constant uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  earlier tsquery;
  remaining integer := max_rows;
  before uuid;
  found_ids uuid[];
  seen uuid[] := '{}';
begin
  for at in 1 .. cardinality(tiers) loop
    if at >= after_tier then
      before := case when at = after_tier then after_id else last_id end;
      found_ids := '{}';
      if indexed[at] is null then
        found_ids := array(select id from recent_contacts_with_terms(tiers[at], earlier, before, remaining + cardinality(seen)) as id
          where (id = any (seen)) is not true limit remaining);
      end if;
      if cardinality(found_ids) < remaining then
        found_ids := array(select t.contact_id from contact_terms t
          where t.terms @@ coalesce(indexed[at], tiers[at]) and (indexed[at] = tiers[at] or t.terms || '' @@ tiers[at])
            and (earlier is null or not t.terms @@ earlier) and t.organization_id = app_organization() and t.contact_id < before
            and (t.contact_id = any (seen)) is not true
          limit 8001);
      end if;
      if cardinality(found_ids) > 8000 then
        found_ids := array(select id from newest_contacts_with_terms(tiers[at], earlier, before, remaining + cardinality(seen)) as id
          where (id = any (seen)) is not true limit remaining);
      end if;
      return query select id, at from unnest(found_ids) as id order by id desc limit remaining;
      remaining := remaining - cardinality(found_ids);
      exit when remaining <= 0;
      seen := seen || found_ids;
    end if;
    if at < after_tier or (at = after_tier and after_id < last_id) then earlier := coalesce(earlier || tiers[at], tiers[at]); end if;
  end loop;
end $$;

-- A search with a tag collected the contacts with the tag, or found matches of all contacts and read those without the tag too (40 ms
-- for a word of 7,000 and a tag of 20,000 of a million contacts). Now the two sets are joined.

-- As contacts_in_tiers, for contacts with a tag; for all contacts if more than `max_tagged` have it. A nested loop would read all contacts
-- with the tag for each match. `is true` keeps the index of ids from being used, and `offset 0` has the terms compared after the join.
create function contacts_in_tiers_with_tag(
  tiers tsquery[], indexed tsquery[], after_tier integer, after_id uuid, max_rows integer, of_tag text, max_tagged integer
) returns table (contact_id uuid, tier integer)
  language plpgsql stable security definer
  set search_path = public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_seqscan = off
  set enable_nestloop = off
  set enable_mergejoin = off
as $$
declare
  last_id constant uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  earlier tsquery;
  remaining integer := max_rows;
  before uuid;
  found_ids uuid[];
  seen uuid[] := '{}';
  among uuid[];
begin
  if (select count(*) from (select from contact_tag c where c.organization_id = app_organization() and c.tag = of_tag limit max_tagged + 1) as tagged)
    > max_tagged then
    return query select * from contacts_in_tiers(tiers, indexed, after_tier, after_id, max_rows);
    return;
  end if;
  for at in 1 .. cardinality(tiers) loop
    if at >= after_tier then
      before := case when at = after_tier then after_id else last_id end;
      if indexed[at] is null then
        among := coalesce(among, array(select c.contact_id from contact_tag c where c.organization_id = app_organization() and c.tag = of_tag));
        found_ids := array(select id from newest_of_contacts_with_terms(tiers[at], earlier, before, remaining + cardinality(seen), among) as id
          where (id = any (seen)) is not true limit remaining);
      else
        found_ids := array(select m.contact_id from (
            select t.contact_id, t.terms from contact_terms t, contact_tag c
            where t.terms @@ indexed[at] and (t.organization_id = app_organization()) is true and (t.contact_id < before) is true
              and c.organization_id = app_organization() and c.tag = of_tag and c.contact_id = t.contact_id offset 0
          ) as m
          where (indexed[at] = tiers[at] or m.terms || '' @@ tiers[at]) and (earlier is null or not m.terms @@ earlier)
            and (m.contact_id = any (seen)) is not true);
      end if;
      return query select id, at from unnest(found_ids) as id order by id desc limit remaining;
      remaining := remaining - cardinality(found_ids);
      exit when remaining <= 0;
      seen := seen || found_ids;
    end if;
    if at < after_tier or (at = after_tier and after_id < last_id) then earlier := coalesce(earlier || tiers[at], tiers[at]); end if;
  end loop;
end $$;

revoke execute on function contacts_in_tiers_with_tag(tsquery[], tsquery[], integer, uuid, integer, text, integer) from public;
grant execute on function contacts_in_tiers_with_tag(tsquery[], tsquery[], integer, uuid, integer, text, integer) to groundwork_app;

-- As before, but most contacts are compared once instead of with each condition. The empty vector keeps the index of terms from being used:
-- the contacts are few.
create or replace function contacts_of_tiers(ids uuid[], tiers tsquery[]) returns table (contact_id uuid, tier integer)
  language plpgsql stable security definer
  set search_path = public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_seqscan = off
as $$
declare
  any_tier tsquery := tiers[1];
begin
  for at in 2 .. cardinality(tiers) loop
    any_tier := any_tier || tiers[at];
  end loop;
  return query select found.contact_id, (
      select min(at)::integer from unnest(tiers) with ordinality as each (condition, at) where found.terms @@ each.condition)
    from (
      select t.contact_id, t.terms from contact_terms t
      where t.organization_id = app_organization() and t.contact_id = any (ids) and t.terms || '' @@ any_tier offset 0
    ) as found;
end $$;
