-- The changes of searched generations that a search engine (SEARCH_URL) has yet to follow.

-- The search engine that follows the changes; without a row, no change is noted.
create table installation.search_engine (
  target text not null
);

-- A generation whose searchability has changed. The row names no state: the program reads whether the generation is searched now,
-- so rows can be worked on in any order and repeatedly. The row outlives its knowledge base and its organization.
create table search_outbox (
  organization_id uuid not null,
  generation bigint not null,
  base_id uuid not null,
  -- Another number after each change: the row is deleted only if it has not changed while a program worked on it.
  change bigint not null,
  -- Until then, one program works on the generation.
  leased_until timestamptz,
  primary key (organization_id, base_id, generation)
);
create sequence search_outbox_change;
alter table search_outbox enable row level security;
create policy tenant on search_outbox
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, update, delete on search_outbox to groundwork_app;

-- As the owner of the tables: requests do not write to the outbox.
create function note_searched_generations(organization uuid, base uuid, generations bigint[]) returns void
  language sql
  security definer
  set search_path = public, pg_temp
as $$
  insert into search_outbox (organization_id, generation, base_id, change)
  select organization, each, base, nextval('search_outbox_change')
  from (select distinct each from unnest(generations) as each where each is not null) as noted
  where exists (select from installation.search_engine)
  on conflict (organization_id, base_id, generation) do update set change = excluded.change
$$;
revoke execute on function note_searched_generations(uuid, uuid, bigint[]) from public;

create function note_searched_source() returns trigger
  language plpgsql
  security definer
  set search_path = public, pg_temp
as $$
begin
  -- Parts of the source are searched while it is enabled.
  perform note_searched_generations(coalesce(new.organization_id, old.organization_id), coalesce(new.base_id, old.base_id),
    array[old.live_generation, new.live_generation] || case when tg_op = 'UPDATE' and old.enabled <> new.enabled
      then array(select generation from source_part where organization_id = new.organization_id and source_id = new.id) end);
  return null;
end $$;
create trigger note_searched_source after insert or delete on source for each row execute function note_searched_source();
create trigger note_changed_source after update of live_generation, enabled, embedding_model on source for each row
  when (old.live_generation is distinct from new.live_generation or old.enabled <> new.enabled
    or old.embedding_model is distinct from new.embedding_model)
  execute function note_searched_source();

create function note_searched_part() returns trigger
  language plpgsql
  security definer
  set search_path = public, pg_temp
as $$
begin
  perform note_searched_generations(coalesce(new.organization_id, old.organization_id), coalesce(new.base_id, old.base_id),
    array[old.generation, new.generation]);
  return null;
end $$;
create trigger note_searched_part after insert or update of searched or delete on source_part for each row
  execute function note_searched_part();

-- Returns the organizations with noted changes.
create function organizations_with_search_changes() returns setof uuid
  language sql
  stable
  security definer
  set search_path = public, pg_temp
as $$
  select distinct organization_id from search_outbox where leased_until is null or leased_until < clock_timestamp()
$$;
revoke execute on function organizations_with_search_changes(), note_searched_source(), note_searched_part() from public;
grant execute on function organizations_with_search_changes() to groundwork_app;
