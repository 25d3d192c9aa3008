-- mode: statements
-- Contacts by the expiry of their proposals, in the order of their creation. An index of the column alone would also be used for pending
-- proposals, which have a smaller one (proposal_pending). Row-level security compares no `coalesce` in an index, but `case`.
drop index concurrently if exists proposal_expiry_contact;
create index concurrently proposal_expiry_contact on proposal
  (organization_id, (case when expires_at is not null then expires_at end), contact_created_at, contact_id)
  include (expires_at) where expires_at is not null;
-- The statistics of the expression.
analyze proposal;
