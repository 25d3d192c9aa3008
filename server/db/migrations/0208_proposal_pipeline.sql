-- mode: statements
-- The overview sums drafts, pending proposals and recently accepted ones. Without this index, it reads the rows of all of them.
drop index concurrently if exists proposal_pipeline;
create index concurrently proposal_pipeline on proposal (organization_id, status, completed_at, currency, total_hundredths)
  where status in ('draft', 'pending', 'completed');
