-- mode: statements
drop index concurrently if exists company_deleted;
create index concurrently company_deleted on company (organization_id, deleted_at desc, id desc) where deleted_at is not null;
