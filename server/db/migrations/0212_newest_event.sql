-- Returns the newest event of an organization of the presented user; null without one. The session of the user has no organization
-- yet, so the policy of `event` would hide it.
create function newest_event(organization uuid) returns uuid
  language sql stable security definer
  set search_path = public, pg_temp
as $$
  select id from event
  where organization_id = newest_event.organization
    and exists (select from membership m where m.organization_id = newest_event.organization and m.user_id = (select app_user()))
  order by position desc
  limit 1;
$$;
revoke execute on function newest_event(uuid) from public;
grant execute on function newest_event(uuid) to groundwork_app;
