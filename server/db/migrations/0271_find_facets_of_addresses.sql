-- Returns the condition of contacts_with_facets, and about how many contacts meet it by the statistics of the index, which has
-- the time zone and the lines of the address too.
create or replace function facet_condition(wanted jsonb) returns table (condition text, estimate double precision)
  language plpgsql stable
  set search_path = public, pg_temp
as $$
declare
  organization uuid := app_organization();
  frequent bigint[];
  shares real[];
  alternatives jsonb;
  hashes bigint[];
begin
  condition := format('deleted_at is null and (organization_id = %L) is true', organization);
  estimate := (select reltuples from pg_class where oid = 'contact'::regclass);
  select most_common_elems::text::bigint[], most_common_elem_freqs into frequent, shares
    from pg_stats where schemaname = 'public' and tablename = 'contact_facet_values';
  for alternatives in select * from jsonb_array_elements(wanted) loop
    hashes := array(select contact_facet(organization, each ->> 'field',
        case each ->> 'field' when 'tags' then lower(each ->> 'value') else facet_value(each -> 'value') end)
      from jsonb_array_elements(alternatives) as each);
    -- Values that are not among the frequent ones count as none: the sum of their estimates would be too large for many values.
    estimate := estimate * (select least(coalesce(sum(shares[at]), 0), 1)
      from unnest(frequent) with ordinality as known (hash, at) where hash in (select unnest(hashes)));
    condition := condition || format(
      ' and contact_facets(organization_id, first_name, last_name, job_title, language, source, owner_id, tags, consent, custom_fields, '
        'time_zone, address) && %L::bigint[]',
      hashes);
  end loop;
  return next;
end $$;
