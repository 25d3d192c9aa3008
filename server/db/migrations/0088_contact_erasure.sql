-- Erasure of a contact.

-- The only way to change events. Replaces the data of events about a deleted contact or its proposals by what readers see of them
-- after the deletion, and forgets how receivers answered to them, since an answer can repeat the data. Returns the number of
-- forgotten answers. It runs as its owner, to whom the policies do not apply, so it compares the organization itself.
create function erase_events_of_contact(contact_id uuid, event_ids uuid[], erased jsonb[], version smallint) returns integer
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  forgotten integer;
begin
  perform from contact c where c.organization_id = app_organization() and c.id = erase_events_of_contact.contact_id
    and c.deleted_at is not null;
  if not found then
    raise exception 'contact % is not deleted', erase_events_of_contact.contact_id;
  end if;
  update event set data = replaced.data, schema_version = version
  from unnest(event_ids, erased) as replaced (id, data)
  where event.organization_id = app_organization() and event.id = replaced.id and (
    event.contact_id = erase_events_of_contact.contact_id
    or exists (select from proposal_recipient r where r.organization_id = app_organization()
      and r.contact_id = erase_events_of_contact.contact_id and event.data ->> 'id' = 'prp_' || r.proposal_id));
  update webhook_attempt set response_body = null, response_headers = null
  from webhook_delivery delivery
  where webhook_attempt.organization_id = app_organization() and delivery.organization_id = app_organization()
    and delivery.id = webhook_attempt.delivery_id and delivery.event_id = any (event_ids)
    and webhook_attempt.response_body is not null;
  get diagnostics forgotten = row_count;
  return forgotten;
end $$;
revoke execute on function erase_events_of_contact(uuid, uuid[], jsonb[], smallint) from public;
grant execute on function erase_events_of_contact(uuid, uuid[], jsonb[], smallint) to groundwork_app;

-- Stored answers with the contact are erased as well.
drop trigger erase_answers on audit_entry;
create trigger erase_answers after insert on audit_entry for each row
  when (
    new.action like '%.deleted'
    or new.action in ('contact.purged', 'contact.erased', 'invitation.accepted', 'token.revoked', 'token.rotated',
      'webhook_endpoint.secret_rotated')
  )
  execute function erase_answers();
