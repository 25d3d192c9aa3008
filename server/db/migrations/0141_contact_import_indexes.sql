-- mode: statements
-- Imports look up companies by the words of their name, and contacts without an address, number or externalId by their full name.
drop index concurrently if exists company_words;
create index concurrently company_words on company (organization_id, search_text) where deleted_at is null;
drop index concurrently if exists contact_only_named;
create index concurrently contact_only_named on contact (organization_id, lower(first_name), lower(last_name))
  where deleted_at is null and email is null and phone is null and external_id is null;
