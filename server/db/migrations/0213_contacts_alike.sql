-- A search compared up to 4,000 contacts with words like its own, in no order; many only sounded alike. Reading them took most of its time.
-- Now it compares 1,000, and reads those with every word, or with a typing error or another spelling of it, first.

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
  conditions constant tsquery[] := array[near, alike];
  indexed constant tsquery[] := array[near_indexed, alike_indexed];
  found_ids uuid[] := '{}';
  found_names text[] := '{}';
  ranks real[] := '{}';
  besides tsquery := exact;
begin
  if whole_indexed is null
    and (select count(*) from recent_contacts_with_terms(whole, null, 'ffffffff-ffff-ffff-ffff-ffffffffffff', max_whole)) >= max_whole then return; end if;
  if (select count(*) from (select from contact_terms t
      where t.organization_id = app_organization() and t.terms @@ coalesce(whole_indexed, whole)
        and (whole_indexed = whole or t.terms || '' @@ whole) limit max_whole) as found) >= max_whole then return; end if;
  for at in 1 .. 2 loop
    select found_ids || array_agg(f.contact_id), found_names || array_agg(f.names), ranks || array_agg(f.rank)
      into found_ids, found_names, ranks from (
        select t.contact_id, t.names, ts_rank(t.terms, alike) as rank from contact_terms t
        where t.organization_id = app_organization() and t.terms @@ coalesce(indexed[at], conditions[at])
          and (indexed[at] = conditions[at] or t.terms || '' @@ conditions[at]) and not t.terms @@ besides
        limit max_compared - cardinality(found_ids)
      ) as f;
    besides := besides || near;
  end loop;
  return query select f.id, f.names from unnest(found_ids, found_names, ranks) as f (id, names, rank)
    order by f.rank desc, f.id desc limit max_rows;
end $$;

revoke execute on function contacts_alike(tsquery, tsquery, tsquery, tsquery, tsquery, tsquery, tsquery, integer, integer) from public;
grant execute on function contacts_alike(tsquery, tsquery, tsquery, tsquery, tsquery, tsquery, tsquery, integer, integer) to groundwork_app;
