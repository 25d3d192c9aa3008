alter table source
  add external_id text,
  add sync_schedule text check (sync_schedule in ('hourly', 'daily', 'weekly')),
  -- When the job that syncs it by itself is due; a job of another time is none of its any more.
  add next_sync_at timestamptz,
  -- Whether the attempt was told of by an event: a scheduled sync is not until it finds something new.
  add announced boolean not null default true;
create unique index source_external_id on source (organization_id, base_id, external_id) where external_id is not null;
