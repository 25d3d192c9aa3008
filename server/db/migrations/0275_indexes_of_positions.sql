-- mode: statements
-- Row-level security compares no `coalesce` in an index, but `case`: each page of these orders read all rows before it (360 ms for the last of a
-- million contacts by their last interaction).
drop index concurrently if exists contact_interaction_order;
create index concurrently contact_interaction_order on contact
  (organization_id, (case when last_interaction_at is not null then last_interaction_at else timestamptz '-infinity' end), id)
  where deleted_at is null;
drop index concurrently if exists contact_last_interaction;
drop index concurrently if exists proposal_sent_order;
create index concurrently proposal_sent_order on proposal
  (organization_id, (case when sent_at is not null then sent_at else timestamptz 'infinity' end), id);
drop index concurrently if exists proposal_sent;
drop index concurrently if exists proposal_expiry_order;
create index concurrently proposal_expiry_order on proposal
  (organization_id, (case when expires_at is not null then expires_at else timestamptz 'infinity' end), id);
drop index concurrently if exists proposal_expires;
drop index concurrently if exists activity_due_order;
create index concurrently activity_due_order on activity
  (organization_id, (case when due_at is not null then due_at else timestamptz '9999-12-31 23:59:59.999+00' end), id)
  where type = 'task' and done_at is null;
drop index concurrently if exists activity_open_tasks;
