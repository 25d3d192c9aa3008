-- mode: statements
-- Reverts look up the changes of a job, and the pending suggestions of an author.
drop index concurrently if exists contact_change_job;
create index concurrently contact_change_job on contact_change (organization_id, job_id) where job_id is not null;
drop index concurrently if exists contact_suggestion_actor;
create index concurrently contact_suggestion_actor on contact_suggestion (organization_id, actor_id, created_at) where status = 'pending';
