-- Quotas of organizations, and the counters that they are compared with.

-- The quotas of organizations without their own; null for no limit. The program that starts last sets them from its settings.
create table installation.default_quota (
  only_row boolean primary key default true check (only_row),
  storage_bytes bigint,
  chunks bigint,
  sources bigint
);
insert into installation.default_quota default values;

create table organization_use (
  organization_id uuid primary key references organization (id) on delete cascade,
  -- Bytes of uploads, from their start on, and of the originals that sources were fetched from.
  storage_bytes bigint not null default 0,
  -- Searchable chunks.
  chunks bigint not null default 0,
  sources bigint not null default 0,
  -- The organization's own quotas: null for the default, -1 for no limit.
  storage_quota bigint check (storage_quota >= -1),
  chunk_quota bigint check (chunk_quota >= -1),
  source_quota bigint check (source_quota >= -1)
);
alter table organization_use enable row level security;
create policy tenant on organization_use
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select on organization_use to groundwork_app;

-- Changes of the current transaction. A deferred trigger adds them to the counters at its end and deletes them, so no other
-- transaction ever sees a row, and the row of the counters is locked only while the transaction commits.
create table organization_use_change (
  organization_id uuid not null,
  storage_bytes bigint not null,
  chunks bigint not null,
  sources bigint not null
);
create index organization_use_change_organization on organization_use_change (organization_id);
alter table organization_use_change enable row level security;
create policy tenant on organization_use_change
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));

-- Returns a quota in effect; null for no limit.
create function quota_in_effect(own bigint, default_quota bigint) returns bigint
  language sql immutable parallel safe
  return nullif(coalesce(own, default_quota), -1);

-- Raises GQ001 if a counter that grew exceeds its quota. A smaller quota than the use only prevents growth.
create function refuse_beyond_quota(kind text, growth bigint, used bigint, quota bigint) returns void
  language plpgsql immutable
as $$
begin
  if growth > 0 and used > quota then
    raise exception 'the quota of the organization is exceeded' using errcode = 'GQ001',
      detail = json_build_object('kind', kind, 'needed', used, 'quota', quota)::text;
  end if;
end $$;

-- The functions below run as their owner: requests may read the counters and must not write them.
create function apply_use_change() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  change record;
  used organization_use;
  defaults installation.default_quota;
begin
  -- The first call of a transaction adds all its changes; the others find none.
  with own as (delete from organization_use_change where organization_id = new.organization_id returning *)
    select sum(storage_bytes)::bigint as storage_bytes, sum(chunks)::bigint as chunks, sum(sources)::bigint as sources into change from own;
  if change.storage_bytes is null then return null; end if;
  update organization_use as u set storage_bytes = u.storage_bytes + change.storage_bytes,
    chunks = u.chunks + change.chunks, sources = u.sources + change.sources
    where u.organization_id = new.organization_id returning * into used;
  -- A deletion adds no row, because the organization may be being deleted.
  if not found and (change.storage_bytes > 0 or change.chunks > 0 or change.sources > 0) then
    insert into organization_use as u (organization_id, storage_bytes, chunks, sources)
      values (new.organization_id, change.storage_bytes, change.chunks, change.sources)
      on conflict (organization_id) do update set storage_bytes = u.storage_bytes + excluded.storage_bytes,
        chunks = u.chunks + excluded.chunks, sources = u.sources + excluded.sources
      returning * into used;
  end if;
  select * into defaults from installation.default_quota;
  perform refuse_beyond_quota('storage', change.storage_bytes, used.storage_bytes, quota_in_effect(used.storage_quota, defaults.storage_bytes));
  perform refuse_beyond_quota('chunks', change.chunks, used.chunks, quota_in_effect(used.chunk_quota, defaults.chunks));
  perform refuse_beyond_quota('sources', change.sources, used.sources, quota_in_effect(used.source_quota, defaults.sources));
  return null;
end $$;
create constraint trigger apply_use_change after insert on organization_use_change
  deferrable initially deferred for each row execute function apply_use_change();

-- The bytes of a source that no upload accounts for.
create function fetched_bytes(upload_id uuid, bytes bigint) returns bigint
  language sql immutable parallel safe
  return case when upload_id is null then coalesce(bytes, 0) else 0 end;

create function count_uploads() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into organization_use_change (organization_id, storage_bytes, chunks, sources)
    select organization_id, case tg_op when 'DELETE' then -1 else 1 end * sum(size_bytes), 0, 0 from changed group by organization_id;
  return null;
end $$;
create trigger count_new_uploads after insert on upload
  referencing new table as changed for each statement execute function count_uploads();
create trigger count_deleted_uploads after delete on upload
  referencing old table as changed for each statement execute function count_uploads();

create function count_sources() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  sign integer := case tg_op when 'DELETE' then -1 else 1 end;
begin
  insert into organization_use_change (organization_id, storage_bytes, chunks, sources)
    select organization_id, sign * sum(fetched_bytes(upload_id, bytes)), sign * sum(chunks_count), sign * count(*)
    from changed group by organization_id;
  return null;
end $$;
create trigger count_new_sources after insert on source
  referencing new table as changed for each statement execute function count_sources();
create trigger count_deleted_sources after delete on source
  referencing old table as changed for each statement execute function count_sources();

-- For each row, because only such a trigger can be limited to some columns, and most updates change others.
create function count_changed_source() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  insert into organization_use_change (organization_id, storage_bytes, chunks, sources)
    values (new.organization_id, fetched_bytes(new.upload_id, new.bytes) - fetched_bytes(old.upload_id, old.bytes),
      new.chunks_count - old.chunks_count, 0);
  return null;
end $$;
create trigger count_changed_source after update of chunks_count, bytes, upload_id on source for each row
  when (
    old.chunks_count <> new.chunks_count
    or fetched_bytes(old.upload_id, old.bytes) <> fetched_bytes(new.upload_id, new.bytes)
  )
  execute function count_changed_source();

-- Returns the use of the current organization with the quotas in effect.
create function own_use() returns table (
  storage_bytes bigint, chunks bigint, sources bigint, storage_quota bigint, chunk_quota bigint, source_quota bigint
)
  language sql stable security definer
  set search_path = public, pg_temp
as $$
  select coalesce(u.storage_bytes, 0), coalesce(u.chunks, 0), coalesce(u.sources, 0),
    quota_in_effect(u.storage_quota, d.storage_bytes), quota_in_effect(u.chunk_quota, d.chunks), quota_in_effect(u.source_quota, d.sources)
  from installation.default_quota d left join organization_use u on u.organization_id = app_organization();
$$;
revoke execute on function apply_use_change(), count_uploads(), count_sources(), count_changed_source(), own_use() from public;
grant execute on function own_use() to groundwork_app;

-- Counts the use of an organization again. Transactions that change it wait for the lock when they commit, so the result is exact:
-- it includes all that have committed, and the others add their changes to it.
create function recount_use(of_organization uuid) returns void
  language plpgsql
  set search_path = public, pg_temp
as $$
begin
  insert into organization_use (organization_id) values (of_organization) on conflict do nothing;
  perform from organization_use where organization_id = of_organization for update;
  update organization_use u set
    storage_bytes = (select coalesce(sum(size_bytes), 0) from upload where organization_id = of_organization)
      + (select coalesce(sum(fetched_bytes(upload_id, bytes)), 0) from source where organization_id = of_organization),
    chunks = (select coalesce(sum(chunks_count), 0) from source where organization_id = of_organization),
    sources = (select count(*) from source where organization_id = of_organization)
  where u.organization_id = of_organization;
end $$;
revoke execute on function recount_use(uuid) from public;
