-- The contacts that a bulk change has deleted or restored, and when, so that a revert can undo it.
alter table contact_job_contact add effect text, add effect_at timestamptz;
