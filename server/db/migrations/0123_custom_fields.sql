-- Fields that an organization defines for its contacts and companies. Their values are in `custom_fields` of the records, by public id.

create table custom_field (
  organization_id uuid not null references organization (id) on delete cascade,
  id uuid not null,
  entity text not null check (entity in ('contact', 'company')),
  name text not null,
  type text not null check (type in ('text', 'number', 'date', 'boolean', 'select', 'multiselect')),
  -- The choices of a select, each with value and label; null for other types.
  options jsonb,
  archived_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  check ((options is not null) = (type in ('select', 'multiselect')))
);
create unique index custom_field_name on custom_field (organization_id, entity, lower(name)) where archived_at is null;
alter table custom_field enable row level security;
create policy tenant on custom_field
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert, update, delete on custom_field to groundwork_app;
