-- mode: statements
-- The overview lists and counts pending proposals that expire soon, wait long, or lack the counter-signature. Without this index, it
-- reads the rows of all of them.
drop index concurrently if exists proposal_pending;
create index concurrently proposal_pending on proposal (organization_id, sent_at, id) include (expires_at, counter_signature)
  where status = 'pending';
