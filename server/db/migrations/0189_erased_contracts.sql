-- Accepted proposals of erased contacts are removed after a number of years.

-- A contact whose personal data was erased. Unlike it, a deleted contact is emptied after some time without a request for erasure.
alter table contact add erased_at timestamptz;

-- Programs of the former version do not set the time. Drop this in a later version.
create function mark_erased_contact() returns trigger
  language plpgsql
  set search_path = public, pg_temp
as $$
begin
  update contact set erased_at = new.created_at
  where organization_id = new.organization_id and id = new.target_id and deleted_at is not null and erased_at is null;
  return null;
end $$;
create trigger mark_erased_contact after insert on audit_entry for each row
  when (new.action = 'contact.erased')
  execute function mark_erased_contact();

-- The certificate of a removed proposal keeps its place in the chain: its number, its hash and that of the previous one.
alter table certificate
  alter proposal_id drop not null,
  alter json drop not null,
  alter signature drop not null,
  add erased_at timestamptz,
  add constraint certificate_erased check (
    (json is null) = (erased_at is not null) and (signature is null) = (erased_at is not null)
    and (proposal_id is null) = (erased_at is not null)
  ) not valid;

-- Returns when the years of a contract are over.
create function contract_kept_until(completed_at timestamptz, years integer) returns timestamptz
  language sql immutable
as $$
  select (completed_at at time zone 'UTC' + make_interval(years => years)) at time zone 'UTC';
$$;

-- The only way to delete completed proposals and to change certificates. Refuses proposals whose years are not over, or without an
-- erased signer. Replaces the data of their events, and forgets how receivers answered to them. It runs as its owner, to whom the
-- policies do not apply, so it compares the organization itself.
create function erase_contracts(
  contracts uuid[], years integer, at_time timestamptz, event_ids uuid[], event_data jsonb[], event_version smallint
) returns void
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  perform from unnest(contracts) as contract (id)
  where not exists (
    select from proposal p where p.organization_id = app_organization() and p.id = contract.id and p.status = 'completed'
      and contract_kept_until(p.completed_at, years) <= at_time
      and exists (
        select from proposal_recipient r join contact c on c.organization_id = r.organization_id and c.id = r.contact_id
        where r.organization_id = p.organization_id and r.proposal_id = p.id and r.role = 'signer' and c.erased_at is not null)
  );
  if found then
    raise exception 'a proposal of % is no contract of an erased contact whose years are over', contracts;
  end if;
  update event set data = replaced.data, schema_version = event_version
  from unnest(event_ids, event_data) as replaced (id, data)
  where event.organization_id = app_organization() and event.id = replaced.id
    and right(event.data ->> 'id', 36) = any (contracts::text[]) and event.type like 'proposal.%';
  update webhook_attempt set response_body = null, response_headers = null
  from webhook_delivery delivery
  where webhook_attempt.organization_id = app_organization() and delivery.organization_id = app_organization()
    and delivery.id = webhook_attempt.delivery_id and delivery.event_id = any (event_ids)
    and (webhook_attempt.response_body is not null or webhook_attempt.response_headers is not null);
  update certificate set json = null, signature = null, proposal_id = null, erased_at = at_time
  where organization_id = app_organization() and proposal_id = any (contracts);
  delete from proposal_signature s using proposal_recipient r
  where s.organization_id = app_organization() and r.organization_id = app_organization() and r.id = s.recipient_id
    and r.proposal_id = any (contracts);
  delete from proposal_acceptance where organization_id = app_organization() and proposal_id = any (contracts);
  delete from proposal_counter_signature where organization_id = app_organization() and proposal_id = any (contracts);
  update proposal set supersedes = null where organization_id = app_organization() and supersedes = any (contracts);
  update proposal set superseded_by = null where organization_id = app_organization() and superseded_by = any (contracts);
  delete from proposal where organization_id = app_organization() and id = any (contracts);
end $$;
revoke execute on function erase_contracts(uuid[], integer, timestamptz, uuid[], jsonb[], smallint) from public;
grant execute on function erase_contracts(uuid[], integer, timestamptz, uuid[], jsonb[], smallint) to groundwork_app;

-- Stored answers with such a proposal are erased as well.
drop trigger erase_answers on audit_entry;
create trigger erase_answers after insert on audit_entry for each row
  when (
    new.action like '%.deleted'
    or new.action in ('contact.purged', 'contact.erased', 'proposal.erased', 'invitation.accepted', 'token.revoked', 'token.rotated',
      'webhook_endpoint.secret_rotated')
  )
  execute function erase_answers();
