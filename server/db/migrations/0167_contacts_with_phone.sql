-- As before, with one statement for each number: joined with several, all contacts were read (1.6 s for a million).
create or replace function contacts_with_phone(numbers text[]) returns setof uuid
  language plpgsql stable security definer rows 3
  set search_path = public, pg_temp
  set plan_cache_mode = force_custom_plan
as $$
declare
  number text;
begin
  foreach number in array numbers loop
    return query select id from contact where organization_id = app_organization() and deleted_at is null and phone = number;
    return query select id from contact
      where organization_id = app_organization() and deleted_at is null and phones @> jsonb_build_array(jsonb_build_object('value', number));
  end loop;
end $$;
