-- Returns those of the contacts that a search finds, each with the first of its conditions that it meets. A search with another condition
-- that few contacts meet compares these alone. Runs as its owner, as the other searches do.
create function contacts_of_tiers(ids uuid[], tiers tsquery[]) returns table (contact_id uuid, tier integer)
  language sql stable security definer
  set search_path = public, pg_temp
as $$
  select t.contact_id, first.tier
  from contact_terms t, lateral (
    select min(at)::integer as tier from unnest(tiers) with ordinality as each (condition, at) where t.terms @@ each.condition
  ) as first
  where t.organization_id = app_organization() and t.contact_id = any (ids) and first.tier is not null
$$;
revoke execute on function contacts_of_tiers(uuid[], tsquery[]) from public;
grant execute on function contacts_of_tiers(uuid[], tsquery[]) to groundwork_app;
