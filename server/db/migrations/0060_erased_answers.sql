-- The records that a kept answer tells of: its own, those in it, and those in the address of the request. Null for answers
-- that were kept before this column was there.
alter table idempotency_answer add record_ids uuid[];
-- Without fastupdate: a pending list would be read from end to end by every deletion.
create index idempotency_answer_record on idempotency_answer using gin (record_ids) with (fastupdate = off);

-- Erases the answers that tell of a deleted record, or hold a secret that was replaced or revoked, in the statement that
-- writes down the deletion. The keys stay taken, so that nothing is done twice. Runs as its owner: row-level security
-- would keep the index from being used, since the operators of arrays are not leakproof.
create function erase_answers() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  update idempotency_answer set answer = '', record_ids = null
  where organization_id = new.organization_id and record_ids @> array[new.target_id];
  return null;
end $$;
create trigger erase_answers after insert on audit_entry for each row
  when (
    new.action like '%.deleted'
    or new.action in ('contact.purged', 'invitation.accepted', 'token.revoked', 'token.rotated', 'webhook_endpoint.secret_rotated')
  )
  execute function erase_answers();
