-- mode: statements
-- As contact_facets, which it replaces: not partial, because the statistics of a partial index are not used, and with a short list of
-- pending entries.
drop index concurrently if exists contact_facet_values;
create index concurrently contact_facet_values on contact using gin (
  contact_facets(organization_id, first_name, last_name, job_title, language, source, owner_id, tags, consent, custom_fields, time_zone, address)
) with (gin_pending_list_limit = 256);
-- Its statistics tell frequent values from rare ones.
analyze contact;
-- Contacts of proposals and activities by further values of these, in the order of their creation.
drop index concurrently if exists proposal_title_contact;
create index concurrently proposal_title_contact on proposal (organization_id, title, contact_created_at, contact_id);
drop index concurrently if exists activity_direction_contact;
create index concurrently activity_direction_contact on activity (organization_id, direction, contact_created_at, contact_id)
  where direction is not null;
drop index concurrently if exists activity_assignee_contact;
create index concurrently activity_assignee_contact on activity (organization_id, assignee_id, contact_created_at, contact_id)
  where assignee_id is not null;
drop index concurrently if exists activity_due_contact;
create index concurrently activity_due_contact on activity (organization_id, due_at, contact_created_at, contact_id)
  where due_at is not null;
drop index concurrently if exists activity_done_contact;
create index concurrently activity_done_contact on activity (organization_id, done_at, contact_created_at, contact_id)
  where done_at is not null;
drop index concurrently if exists consent_change_at;
create index concurrently consent_change_at on consent_change (organization_id, channel, at, contact_id);
