-- Pages of contacts by facets. Returning the ids of all contacts with a value, and reading these contacts, took 32 ms for 2,000 of them;
-- for more, contacts were read in the order of the list, which took 1.5 s if only the oldest contacts had the value.

-- Returns the condition of contacts_with_facets, and about how many contacts meet it by the statistics of the index.
create function facet_condition(wanted jsonb) returns table (condition text, estimate double precision)
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
    from pg_stats where schemaname = 'public' and tablename = 'contact_facets';
  for alternatives in select * from jsonb_array_elements(wanted) loop
    hashes := array(select contact_facet(organization, each ->> 'field',
        case each ->> 'field' when 'tags' then lower(each ->> 'value') else facet_value(each -> 'value') end)
      from jsonb_array_elements(alternatives) as each);
    -- Values that are not among the frequent ones count as none: the sum of their estimates would be too large for many values.
    estimate := estimate * (select least(coalesce(sum(shares[at]), 0), 1)
      from unnest(frequent) with ordinality as known (hash, at) where hash in (select unnest(hashes)));
    condition := condition || format(
      ' and contact_facets(organization_id, first_name, last_name, job_title, language, source, owner_id, tags, consent, custom_fields) && %L::bigint[]',
      hashes);
  end loop;
  return next;
end $$;

create or replace function contacts_with_facets(wanted jsonb, max_rows integer) returns uuid[]
  language plpgsql stable security definer
  set search_path = public, pg_temp
  set enable_indexscan = off
  set enable_seqscan = off
as $$
declare
  facets record := facet_condition(wanted);
  ids uuid[];
begin
  if facets.estimate > max_rows then return null; end if;
  execute format('select array(select id from contact where %s limit %s)', facets.condition, max_rows + 1) into ids;
  return case when cardinality(ids) <= max_rows then ids end;
end $$;

-- Returns the first `max_rows` of these contacts in an order of the list, after a position, with the value by which the last one is sorted;
-- no row if there are more than `max_contacts`.
create function contacts_with_facets_in_order(
  wanted jsonb, sort text, after_value text, after_id uuid, max_rows integer, max_contacts integer
) returns table (ids uuid[], last_value text)
  language plpgsql stable security definer
  set search_path = public, pg_temp
  set enable_indexscan = off
  set enable_seqscan = off
as $$
declare
  facets record := facet_condition(wanted);
  field text := ltrim(sort, '-');
  direction text := case when sort like '-%' then 'desc' else 'asc' end;
  key text := case field when 'createdAt' then 'created_at' when 'updatedAt' then 'updated_at'
    when 'lastInteractionAt' then 'coalesce(last_interaction_at, ''-infinity'')'
    when 'name' then 'contact_fold(coalesce(last_name, '''') || '' '' || coalesce(first_name, '''')) collate "C"' end;
  contacts integer;
begin
  if facets.estimate > max_contacts then return; end if;
  execute format(
    'with found as materialized (select id, %1$s as key from contact where %2$s limit %3$s),
      page as materialized (
        select id, key, row_number() over () as at from (
          select id, key from found where $1 is null or (key, id) %5$s ($1::%6$s, $2) order by key %4$s, id %4$s limit %7$s
        ) as ordered
      )
    select (select count(*) from found), array(select id from page order by at), (select key::text from page order by at desc limit 1)',
    key, facets.condition, max_contacts + 1, direction, case direction when 'desc' then '<' else '>' end,
    case field when 'name' then 'text' else 'timestamptz' end, max_rows
  ) into contacts, ids, last_value using after_value, after_id;
  if contacts <= max_contacts then return next; end if;
end $$;

revoke execute on function facet_condition(jsonb), contacts_with_facets_in_order(jsonb, text, text, uuid, integer, integer) from public;
grant execute on function contacts_with_facets_in_order(jsonb, text, text, uuid, integer, integer) to groundwork_app;
