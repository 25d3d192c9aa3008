-- Companies by the values that filters of contacts compare: such a filter read all companies, 10 ms for 10,000 of them.

-- Returns the facets of a company (contact_facet): its tags and the lines of its address.
create function company_facets(organization uuid, tags text[], address jsonb) returns bigint[]
  language plpgsql immutable parallel safe
as $$
declare
  facets bigint[] := '{}';
  line text;
  text_value text;
begin
  foreach text_value in array tags loop
    facets := facets || public.contact_facet(organization, 'company.tags', lower(text_value));
  end loop;
  if address is not null then
    for line, text_value in select key, value from jsonb_each_text(address) where value is not null loop
      facets := facets || public.contact_facet(organization, 'company.address.' || line, text_value);
    end loop;
  end if;
  return facets;
end $$;

-- Returns the companies with one of these values, of tags in any case; null if there are more than `max_rows`.
create function companies_with(field text, wanted text[], max_rows integer) returns uuid[]
  language plpgsql stable security definer
  set search_path = public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_seqscan = off
as $$
declare
  organization constant uuid := app_organization();
  facets constant bigint[] := array(select contact_facet(organization, field, case field when 'company.tags' then lower(each) else each end)
    from unnest(wanted) as each);
  ids constant uuid[] := array(select c.id from company c
    where company_facets(c.organization_id, c.tags, c.address) && facets and (c.organization_id = organization) is true limit max_rows + 1);
begin
  return case when cardinality(ids) <= max_rows then ids end;
end $$;

revoke execute on function companies_with(text, text[], integer) from public;
grant execute on function companies_with(text, text[], integer) to groundwork_app;
