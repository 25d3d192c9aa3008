-- Of the contacts that resemble the words of a search, 4,000 in no order were compared, and many of them only sound alike. Reading them took
-- most of the time of a search. Now those with every word or a typing error of it are read before those that only sound alike.

-- Returns contacts of which each word resembles one of the search, those with most in common first, unless at least `max_whole`
-- contacts have all words. At most 1,000 contacts are compared: first those that meet `near`, then those that meet `alike`. `near_indexed`,
-- `alike_indexed` and `whole_indexed` have the conditions that the index is used for, null if very many contacts have each word.
create function contacts_alike(
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
  max_compared constant integer := 1000;
  found_ids uuid[];
  found_names text[];
  ranks real[];
begin
  if whole_indexed is null
    and (select count(*) from recent_contacts_with_terms(whole, null, 'ffffffff-ffff-ffff-ffff-ffffffffffff', max_whole)) >= max_whole then return; end if;
  if (select count(*) from (select from contact_terms t
      where t.organization_id = app_organization() and t.terms @@ coalesce(whole_indexed, whole)
        and (whole_indexed = whole or t.terms || '' @@ whole) limit max_whole) as found) >= max_whole then return; end if;
  select array_agg(f.contact_id), array_agg(f.names), array_agg(f.rank) into found_ids, found_names, ranks from (
      select t.contact_id, t.names, ts_rank(t.terms, alike) as rank from contact_terms t
      where t.organization_id = app_organization() and t.terms @@ coalesce(near_indexed, near)
        and (near_indexed = near or t.terms || '' @@ near) and not t.terms @@ exact limit max_compared
    ) as f;
  if coalesce(cardinality(found_ids), 0) < max_compared then
    select found_ids || array_agg(f.contact_id), found_names || array_agg(f.names), ranks || array_agg(f.rank)
      into found_ids, found_names, ranks from (
        select t.contact_id, t.names, ts_rank(t.terms, alike) as rank from contact_terms t
        where t.organization_id = app_organization() and t.terms @@ coalesce(alike_indexed, alike)
          and (alike_indexed = alike or t.terms || '' @@ alike) and not t.terms @@ near and not t.terms @@ exact
        limit max_compared - coalesce(cardinality(found_ids), 0)
      ) as f;
  end if;
  return query select f.id, f.names from unnest(found_ids, found_names, ranks) as f (id, names, rank)
    order by f.rank desc, f.id desc limit max_rows;
end $$;

revoke execute on function contacts_alike(tsquery, tsquery, tsquery, tsquery, tsquery, tsquery, tsquery, integer, integer) from public;
grant execute on function contacts_alike(tsquery, tsquery, tsquery, tsquery, tsquery, tsquery, tsquery, integer, integer) to groundwork_app;
