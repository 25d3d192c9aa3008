-- mode: statements
drop index concurrently if exists contact_updated;
create index concurrently contact_updated on contact (organization_id, updated_at, id) where deleted_at is null;
drop index concurrently if exists contact_last_interaction;
create index concurrently contact_last_interaction on contact (organization_id, coalesce(last_interaction_at, '-infinity'), id) where deleted_at is null;
drop index concurrently if exists contact_name;
create index concurrently contact_name on contact (organization_id, contact_fold(coalesce(last_name, '') || ' ' || coalesce(first_name, '')) collate "C", id) where deleted_at is null;
