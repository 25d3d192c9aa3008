-- Names of users whom the audit log of the current organization knows, or who made an API token of it, also of those who
-- have left: what they made goes on, and the log forgets.
create or replace function actor_names(ids uuid[]) returns table (id uuid, name text)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
as $$
  select u.id, u.name from identity."user" u
  where u.id = any (ids) and (
    exists (
      select from public.audit_entry e where e.organization_id = public.app_organization() and e.actor_id = u.id and e.actor_type = 'user'
    )
    or exists (select from public.api_token t where t.organization_id = public.app_organization() and t.created_by_user = u.id)
  );
$$;
