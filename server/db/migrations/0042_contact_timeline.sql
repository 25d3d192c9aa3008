-- The contact that an event is about, its own or its proposal's, so that what happened to one contact is found by an index
-- and not by reading what happened to all. A column, since an expression on `data` cannot drive an index behind row-level
-- security: jsonb's operators might tell of rows that the policy hides.
alter table event add contact_id uuid generated always as (
  case when type like 'contact.%' then right(data ->> 'id', 36) when type like 'proposal.%' then right(data ->> 'contactId', 36) end::uuid
) stored;
create index event_of_contact on event (organization_id, contact_id, position) where contact_id is not null;
