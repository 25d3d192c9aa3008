-- Generations without an index_generation whose rows are still to be deleted. The rows of many chunks are deleted in steps, by a
-- job: deleting 4,000 chunks takes the embedded engine 350 ms on a busy machine, and no other statement runs meanwhile.
create table index_removal (
  organization_id uuid not null,
  generation bigint not null,
  base_id uuid not null,
  primary key (organization_id, generation)
);
alter table index_removal enable row level security;
create policy tenant on index_removal
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
create policy base_limit on index_removal as restrictive
  using (coalesce(base_id = any ((select app_base_ids())::uuid[]), true));
grant select, insert, update, delete on index_removal to groundwork_app;

-- Deletes the rows of removed generations in the same transaction if they have few chunks, or notes them in index_removal.
create or replace function remove_generations() returns trigger language plpgsql as $$
begin
  if (select sum(chunks) from gone) > 500 then
    insert into index_removal (organization_id, generation, base_id)
      select distinct organization_id, generation, base_id from gone on conflict do nothing;
    return null;
  end if;
  delete from posting using gone where posting.generation = gone.generation and posting.organization_id = gone.organization_id;
  delete from chunk_embedding using gone
    where chunk_embedding.organization_id = gone.organization_id and chunk_embedding.base_id = gone.base_id
      and chunk_embedding.generation = gone.generation;
  delete from chunk using gone where chunk.organization_id = gone.organization_id and chunk.generation = gone.generation;
  return null;
end $$;
