-- The facets of a contact, with its time zone and the lines of its address. Filters for these read all contacts, if only old ones matched.
create function contact_facets(
  organization uuid, first_name text, last_name text, job_title text, language text, source text, owner uuid, tags text[], consent jsonb,
  fields jsonb, time_zone text, address jsonb
) returns bigint[]
  language plpgsql immutable parallel safe
as $$
declare
  facets bigint[] := public.contact_facets(organization, first_name, last_name, job_title, language, source, owner, tags, consent, fields);
  line text;
  text_value text;
begin
  if time_zone is not null then
    facets := facets || public.contact_facet(organization, 'timeZone', null) || public.contact_facet(organization, 'timeZone', time_zone);
  end if;
  if address is not null then
    for line, text_value in select key, value from jsonb_each_text(address) where value is not null loop
      facets := facets || public.contact_facet(organization, 'address.' || line, null)
        || public.contact_facet(organization, 'address.' || line, text_value);
    end loop;
  end if;
  return facets;
end $$;
