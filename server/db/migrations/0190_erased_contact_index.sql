-- mode: statements
alter table certificate validate constraint certificate_erased;
drop index concurrently if exists contact_erased;
create index concurrently contact_erased on contact (organization_id, id) where erased_at is not null;
