-- mode: statements
-- Reverts look up the consents of a job or an import.
drop index concurrently if exists consent_change_reference;
create index concurrently consent_change_reference on consent_change (organization_id, reference) where reference is not null;
