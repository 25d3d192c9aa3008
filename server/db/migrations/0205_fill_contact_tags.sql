-- mode: batches
-- Locks each contact meanwhile, so that its tags match its latest change.
with tagged as materialized (
  select contact.organization_id, contact.id, contact.created_at, contact.deleted_at, contact.tags
  from contact, installation.contact_tags_filled filled
  where (contact.organization_id, contact.id) > (filled.organization_id, filled.contact_id) and contact.tags <> '{}'
  order by contact.organization_id, contact.id limit 1000 for no key update of contact
), stored as (
  insert into contact_tag (organization_id, tag, contact_created_at, contact_id)
  select organization_id, tag, created_at, id from tagged, unnest(lower_tags(tags)) as tag where deleted_at is null on conflict do nothing
)
update installation.contact_tags_filled filled set organization_id = last.organization_id, contact_id = last.id
from (select organization_id, id from tagged order by organization_id desc, id desc limit 1) as last;
