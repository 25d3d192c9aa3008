-- Imports of contacts from files.

create table contact_import (
  organization_id uuid not null references organization (id) on delete cascade,
  id uuid not null,
  status text not null check (status in ('queued', 'running', 'completed', 'failed', 'cancelled')),
  file_name text not null,
  -- The upload with the file, which is deleted a day after it was received.
  upload_id uuid not null,
  -- The request, and after the file was read the first time its format and columns.
  settings jsonb not null,
  plan jsonb,
  total_rows integer,
  -- Rows whose effects are committed: a job that was interrupted continues behind them.
  done_rows integer not null default 0,
  created_count integer not null default 0,
  updated_count integer not null default 0,
  unchanged_count integer not null default 0,
  failed_count integer not null default 0,
  companies_created integer not null default 0,
  error_code text,
  error text,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (organization_id, id)
);
create index contact_import_newest on contact_import (organization_id, created_at desc, id desc);
alter table contact_import enable row level security;
create policy tenant on contact_import
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert, update, delete on contact_import to groundwork_app;

-- Rows that failed, as they are in the file. They are deleted 30 days after the end of the import.
create table contact_import_error (
  organization_id uuid not null references organization (id) on delete cascade,
  import_id uuid not null,
  row_number integer not null,
  cells text[] not null,
  field text,
  message text not null,
  primary key (organization_id, import_id, row_number),
  foreign key (organization_id, import_id) references contact_import (organization_id, id) on delete cascade
);
alter table contact_import_error enable row level security;
create policy tenant on contact_import_error
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert, update, delete on contact_import_error to groundwork_app;

-- Addresses, numbers and external ids that contacts had before a running import changed them, and that the row does not name: a later
-- row with one of them means the same contact. They are deleted when the import ends.
create table contact_import_former_key (
  organization_id uuid not null references organization (id) on delete cascade,
  import_id uuid not null,
  contact_id uuid not null,
  key text not null,
  primary key (organization_id, import_id, key),
  foreign key (organization_id, import_id) references contact_import (organization_id, id) on delete cascade,
  foreign key (organization_id, contact_id) references contact (organization_id, id) on delete cascade
);
create index contact_import_former_key_contact on contact_import_former_key (organization_id, contact_id);
alter table contact_import_former_key enable row level security;
create policy tenant on contact_import_former_key
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert, update, delete on contact_import_former_key to groundwork_app;
