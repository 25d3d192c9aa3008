-- mode: batches
update contact set erased_at = deleted_at
where ctid = any (array(
  select c.ctid from contact c
  where c.deleted_at is not null and c.erased_at is null and exists (
    select from audit_entry e where e.organization_id = c.organization_id and e.target_id = c.id and e.action = 'contact.erased')
  limit 1000));
