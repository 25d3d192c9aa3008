-- mode: statements
-- The contacts of a company, newest first, and the contacts of a deleted company.
drop index concurrently if exists contact_company_newest;
create index concurrently contact_company_newest on contact (organization_id, company_id, created_at desc, id desc) where company_id is not null;
drop index concurrently if exists contact_former_company;
create index concurrently contact_former_company on contact (organization_id, former_company_id) where former_company_id is not null;
