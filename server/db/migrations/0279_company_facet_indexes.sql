-- mode: statements
drop index concurrently if exists company_facet_values;
create index concurrently company_facet_values on company using gin (company_facets(organization_id, tags, address))
  with (gin_pending_list_limit = 256);
drop index concurrently if exists company_name;
create index concurrently company_name on company (organization_id, name) where deleted_at is null;
drop index concurrently if exists company_vat;
create index concurrently company_vat on company (organization_id, vat_id) where vat_id is not null;
drop index concurrently if exists company_phone;
create index concurrently company_phone on company (organization_id, phone) where phone is not null;
