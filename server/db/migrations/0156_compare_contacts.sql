-- mode: organizations
insert into contact_to_compare (organization_id, contact_id)
select organization_id, id from contact
where organization_id = $1 and deleted_at is null
  and not exists (select from contact_to_compare as known where known.organization_id = $1 and known.contact_id = contact.id);
