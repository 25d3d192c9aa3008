-- The import of an organization by the operator takes many transactions. The first one adds the organization with the id of the
-- import and with deletion_started_at, so that nobody can reach it; the last one clears both. An import that finds another id, or
-- no organization, has been replaced by another one and ends.
alter table organization add column import_id uuid;
