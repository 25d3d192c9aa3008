-- mode: statements
-- Not partial, because the statistics of a partial index are not used. A short list of pending entries: searches read it from beginning to end.
drop index concurrently if exists contact_facets;
create index concurrently contact_facets on contact using gin (
  contact_facets(organization_id, first_name, last_name, job_title, language, source, owner_id, tags, consent, custom_fields)
) with (gin_pending_list_limit = 256);
drop index concurrently if exists contact_interaction;
create index concurrently contact_interaction on contact (organization_id, last_interaction_at) where last_interaction_at is not null;
drop index concurrently if exists activity_type;
create index concurrently activity_type on activity (organization_id, type, occurred_at);
drop index concurrently if exists activity_occurred;
create index concurrently activity_occurred on activity (organization_id, occurred_at);
