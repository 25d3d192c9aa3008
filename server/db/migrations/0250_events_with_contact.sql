-- Erasure of a contact from the events of proposals that it was removed from.

-- Returns the ids of the events about a contact, and of those with its id, or the id of a contact that was merged into it, in their
-- data: also of events of proposals of others, with the contact among the recipients of that time. It compares the organization
-- itself, for the function below.
create function events_with_contact(contact_id uuid) returns setof uuid
  language sql stable
  set search_path = public, pg_temp
as $$
  with named as (
    select array(
      select events_with_contact.contact_id
      union
      select a.id from contact_alias a where a.organization_id = app_organization() and a.contact_id = events_with_contact.contact_id
    ) as ids
  ), recipient as (
    select array(
      select 'prp_' || r.proposal_id from proposal_recipient r, named
      where r.organization_id = app_organization() and r.contact_id = any (named.ids)
    ) as proposals
  )
  select e.id from event e, named, recipient
  where e.organization_id = app_organization() and (
    e.contact_id = any (named.ids)
    or e.data ->> 'id' = any (recipient.proposals)
    or e.data::text like any (array(select '%' || id || '%' from unnest(named.ids) as id)))
$$;

-- As before, for all of these events. It forgets the answers of receivers to them alone.
create or replace function erase_events_of_contact(contact_id uuid, event_ids uuid[], erased jsonb[], version smallint) returns integer
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  forgotten integer;
  named uuid[];
begin
  perform from contact c where c.organization_id = app_organization() and c.id = erase_events_of_contact.contact_id
    and c.deleted_at is not null;
  if not found then
    raise exception 'contact % is not deleted', erase_events_of_contact.contact_id;
  end if;
  named := array(
    select id from events_with_contact(erase_events_of_contact.contact_id) as id where id = any (event_ids)
  );
  update event set data = replaced.data, schema_version = version
  from unnest(event_ids, erased) as replaced (id, data)
  where event.organization_id = app_organization() and event.id = replaced.id and event.id = any (named);
  update webhook_attempt set response_body = null, response_headers = null
  from webhook_delivery delivery
  where webhook_attempt.organization_id = app_organization() and delivery.organization_id = app_organization()
    and delivery.id = webhook_attempt.delivery_id and delivery.event_id = any (named)
    and webhook_attempt.response_body is not null;
  get diagnostics forgotten = row_count;
  return forgotten;
end $$;
