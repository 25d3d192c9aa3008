-- Copies of index files in the object storage (STORAGE_URL), from which a machine with an empty INDEX_DIR starts.

create table index_copy (
  -- The row outlives its knowledge base and its organization until its file is deleted.
  organization_id uuid not null,
  base_id uuid not null,
  -- Hash of the name of the embedding model.
  model text not null,
  storage_key text not null,
  -- Hash of the version of the file, and of the competences of the model.
  format text not null,
  chunks integer not null,
  bytes bigint not null,
  -- The copy is deleted when one of them is removed.
  generations bigint[] not null,
  started_at timestamptz not null,
  -- Null while a program writes the file.
  stored_at timestamptz,
  primary key (organization_id, storage_key)
);
create index index_copy_base on index_copy (organization_id, base_id, model);
alter table index_copy enable row level security;
create policy tenant on index_copy
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert, update, delete on index_copy to groundwork_app;

-- Returns the copies with removed generations, those that a newer one replaces, and those whose writing did not end.
create function outdated_index_copies(started_before timestamptz)
  returns table (organization_id uuid, storage_key text)
  language sql
  stable
  security definer
  set search_path = public, pg_temp
as $$
  select organization_id, storage_key from index_copy c
  where (stored_at is null and started_at < started_before) or exists (
    select from index_copy n
    where n.organization_id = c.organization_id and n.base_id = c.base_id and n.model = c.model and n.stored_at > c.stored_at
  ) or exists (
    select from unnest(c.generations) as g (generation)
    where not exists (select from index_generation i where i.organization_id = c.organization_id and i.generation = g.generation))
$$;
revoke execute on function outdated_index_copies(timestamptz) from public;
grant execute on function outdated_index_copies(timestamptz) to groundwork_app;
