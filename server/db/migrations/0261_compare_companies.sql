-- mode: organizations
insert into company_to_compare (organization_id, company_id)
select organization_id, id from company
where organization_id = $1 and deleted_at is null
  and not exists (select from company_to_compare as known where known.organization_id = $1 and known.company_id = company.id);
