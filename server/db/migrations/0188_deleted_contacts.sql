-- mode: statements
drop index concurrently if exists contact_deleted;
create index concurrently contact_deleted on contact (organization_id, deleted_at desc, id desc) where deleted_at is not null;
