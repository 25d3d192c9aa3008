-- Companies, and the company and custom fields of contacts.

create table company (
  organization_id uuid not null references organization (id) on delete cascade,
  id uuid not null,
  external_id text,
  name text not null,
  -- In the order in which they were given, lower case, in ASCII form.
  domains text[] not null default '{}',
  phone text,
  address jsonb,
  vat_id text,
  tags text[] not null default '{}',
  custom_fields jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  search_text text not null generated always as (' ' || contact_words(name) || ' ') stored,
  primary key (organization_id, id)
);
create index company_newest on company (organization_id, created_at desc, id desc) where deleted_at is null;
create unique index company_external_id on company (organization_id, external_id) where deleted_at is null;
alter table company enable row level security;
create policy tenant on company
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert, update, delete on company to groundwork_app;

-- The domains of companies that are not deleted: the key makes them unique in the organization.
create table company_domain (
  organization_id uuid not null references organization (id) on delete cascade,
  domain text not null,
  company_id uuid not null,
  primary key (organization_id, domain),
  foreign key (organization_id, company_id) references company (organization_id, id) on delete cascade
);
create index company_domain_company on company_domain (organization_id, company_id);
alter table company_domain enable row level security;
create policy tenant on company_domain
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert, update, delete on company_domain to groundwork_app;

alter table contact add column company_id uuid;
-- The company that was deleted, so that its restoration links the contact again.
alter table contact add column former_company_id uuid;
alter table contact add column custom_fields jsonb not null default '{}';
alter table contact add constraint contact_company foreign key (organization_id, company_id)
  references company (organization_id, id) on delete set null (company_id) not valid;
