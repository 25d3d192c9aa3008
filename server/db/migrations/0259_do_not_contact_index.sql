-- mode: statements
-- A filter on doNotContact reads the few contacts that have it.
drop index concurrently if exists contact_do_not_contact;
create index concurrently contact_do_not_contact on contact (organization_id, created_at desc, id desc)
  where do_not_contact and deleted_at is null;
