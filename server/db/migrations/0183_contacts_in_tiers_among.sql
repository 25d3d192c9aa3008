-- A search with a filter that a moderate number of contacts meet, such as the oldest 20,000 of a million, found the matches of all contacts,
-- a thousand at a time, until a page was full (7 s for a word of all contacts).

-- Returns those of the contacts that meet a condition, newest first.
create function newest_of_contacts_with_terms(condition tsquery, besides tsquery, before uuid, max_rows integer, among uuid[]) returns setof uuid
  language plpgsql stable security definer
  set search_path = public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_indexscan = on
  set enable_bitmapscan = off
  set enable_seqscan = off
  set enable_hashjoin = off
  set enable_mergejoin = off
as $$
begin
  return query select newest.id
    from (select id from unnest(among) as id where id < before order by id desc offset 0) as newest, contact_terms t
    where t.organization_id = app_organization() and t.contact_id = newest.id
      and t.terms @@ condition and (besides is null or not t.terms @@ besides)
    order by newest.id desc limit max_rows;
end $$;

-- As contacts_in_tiers, for some contacts; for all if `among` is null.
create function contacts_in_tiers_among(
  tiers tsquery[], indexed tsquery[], after_tier integer, after_id uuid, max_rows integer, among uuid[]
) returns table (contact_id uuid, tier integer)
  language plpgsql stable security definer
  set search_path = public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_indexscan = off
  set enable_seqscan = off
as $$
declare
  earlier tsquery;
  remaining integer := max_rows;
  before uuid;
  found_ids uuid[];
begin
  if among is null then
    return query select * from contacts_in_tiers(tiers, indexed, after_tier, after_id, max_rows);
    return;
  end if;
  for at in 1 .. cardinality(tiers) loop
    if at >= after_tier then
      before := case when at = after_tier then after_id else 'ffffffff-ffff-ffff-ffff-ffffffffffff' end;
      if indexed[at] is null then
        found_ids := array(select * from newest_of_contacts_with_terms(tiers[at], earlier, before, remaining, among));
      else
        -- `is true` keeps the index of ids from being used.
        found_ids := array(select t.contact_id from contact_terms t
          where t.terms @@ indexed[at] and (indexed[at] = tiers[at] or t.terms || '' @@ tiers[at])
            and (earlier is null or not t.terms @@ earlier) and t.organization_id = app_organization() and t.contact_id < before
            and (t.contact_id = any (among)) is true);
      end if;
      return query select id, at from unnest(found_ids) as id order by id desc limit remaining;
      remaining := remaining - cardinality(found_ids);
      exit when remaining <= 0;
    end if;
    earlier := coalesce(earlier || tiers[at], tiers[at]);
  end loop;
end $$;

revoke execute on function newest_of_contacts_with_terms(tsquery, tsquery, uuid, integer, uuid[]),
  contacts_in_tiers_among(tsquery[], tsquery[], integer, uuid, integer, uuid[]) from public;
grant execute on function contacts_in_tiers_among(tsquery[], tsquery[], integer, uuid, integer, uuid[]) to groundwork_app;
