-- mode: statements
-- Few contacts have entries besides the main ones, so the indexes are small.
drop index concurrently if exists contact_emails;
create index concurrently contact_emails on contact using gin (emails jsonb_path_ops) where deleted_at is null and emails is not null;
drop index concurrently if exists contact_phones;
create index concurrently contact_phones on contact using gin (phones jsonb_path_ops) where deleted_at is null and phones is not null;
drop index concurrently if exists contact_owner;
create index concurrently contact_owner on contact (organization_id, owner_id) where owner_id is not null;
