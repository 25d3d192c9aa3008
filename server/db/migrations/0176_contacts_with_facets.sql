-- Returns the contacts of the organization that have, for each element of `wanted`, one of its values; null if there are more than
-- `max_rows`, or more by the statistics of the index: then it takes less time to read contacts in the order of a list until a page is
-- full. An element is an array of objects with `field` and `value`; without `value`, any will do. Contacts whose hashes are the same can
-- be among them. Runs as its owner, because row-level security keeps the operator from using an index; the organization is part of the
-- hashes, and compared too.
create function contacts_with_facets(wanted jsonb, max_rows integer) returns uuid[]
  language plpgsql stable security definer
  set search_path = public, pg_temp
  set enable_indexscan = off
  set enable_seqscan = off
as $$
declare
  organization uuid := app_organization();
  statement text := format('select id from contact where deleted_at is null and (organization_id = %L) is true', organization);
  estimate double precision := (select reltuples from pg_class where oid = 'contact'::regclass);
  frequent bigint[];
  shares real[];
  alternatives jsonb;
  hashes bigint[];
  ids uuid[];
begin
  select most_common_elems::text::bigint[], most_common_elem_freqs into frequent, shares
    from pg_stats where schemaname = 'public' and tablename = 'contact_facets';
  for alternatives in select * from jsonb_array_elements(wanted) loop
    hashes := array(select contact_facet(organization, each ->> 'field',
        case each ->> 'field' when 'tags' then lower(each ->> 'value') else facet_value(each -> 'value') end)
      from jsonb_array_elements(alternatives) as each);
    -- Values that are not among the frequent ones count as none: the sum of their estimates would be too large for many values.
    estimate := estimate * (select least(coalesce(sum(shares[at]), 0), 1)
      from unnest(frequent) with ordinality as known (hash, at) where hash in (select unnest(hashes)));
    statement := statement || format(
      ' and contact_facets(organization_id, first_name, last_name, job_title, language, source, owner_id, tags, consent, custom_fields) && %L::bigint[]',
      hashes);
  end loop;
  if estimate > max_rows then return null; end if;
  execute format('select array(%s limit %s)', statement, max_rows + 1) into ids;
  return case when cardinality(ids) <= max_rows then ids end;
end $$;
revoke execute on function contacts_with_facets(jsonb, integer) from public;
grant execute on function contacts_with_facets(jsonb, integer) to groundwork_app;
