-- A search for an address has words of most contacts, such as "example com". The index reads all contacts with such a word, once for each
-- tier (90 ms for a million). So the searches below use the index for the rarest words, and compare the whole condition with their contacts.

-- Returns how many contacts have a word that begins with each of the words, by the statistics of the table.
create function estimated_contacts_with_words(words text[]) returns double precision[]
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  word text;
  plan json;
  estimates double precision[] := '{}';
begin
  foreach word in array words loop
    execute 'explain (format json) select from contact_terms where terms @@ $1' into plan
      using ('''' || replace(replace(word, '\', '\\'), '''', '''''') || ''':*')::tsquery;
    estimates := estimates || (plan -> 0 -> 'Plan' ->> 'Plan Rows')::double precision;
  end loop;
  return estimates;
end $$;

-- Returns contacts with a condition among the newest 20,000, newest first.
create function recent_contacts_with_terms(condition tsquery, besides tsquery, before uuid, max_rows integer) returns setof uuid
  language plpgsql stable security definer
  set search_path = public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_bitmapscan = off
  set enable_seqscan = off
as $$
begin
  return query select newest.contact_id from (
      select t.contact_id, t.terms from contact_terms t
      where t.organization_id = app_organization() and t.contact_id < before order by t.contact_id desc limit 20000
    ) as newest
    where newest.terms @@ condition and (besides is null or not newest.terms @@ besides) limit max_rows;
end $$;

-- As before; `indexed` has the condition that the index is used for, null if very many contacts have each word. The empty vector keeps
-- the index from being used for the whole condition too.
create function contacts_in_tiers(tiers tsquery[], indexed tsquery[], after_tier integer, after_id uuid, max_rows integer)
  returns table (contact_id uuid, tier integer)
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
  for at in 1 .. cardinality(tiers) loop
    if at >= after_tier then
      before := case when at = after_tier then after_id else 'ffffffff-ffff-ffff-ffff-ffffffffffff' end;
      found_ids := '{}';
      if indexed[at] is null then found_ids := array(select * from recent_contacts_with_terms(tiers[at], earlier, before, remaining)); end if;
      if cardinality(found_ids) < remaining then
        found_ids := array(select t.contact_id from contact_terms t
          where t.terms @@ coalesce(indexed[at], tiers[at]) and (indexed[at] = tiers[at] or t.terms || '' @@ tiers[at])
            and (earlier is null or not t.terms @@ earlier) and t.organization_id = app_organization() and t.contact_id < before
          limit 8001);
      end if;
      if cardinality(found_ids) > 8000 then
        found_ids := array(select * from newest_contacts_with_terms(tiers[at], earlier, before, remaining));
      end if;
      return query select id, at from unnest(found_ids) as id order by id desc limit remaining;
      remaining := remaining - cardinality(found_ids);
      exit when remaining <= 0;
    end if;
    earlier := coalesce(earlier || tiers[at], tiers[at]);
  end loop;
end $$;

-- As before; `indexed` and `indexed_whole` have the conditions that the index is used for, null likewise.
create function contacts_alike(alike tsquery, indexed tsquery, exact tsquery, whole tsquery, indexed_whole tsquery, max_whole integer, max_rows integer)
  returns table (contact_id uuid, names text)
  language plpgsql stable security definer
  set search_path = public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_indexscan = off
  set enable_seqscan = off
as $$
begin
  if indexed_whole is null
    and (select count(*) from recent_contacts_with_terms(whole, null, 'ffffffff-ffff-ffff-ffff-ffffffffffff', max_whole)) >= max_whole then return; end if;
  if (select count(*) from (select from contact_terms t
      where t.organization_id = app_organization() and t.terms @@ coalesce(indexed_whole, whole)
        and (indexed_whole = whole or t.terms || '' @@ whole) limit max_whole) as found) >= max_whole then return; end if;
  return query select c.contact_id, c.names from (
      select t.contact_id, t.names, t.terms from contact_terms t
      where t.organization_id = app_organization() and t.terms @@ coalesce(indexed, alike)
        and (indexed = alike or t.terms || '' @@ alike) and not t.terms @@ exact limit 4000
    ) as c order by ts_rank(c.terms, alike) desc, c.contact_id desc limit max_rows;
end $$;

revoke execute on function estimated_contacts_with_words(text[]), recent_contacts_with_terms(tsquery, tsquery, uuid, integer),
  contacts_in_tiers(tsquery[], tsquery[], integer, uuid, integer),
  contacts_alike(tsquery, tsquery, tsquery, tsquery, tsquery, integer, integer) from public;
grant execute on function estimated_contacts_with_words(text[]), contacts_in_tiers(tsquery[], tsquery[], integer, uuid, integer),
  contacts_alike(tsquery, tsquery, tsquery, tsquery, tsquery, integer, integer) to groundwork_app;
