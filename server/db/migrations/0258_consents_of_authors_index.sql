-- mode: statements
-- Reverts look up the consents that a token or a user has recorded.
drop index concurrently if exists consent_change_author;
create index concurrently consent_change_author on consent_change (organization_id, actor_id, created_at) where actor_id is not null;
