-- Jobs that change many contacts.

create table contact_job (
  organization_id uuid not null references organization (id) on delete cascade,
  id uuid not null,
  type text not null,
  status text not null check (status in ('queued', 'running', 'completed', 'failed', 'cancelled')),
  dry_run boolean not null,
  settings jsonb not null,
  total_contacts integer,
  -- Contacts whose changes are committed: a job that was interrupted continues behind the last one.
  done_contacts integer not null default 0,
  last_contact_id uuid,
  counts jsonb not null default '{}',
  -- Also the author of the changes.
  actor_type text not null check (actor_type in ('token', 'user', 'recipient', 'system', 'command_line')),
  actor_id uuid,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (organization_id, id)
);
create index contact_job_newest on contact_job (organization_id, created_at desc, id desc);
alter table contact_job enable row level security;
create policy tenant on contact_job
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert, update, delete on contact_job to groundwork_app;

-- The contacts of a running job, fixed at its start. A foreign key to contact would lock each of them, and write to its row.
create table contact_job_contact (
  organization_id uuid not null references organization (id) on delete cascade,
  job_id uuid not null,
  contact_id uuid not null,
  primary key (organization_id, job_id, contact_id),
  foreign key (organization_id, job_id) references contact_job (organization_id, id) on delete cascade
);
alter table contact_job_contact enable row level security;
create policy tenant on contact_job_contact
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert, update, delete on contact_job_contact to groundwork_app;

-- Values and contacts that a job has kept. They are deleted 30 days after the end of the job.
create table contact_job_kept (
  organization_id uuid not null references organization (id) on delete cascade,
  job_id uuid not null,
  id uuid not null,
  contact_id uuid not null,
  field text,
  reason text not null,
  change_id uuid,
  created_at timestamptz not null,
  primary key (organization_id, job_id, id),
  foreign key (organization_id, job_id) references contact_job (organization_id, id) on delete cascade
);
create index contact_job_kept_newest on contact_job_kept (organization_id, job_id, created_at desc, id desc);
alter table contact_job_kept enable row level security;
create policy tenant on contact_job_kept
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert, update, delete on contact_job_kept to groundwork_app;

-- The job of a change. Origins name for each reverted field the position of the change that gave it this value; 0 if the value is older
-- than the history.
alter table contact_change add job_id uuid, add origins jsonb;
