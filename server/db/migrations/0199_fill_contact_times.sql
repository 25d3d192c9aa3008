-- mode: batches
with proposals as (
  update proposal set contact_created_at = contact.created_at from contact
  where contact.organization_id = proposal.organization_id and contact.id = proposal.contact_id
    and proposal.ctid = any (array(select ctid from proposal where contact_created_at is null limit 1000))
  returning 1
), activities as (
  update activity set contact_created_at = contact.created_at from contact
  where contact.organization_id = activity.organization_id and contact.id = activity.contact_id
    and activity.ctid = any (array(select ctid from activity where contact_created_at is null limit 1000))
  returning 1
)
select from proposals union all select from activities;
