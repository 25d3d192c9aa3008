-- A contact with words that only sound like those of a search is seldom among the 200 that are ranked, if many others have a typing error or
-- another spelling of them.

-- As before, but contacts that only meet `alike` are compared until 300 are in all: none of them if 300 meet `near`.
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
    exit when cardinality(found_ids) >= max_compared[at];
    select found_ids || array_agg(f.contact_id), found_names || array_agg(f.names), ranks || array_agg(f.rank)
      into found_ids, found_names, ranks from (
        select t.contact_id, t.names, ts_rank(t.terms, alike) as rank from contact_terms t
        where t.organization_id = app_organization() and t.terms @@ coalesce(indexed[at], conditions[at])
          and (indexed[at] = conditions[at] or t.terms || '' @@ conditions[at]) and not t.terms @@ besides
        limit max_compared[at] - cardinality(found_ids)
      ) as f;
    besides := besides || near;
  end loop;
  return query select f.id, f.names from unnest(found_ids, found_names, ranks) as f (id, names, rank)
    order by f.rank desc, f.id desc limit max_rows;
end $$;
