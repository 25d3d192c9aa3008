-- The days for which events and audit entries are kept are settings of the program. The defaults are those of programs that pass
-- none.

drop function forget_old_events();
create function forget_old_events(days integer default 90) returns void
  language sql security definer
  set search_path = public, pg_temp
as $$
  delete from event where organization_id = app_organization() and created_at < now() - make_interval(days => days);
$$;
revoke execute on function forget_old_events(integer) from public;
grant execute on function forget_old_events(integer) to groundwork_app;

drop function forget_old_audit_entries();
create function forget_old_audit_entries(days integer default 400) returns void
  language sql security definer
  set search_path = public, pg_temp
as $$
  delete from audit_entry where organization_id = app_organization() and created_at < now() - make_interval(days => days);
$$;
revoke execute on function forget_old_audit_entries(integer) from public;
grant execute on function forget_old_audit_entries(integer) to groundwork_app;
