-- Row-level security compares no result of a function in an index: each page by name read all contacts before it, 7 s for the last of a million.

-- Returns the first contacts after a position in the order by name, and the name by which the last one is sorted.
create function contacts_by_name(is_descending boolean, after_name text, after_id uuid, max_rows integer) returns table (ids uuid[], last_value text)
  language plpgsql stable security definer
  set search_path = public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_seqscan = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  organization constant uuid := app_organization();
begin
  if is_descending then
    ids := array(select id from contact
      where organization_id = organization and deleted_at is null
        and (contact_fold(coalesce(last_name, '') || ' ' || coalesce(first_name, '')) collate "C", id) < (after_name, after_id)
      order by contact_fold(coalesce(last_name, '') || ' ' || coalesce(first_name, '')) collate "C" desc, id desc limit max_rows);
  else
    ids := array(select id from contact
      where organization_id = organization and deleted_at is null
        and (contact_fold(coalesce(last_name, '') || ' ' || coalesce(first_name, '')) collate "C", id) > (after_name, after_id)
      order by contact_fold(coalesce(last_name, '') || ' ' || coalesce(first_name, '')) collate "C", id limit max_rows);
  end if;
  last_value := (select contact_fold(coalesce(last_name, '') || ' ' || coalesce(first_name, '')) from contact
    where organization_id = organization and id = ids[cardinality(ids)]);
  return next;
end $$;

revoke execute on function contacts_by_name(boolean, text, uuid, integer) from public;
grant execute on function contacts_by_name(boolean, text, uuid, integer) to groundwork_app;
