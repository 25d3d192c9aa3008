-- Returns the organization's contacts with one of the values in the field, each with the value that it has. Runs as its owner, because
-- row-level security keeps the operator of jsonb from using an index; so it compares the organization itself.
create function contacts_matching(field text, wanted text[]) returns table (matched text, contact_id uuid)
  language plpgsql stable security definer
  set search_path = public, pg_temp
as $$
declare
  organization uuid := app_organization();
begin
  if field = 'externalId' then
    return query select value, id from unnest(wanted) as value join contact on external_id = value
      where organization_id = organization and deleted_at is null;
  elsif field = 'email' then
    return query select value, id from unnest(wanted) as value join contact on email = value
      where organization_id = organization and deleted_at is null
      union select value, id from unnest(wanted) as value join contact on emails @> jsonb_build_array(jsonb_build_object('value', value))
      where organization_id = organization and deleted_at is null and emails is not null;
  else
    return query select value, id from unnest(wanted) as value join contact on phone = value
      where organization_id = organization and deleted_at is null
      union select value, id from unnest(wanted) as value join contact on phones @> jsonb_build_array(jsonb_build_object('value', value))
      where organization_id = organization and deleted_at is null and phones is not null;
  end if;
end $$;
revoke execute on function contacts_matching(text, text[]) from public;
grant execute on function contacts_matching(text, text[]) to groundwork_app;
