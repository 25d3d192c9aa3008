-- mode: organizations
-- Contacts are also compared by the domains of their companies.
insert into contact_to_compare (organization_id, contact_id)
select contact.organization_id, contact.id from contact
join company on company.organization_id = contact.organization_id and company.id = contact.company_id
where contact.organization_id = $1 and contact.deleted_at is null and company.domains <> '{}'
  and not exists (select from contact_to_compare as known where known.organization_id = $1 and known.contact_id = contact.id);
