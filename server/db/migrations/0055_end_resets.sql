-- A changed password ends every open reset link of its user: an older link, still in a mailbox, must not set it again.
create function identity.end_resets() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  delete from identity.verification where identifier like 'reset-password:%' and value = new.user_id::text;
  return null;
end $$;

create trigger end_resets after insert or update of password on identity.account
  for each row when (new.password is not null) execute function identity.end_resets();

create index reset_of_user on identity.verification (value) where identifier like 'reset-password:%';
