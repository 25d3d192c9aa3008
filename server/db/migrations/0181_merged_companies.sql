-- mode: statements
-- Companies by the ids that were merged into them. An unknown id was compared with those of all companies.
drop index concurrently if exists company_merged_ids;
create index concurrently company_merged_ids on company using gin (merged_ids) where deleted_at is null and merged_ids <> '{}';

-- Returns the company into which a company was merged. Runs as its owner, because row-level security keeps the operator from using the index.
create or replace function survivor_of_company(merged uuid) returns setof uuid
  language sql stable security definer rows 1
  set search_path = public, pg_temp
  set enable_seqscan = off
as $$
  select id from company
  where organization_id = app_organization() and deleted_at is null and merged_ids <> '{}' and merged_ids @> array[merged]
$$;
revoke execute on function survivor_of_company(uuid) from public;
grant execute on function survivor_of_company(uuid) to groundwork_app;
